#include "providers/handed_in.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leaselab {

resolved_provider resolve_made(made_provider made, environment& environment,
                               provider_options options) {
  if (!made.whole) return resolve(std::move(made.entries), environment, std::move(options));
  resolved_provider out;
  out.provider = std::move(made.whole);
  return out;
}

std::string fallback_text(const std::vector<operation>& missing) {
  std::vector<std::string_view> names;
  for (const operation each : missing) names.push_back(to_string(each));
  return fmt::format("{} of {} operations (no {}): a runtime falls back to no-op",
                     operation_count - static_cast<int>(missing.size()), operation_count,
                     fmt::join(names, ", "));
}

void handing_in::made_nothing() { throw host_failed("the factory of a provider made nothing"); }

}  // namespace leaselab
