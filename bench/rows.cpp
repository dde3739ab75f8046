#include "bench/rows.hpp"

namespace leaselab::bench {
namespace {

constexpr kind all_kinds[] = {kind::acquire_release, kind::reacquire, kind::refused, kind::renew,
                              kind::transfer,        kind::get,       kind::mix};

struct shape {
  int clients, depth;
  bool shared = false;
};

std::vector<shape> shapes(bool few) {
  if (few) return {{1, 1}, {8, 16}, {1, 8, true}};
  return {{1, 1}, {8, 1}, {50, 1}, {1, 16}, {8, 16}, {50, 16}, {1, 8, true}, {1, 50, true}};
}

void add_rows(std::vector<row>& rows, const std::string& provider, const std::string& transport,
              bool few, const handed_in* given = nullptr) {
  for (const kind operation : all_kinds) {
    for (const shape& each : shapes(few)) {
      if (each.shared && transport == "local") continue;  // there is no connection to share
      rows.push_back(
          {provider, each.shared, {operation, transport, each.clients, each.depth}, given});
    }
  }
}

}  // namespace

std::string row::name() const {
  std::string text = "provider/" + provider + "/" + std::string(to_string(wanted.operation)) + "/" +
                     wanted.transport;
  if (shared) return text + "/shared:" + std::to_string(wanted.depth);
  return text + "/clients:" + std::to_string(wanted.clients) +
         "/depth:" + std::to_string(wanted.depth);
}

std::vector<row> all_rows(bool few) {
  std::vector<row> rows;
  for (const char* provider : {"redis", "redis-three-step", "release-then-acquire"}) {
    for (const char* transport : {"tcp", "unix"}) add_rows(rows, provider, transport, few);
  }
  for (const char* provider : {"memory", "noop"}) add_rows(rows, provider, "local", few);
  return rows;
}

void add_rows_of(const handed_in& given, bool few, std::vector<row>& rows) {
  if (!given.over_redis()) return add_rows(rows, given.name, "local", few, &given);
  for (const char* transport : {"tcp", "unix"}) add_rows(rows, given.name, transport, few, &given);
}

}  // namespace leaselab::bench
