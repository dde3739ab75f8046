// Variants from elsewhere: programs, `exec:./adapter`, spoken to over a pipe
// (providers/pipe/protocol.md), and shared libraries, `./libmine.so` (providers/plugin).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "providers/lease_provider.hpp"
#include "sim/deployment.hpp"

namespace leaselab::properties {

inline constexpr std::string_view exec_prefix = "exec:";
// Before it: a program whose own Redis client goes by its own clock. Its runs need not repeat.
inline constexpr std::string_view best_effort_prefix = "best-effort:";

bool is_best_effort(std::string_view name);

struct foreign {
  sim::variant variant;
  std::vector<operation> missing;  // a runtime falls back to the no-op provider where any is
};

// A path that begins with /, ./ or ../, or ends with .so.
bool is_library(std::string_view name);
// A command to start: a run of it takes milliseconds.
bool is_program(std::string_view name);
// Whether a name is that of a provider from elsewhere: a command or a path, never a glob.
bool is_foreign(std::string_view name);

// Starts the program or loads the library once, to ask what it has; later questions of the same
// name are answered from then. A child for each process of a world serves on; only a crash ends it.
// `folder`: where it is started or looked for; empty: here. Throws host_failed.
const foreign& find_foreign(const std::string& name, const std::string& folder = {});

}  // namespace leaselab::properties
