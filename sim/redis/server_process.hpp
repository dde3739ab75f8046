// A redis-server child under a virtual clock: its directory, its clock, its life.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "providers/redis_child.hpp"

namespace leaselab::sim::redis {

using leaselab::server_failed;

// The page that the server's wall clock reads. A child maps the same file.
class clock_page {
 public:
  explicit clock_page(const std::string& path);
  ~clock_page();
  clock_page(const clock_page&) = delete;
  clock_page& operator=(const clock_page&) = delete;

  void set_unix_ms(std::int64_t unix_ms) {
    const auto microseconds = static_cast<std::int64_t>(static_cast<std::uint64_t>(unix_ms) * 1000);
    __atomic_store_n(microseconds_, microseconds, __ATOMIC_RELEASE);
  }

 private:
  std::int64_t* microseconds_;
};

// Started by the constructor, which does not wait until it answers; killed by the destructor, by
// its process id, and by the kernel when the thread that started it ends.
class server_process {
 public:
  // Throws server_failed.
  explicit server_process(std::int64_t unix_ms);
  ~server_process();
  server_process(const server_process&) = delete;
  server_process& operator=(const server_process&) = delete;

  std::string socket_path() const { return directory_.file("s"); }
  clock_page& clock() { return clock_; }
  pid_t id() const { return id_; }
  bool alive();
  // The last lines of what it wrote.
  std::string log_tail() const;

 private:
  server_folder directory_;
  clock_page clock_;
  pid_t id_ = -1;
};

}  // namespace leaselab::sim::redis
