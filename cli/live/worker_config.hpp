// What a worker is told by its parent, on its standard input: nothing of it is for the process
// list, for the address may hold a password.
#pragma once

#include <cstdint>
#include <string>

namespace leaselab::cli::live {

struct worker_config {
  std::string url, prefix, provider;
  std::string client = "strict";  // as sim::to_string(client_policy) has it
  std::string folder;             // where the logs go; must exist
  int worker = 0;
  int incarnation = 0;
  int keys = 1;
  std::int64_t ttl_ms = 0;
  std::int64_t margin_ppm = 0;
  std::uint64_t seed = 0;

  // "w2.1": the process incarnation, as in owners ("w2.1#7") and logs.
  std::string name() const {
    return "w" + std::to_string(worker) + "." + std::to_string(incarnation);
  }
  // What its connections are called at the server.
  std::string client_name() const { return prefix + "." + name(); }
  std::string history_path() const { return folder + "/" + name() + ".history.jsonl"; }
  std::string beliefs_path() const { return folder + "/" + name() + ".beliefs.jsonl"; }
};

// Of a key that is shared by all: "<folder>/work.k0".
std::string work_path(const std::string& folder, int key);

std::string to_json(const worker_config& config);
worker_config worker_config_of(const std::string& json);

}  // namespace leaselab::cli::live
