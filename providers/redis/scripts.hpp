// The Lua scripts of the Redis providers. KEYS[1] is the lease's key; its value is the owner and
// nothing else, its time to live the lease's.
//
// Each script writes the lease at most once, as its last command, and nothing that can fail comes
// after it: so an error reply proves that the lease was not changed.
#pragma once

#include "providers/command.hpp"

namespace leaselab::redis_scripts {

// ARGV: owner, ttl in ms. 1: acquired, created or refreshed. Text: the other owner.
const script& acquire();
// ARGV: owner. 1: removed. 0: no live record of that owner.
const script& release();
// ARGV: owner, ttl in ms. 1: renewed. 0: no live record of that owner.
const script& renew();
// The same under the name of the second trip of a three-step acquire.
const script& refresh();
// ARGV: from, to, ttl in ms. 1: moved. 0: no live record of `from`.
const script& transfer();

// KEYS[2] is the counter of the lease's tokens. It goes up whenever a record is created or the
// owner changes, before the lease is written: an attempt that then fails leaves a gap, never a
// token used twice. A refresh and a transfer to oneself keep the token.
//
// As acquire, and under its name in traces, but a grant is answered with its token, at least 1.
const script& fenced_acquire();
// As transfer, likewise.
const script& fenced_transfer();

}  // namespace leaselab::redis_scripts
