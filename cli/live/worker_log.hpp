// What a worker writes down: its calls in the history format (a line when a call begins and the
// whole line again, under the same id, when it ends: the last one counts), its beliefs, its work.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/live/line_file.hpp"
#include "cli/live/worker_config.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab::cli::live {

// Instants are true time in ns.
class worker_log {
 public:
  explicit worker_log(const worker_config& config);

  struct call {
    std::uint64_t id = 0;
    std::string head;  // the line up to its end
  };
  // Written before the request is sent: a process that is killed meanwhile leaves it behind.
  call begin(const char* op, int key, const std::string& owner);
  // `result`: further members, such as R"(,"answer":true)".
  void end(const call& of, const std::string& result);
  void end(const call& of, const lease_error& error);

  // The worker believes to hold the key from `at` until its own clock reads `until`.
  void believes(int key, const std::string& owner, std::int64_t at, std::int64_t until);
  void believes_no_more(int key, const std::string& owner, std::int64_t at, const char* why);

  // The guarded work: one line in the file that all processes share, as O_APPEND orders them.
  void work(int key, const std::string& owner, std::int64_t at);

 private:
  const std::string process_;
  const std::int64_t ttl_ns_;
  line_file history_, beliefs_;
  std::vector<std::unique_ptr<line_file>> work_;
  std::uint64_t calls_ = 0;
};

}  // namespace leaselab::cli::live
