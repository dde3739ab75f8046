// The rows of the comparison.
#pragma once

#include <string>
#include <vector>

#include "bench/yardsticks.hpp"
#include "providers/handed_in.hpp"

namespace leaselab::bench {

struct row {
  std::string provider;
  bool shared = false;  // `depth` callers on one connection, each a provider object of its own
  load wanted;
  const handed_in* given = nullptr;  // one that is not built in; outlives the row

  bool live() const { return wanted.transport != "local"; }
  // provider/redis/renew/tcp/clients:50/depth:1, provider/redis/renew/tcp/shared:50
  std::string name() const;
};

// Every built-in provider, operation, transport and shape; `few`: one or two shapes of each, for a
// smoke run. Shapes of depth 1 come before deeper ones.
std::vector<row> all_rows(bool few);
// Those of one that is not built in, behind `rows`.
void add_rows_of(const handed_in& given, bool few, std::vector<row>& rows);

}  // namespace leaselab::bench
