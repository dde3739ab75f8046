#include "cli/shared_files.hpp"

namespace leaselab::cli {

namespace fs = std::filesystem;

fs::path shared_files() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* const below : {"../share/leaselab", ".."}) {
    const fs::path candidate = (here / below).lexically_normal();
    if (fs::exists(candidate / "providers/pipe/protocol.md", ignored)) return candidate;
  }
  return {};
}

}  // namespace leaselab::cli
