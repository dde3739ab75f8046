// How the program ends. The numbers are part of what users rely on.
#pragma once

#include <stdexcept>

namespace leaselab::cli {

enum exit_status : int {
  as_expected = 0,     // as declared or expected
  violated = 1,        // a violation or an unmet expectation
  unknown = 2,         // budget spent, nothing run, a claim unreached
  usage = 3,           // a wrong command line, a bad file, an unwritable place
  nondeterminism = 4,  // two runs that had to be equal were not
  interrupted = 130,   // Ctrl-C
};

// Ends the program with `usage` and this one line.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace leaselab::cli
