#include "cli/traces.hpp"

#include <fmt/format.h>

#include "cli/exit_status.hpp"
#include "cli/registry.hpp"

namespace leaselab::cli {

sim::trace read_trace(const std::filesystem::path& path) {
  try {
    return sim::read_trace(path.string());
  } catch (const sim::trace_error& error) {
    throw usage_error(error.what());
  }
}

std::string folder_for(const sim::trace_header& header) {
  std::error_code error;
  return std::filesystem::is_directory(header.folder, error) ? header.folder : "";
}

// What is missing is told with the place where it was recorded.
const sim::variant& provider_of(const sim::trace_header& header) {
  try {
    return provider_named(header.provider, folder_for(header));
  } catch (const usage_error& error) {
    if (!is_from_elsewhere(header.provider) || header.folder.empty()) throw;
    const bool gone = folder_for(header).empty();
    throw usage_error(fmt::format(
        "{}; the trace was recorded in {}{}", error.what(), header.folder,
        gone ? ", which is gone: call this where the provider is now" : ": put it back there"));
  }
}

}  // namespace leaselab::cli
