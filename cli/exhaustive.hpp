// What `check --strategy exhaustive` needs besides a plain check: its scope, its checkpoint, and
// what it says of both.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "properties/search/check.hpp"

namespace leaselab::cli {

// Fills in what the flags say. Refuses those that a search of this kind, or of another, has no use
// for, and a checkpoint that is none.
void take_exhaustive(const options& given, properties::check_options& into);

// Of `run --strategy exhaustive`; nothing where another strategy is asked for.
std::optional<properties::exhaustive_options> every_order_of(const options& given);

// Lines for people: the scope, and how far the search came with each provider.
std::string coverage_text(const properties::check_options& asked,
                          const properties::check_result& result);

// Where the search may be gone on with: --resume, or, when it was stopped, a file in `folder`.
// Returns the line that says how; empty when the search is complete.
std::string keep_checkpoint(const options& given, const properties::check_result& result,
                            output_folder& folder);

}  // namespace leaselab::cli
