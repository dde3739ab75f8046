// From the words of the command line to options. CLI11 stays behind this header: it costs eight
// seconds a file that includes it.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/verbs.hpp"

namespace leaselab::cli {

struct parsed {
  options given;
  bool help = false;  // --help was among the words
};

// `words` are those after the verb. Throws usage_error.
parsed parse_flags(const verb& of, std::vector<std::string> words);

}  // namespace leaselab::cli
