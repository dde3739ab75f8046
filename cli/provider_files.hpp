// The files that a provider from elsewhere was, so that a trace can say that they have changed.
#pragma once

#include <string>

#include "sim/trace.hpp"

namespace leaselab::cli {

// Of the library, or of the files that the command of a program names, taken from `folder` (empty:
// here). What those load in turn is not seen. Empty where there are none, or the provider is built
// in.
std::string files_digest(const std::string& provider, const std::string& folder);

// "./libmine.so has changed since this was recorded", or nothing: it has not, or nobody knows.
std::string change_since(const sim::trace_header& recorded);

}  // namespace leaselab::cli
