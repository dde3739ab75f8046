#include "cli/traces.hpp"

#include "cli/exit_status.hpp"

namespace leaselab::cli {

sim::trace read_trace(const std::filesystem::path& path) {
  try {
    return sim::read_trace(path.string());
  } catch (const sim::trace_error& error) {
    throw usage_error(error.what());
  }
}

}  // namespace leaselab::cli
