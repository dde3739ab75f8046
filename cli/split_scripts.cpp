#include "cli/split_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/exit_status.hpp"
#include "properties/split_scripts.hpp"

namespace leaselab::cli {
namespace {

// The parts of a script are steps of the call: what befalls messages, the backend or a process in
// the middle of a call passes them by.
const std::vector<std::string> told_apart = {"calm", "interleave", "skew", "drift"};

void expect_profiles(const options& given, std::vector<std::string>& profiles) {
  if (given.profiles.empty()) profiles = {"interleave"};
  for (const auto& one : profiles) {
    if (std::find(told_apart.begin(), told_apart.end(), one) == told_apart.end())
      throw usage_error(fmt::format("--profile: split scripts are for {}, not {}",
                                    fmt::join(told_apart, ", "), one));
  }
}

}  // namespace

void take_split_scripts(const options& given, properties::check_options& into) {
  if (!given.split_scripts) return;
  if (given.engine != "model")
    throw usage_error(
        fmt::format("--split-scripts: on the model engine only, not on {}", given.engine));
  expect_profiles(given, into.profiles);
  std::vector<const sim::variant*> split;
  for (const auto* base : into.providers) {
    const auto scripts = properties::scripts_of(*base);
    if (!base->needs_engine) {
      if (!given.providers.empty())
        throw usage_error(fmt::format("--split-scripts: {} runs no scripts", base->name));
      continue;
    }
    if (given.providers.empty() && scripts.empty()) continue;
    for (const auto& script : scripts) split.push_back(&properties::split_variant(*base, script));
    split.push_back(&properties::split_variant(*base, ""));
  }
  into.providers = split;
}

}  // namespace leaselab::cli
