// The Redis that the benchmarks run on: one of their own, or somebody's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/raw_link.hpp"
#include "providers/redis/redis_url.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab::bench {

// Its keys begin with a random prefix, live for a minute at most, and are removed at the end.
class server {
 public:
  // Empty: starts its own. Throws std::invalid_argument when the address cannot be one,
  // unusable_server, testing::server_failed.
  explicit server(const std::string& url);
  ~server();

  // "tcp", "unix", or both.
  std::vector<std::string> transports() const;
  std::string url(std::string_view transport) const;
  redis_url address(std::string_view transport) const;
  const std::string& prefix() const { return prefix_; }
  std::string version();

  raw_link& link() { return *link_; }
  void remove_keys();

 private:
  std::unique_ptr<testing::redis_server> own_;
  std::string given_;
  std::string prefix_;
  std::unique_ptr<raw_link> link_;
};

// Throws std::invalid_argument with one line.
redis_url address_of(const std::string& url);

}  // namespace leaselab::bench
