#include "providers/declaration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace leaselab {
namespace {

void expect_word(std::string_view what, std::string_view word,
                 std::initializer_list<std::string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return;
  throw std::runtime_error(
      fmt::format("{} `{}`; allowed: {}", what, word, fmt::join(allowed, ", ")));
}

}  // namespace

void declare_scope(guarantees& into, std::string_view word) {
  expect_word("scope", word, {"cluster", "host", "none"});
  into.scope = word == "host" ? scope::host : word == "none" ? scope::none : scope::cluster;
}

void declare_expiry(guarantees& into, std::string_view word) {
  expect_word("expiry", word, {"at", "after"});
  into.reading = word == "at" ? expiry_reading::at : expiry_reading::after;
}

void declare_handoff(guarantees& into, std::string_view word) {
  expect_word("handoff", word, {"atomic", "none"});
  into.atomic_handoff = word == "atomic";
  if (into.atomic_handoff) return;
  into.not_guaranteed.push_back({"handoff.*", "*"});
  into.not_guaranteed.push_back({"lease.linearizable", "*"});
}

void declare_granule(guarantees& into, std::int64_t ms) {
  if (ms != 1) throw std::runtime_error("granule_ms: 1 is the only granule there is");
  into.granule_ms = ms;
}

void expect_known_place(std::string_view records) {
  expect_word("records", records, {"<prefix>:lease:<key>"});
}

void declare_within_host(guarantees& into) {
  for (const char* profile : {"lossy", "partition", "scripts", "failover", "eviction"}) {
    into.not_applicable.push_back({"*", profile});
  }
}

}  // namespace leaselab
