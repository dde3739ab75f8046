#include "cli/report/missing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "providers/handed_in.hpp"

namespace leaselab::cli {
namespace {

std::vector<std::string_view> names_of_missing(const sim::variant& provider) {
  std::vector<std::string_view> out;
  for (const operation each : provider.missing) out.push_back(to_string(each));
  return out;
}

bool can_lock(const sim::variant& provider) {
  return std::none_of(provider.missing.begin(), provider.missing.end(), [](operation each) {
    return each == operation::acquire || each == operation::release;
  });
}

}  // namespace

std::string missing_line(const sim::variant& provider) {
  if (provider.missing.empty()) return "";
  if (provider.declared.as_lock)
    return fmt::format("{}: as a lock, without {}; what needs that is left out\n", provider.name,
                       fmt::join(names_of_missing(provider), ", "));
  const std::string_view help = can_lock(provider) ? "; try --as lock" : "";
  return fmt::format("{}: {}{}\n", provider.name, fallback_text(provider.missing), help);
}

std::string missing_lines(const std::vector<const sim::variant*>& providers) {
  std::string out;
  for (const auto* const provider : providers) out += missing_line(*provider);
  return out;
}

boost::json::array missing_json(const sim::variant& provider) {
  boost::json::array out;
  for (const auto name : names_of_missing(provider)) out.emplace_back(name);
  return out;
}

}  // namespace leaselab::cli
