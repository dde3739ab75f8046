#include "cli/traces.hpp"

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

const sim::variant& provider_of(const sim::trace_header& header) {
  return provider_named(header.provider, folder_for(header));
}

}  // namespace leaselab::cli
