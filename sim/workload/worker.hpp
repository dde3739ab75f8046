// The coroutine of one worker: waits for a call, makes it, reports its end, and waits again.
#pragma once

#include "providers/awaitable.hpp"
#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

awaitable<void> work_off_calls(core& world, process_slot& process, worker& self);

}  // namespace leaselab::sim
