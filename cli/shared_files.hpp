// Where the files are that the documents speak of: scenarios, adapters, samples.
#pragma once

#include <filesystem>

namespace leaselab::cli {

// <prefix>/share/leaselab of an installed program, the source tree of one that was built there.
// Empty where there is neither, as for a program that somebody made with a provider of their own.
std::filesystem::path shared_files();

}  // namespace leaselab::cli
