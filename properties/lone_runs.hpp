// noop.single_process at the level of runs: the one story that a runtime alone can tell.
#pragma once

#include "properties/rule.hpp"

namespace leaselab::properties {

// What a lone strict runtime makes of its signals follows from their arrival: queued ones begin in
// their order, one run at a time, and nobody interrupts or refuses them. So whatever provider lets
// it tell another story, the no-op provider or a map, is noticed by its process.
void judge_lone_runs(const run_context& context, reporter& report);

}  // namespace leaselab::properties
