// Commands that wait at a server until another client leaves something for them: BLPOP and the
// like. An engine never waits. It executes them as a server does between MULTI and EXEC, and
// whoever holds the client looks again later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/engine.hpp"

namespace leaselab::sim::redis {

bool may_wait(const command& request);
// Of one that may wait: a server would have it wait now.
bool found_nothing(const command& request, const reply& answer);
// Of one that found nothing: how long it waits, in milliseconds; 0: for ever.
std::int64_t patience_ms(const command& request);
// What it says of the instant at which it came, said for later: the $ of XREAD.
void pin_down(command& request, engine& at, std::int64_t now_ms);

// A server serves by the key that something has come to, so one that waits for several keys is
// tried for each alone.
std::vector<std::string> keys_of(const command& request);
command only_for(const command& request, std::string_view key);
// Of such a try that was answered an error: what a server tells the client that waits. None: the
// key is of another type by now, and it waits on.
std::optional<reply> told(const command& request, reply error, engine& at, std::int64_t now_ms);

}  // namespace leaselab::sim::redis
