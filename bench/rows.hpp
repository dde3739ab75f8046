// The rows of the comparison.
#pragma once

#include <string>
#include <vector>

#include "bench/yardsticks.hpp"

namespace leaselab::bench {

struct row {
  std::string provider;
  bool shared = false;  // `depth` callers on one connection, each a provider object of its own
  load wanted;

  bool live() const { return wanted.transport != "local"; }
  // provider/redis/renew/tcp/clients:50/depth:1, provider/redis/renew/tcp/shared:50
  std::string name() const;
};

// Every provider, operation, transport and shape; `few`: one or two shapes of each, for a smoke
// run. Shapes of depth 1 come before deeper ones.
std::vector<row> all_rows(bool few);

}  // namespace leaselab::bench
