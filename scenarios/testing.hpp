// What the tests of the loader read with: the names that files may use, and what loading says.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/workload/policy.hpp"

namespace leaselab::scenarios::testing {

inline std::map<std::string, std::vector<std::string>> policies() {
  std::map<std::string, std::vector<std::string>> all;
  for (const auto& one : sim::policy_table())
    all.emplace(one.key, std::vector<std::string>(one.values.begin(), one.values.end()));
  return all;
}

inline const known_names& names() {
  static const known_names all{
      {"memory", "memory-per-process", "redis", "redis-three-step", "redis-fenced",
       "release-then-acquire", "noop"},
      {},
      {"single_owner.grant",  "handoff.no_gap",        "handoff.no_steal",
       "handoff.honest",      "handoff.full_ttl",      "lease.linearizable",
       "acquire.idempotent",  "acquire.honest_denial", "release.owner_only",
       "renew.honest",        "expiry.on_time",        "key.isolation",
       "argument.refused",    "progress.after_crash",  "progress.after_heal",
       "single_owner.belief", "single_owner.effect",   "single_owner.fenced",
       "run.serialized",      "run.covered",           "loss.noticed",
       "signal.once",         "noop.selected",         "noop.always_wins",
       "noop.inert",          "noop.single_process"},
      {"calm", "interleave", "skew", "pause", "drift", "crash", "lossy", "partition", "scripts",
       "chaos", "backend-clock", "backend-restart", "failover", "eviction"},
      {"random", "pct", "pos", "urw", "exhaustive", "portfolio"},
      {"strict", "published"},
      policies()};
  return all;
}

inline std::vector<scenario> read_all(const std::string& body) {
  return parse("schema = 1\ntitle = \"x\"\n" + body, "some.toml", names());
}

inline scenario read(const std::string& body) {
  std::vector<scenario> all = read_all(body);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

inline const std::string acquire =
    "[[call]]\nname = \"first\"\nprocess = \"P1\"\ndo = \"acquire\"\nowner = \"A\"\n";

// What loading `text` says; empty: it loads.
inline std::string said(const std::string& text) {
  try {
    parse(text, "some.toml", names());
  } catch (const scenario_error& error) {
    return error.what();
  }
  return "";
}

inline std::string said_of(const std::string& body) {
  return said("schema = 1\ntitle = \"x\"\n" + body);
}

inline void expect_words(const std::string& text, const std::vector<std::string>& words) {
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "\"" << text << "\" lacks " << word;
}

}  // namespace leaselab::scenarios::testing
