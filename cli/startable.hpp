// What is wrong with a provider's command before it is started.
#pragma once

#include <string>

namespace leaselab::cli {

// Throws usage_error where `name`, as in "exec:./adapter --fast", leads to no program: no command,
// no such file, a folder, a file that may not be executed. A command that only a shell can read is
// left to the shell. Paths are taken from `folder`; empty: from here.
void expect_startable(const std::string& name, const std::string& folder);

}  // namespace leaselab::cli
