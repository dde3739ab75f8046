// What one live run is made of, from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "sim/time.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::cli::live {

enum class fault_kind : std::uint8_t {
  kill,     // SIGKILL, and a new incarnation some time later
  stop,     // SIGSTOP, later SIGCONT
  clock,    // a process clock's rate, inside the margin
  cut,      // the server ends a worker's connection
  restart,  // the server is killed, and comes back with its data
  freeze,   // a holder's clock stands for longer than a ttl: outside the margin
};
std::string to_string(fault_kind kind);

struct setup {
  std::uint64_t seed = 0;
  std::string provider = "redis";
  sim::client_policy client;
  int processes = 4;
  int keys = 2;
  std::int64_t ttl_ms = 500;
  std::int64_t margin_ppm = 100'000;
  sim::true_duration duration = 0;
  std::vector<fault_kind> kinds;  // in the order of the enumeration, each once
  std::string url;                // empty: a server of its own

  bool own_server() const { return url.empty(); }
  sim::true_duration ttl() const { return ttl_ms * sim::ns_per_ms; }
};

// Throws usage_error.
setup setup_of(const options& given);

// A Redis address or a command line without the password in it.
std::string without_password(std::string text);

}  // namespace leaselab::cli::live
