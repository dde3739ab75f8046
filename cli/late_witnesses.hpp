// A search that was stopped has found violations and proved none of them yet.
#pragma once

#include <atomic>

#include "properties/search/check.hpp"

namespace leaselab::cli {

// After a time limit: shrinks as a whole check would. `stop` ends that too.
void shrink_late(const properties::check_options& asked, const std::atomic<bool>& stop,
                 properties::check_result& result);
// After Ctrl-C: the violations as they were found, which takes a moment only.
void keep_unshrunk(const properties::check_options& asked, properties::check_result& result);

}  // namespace leaselab::cli
