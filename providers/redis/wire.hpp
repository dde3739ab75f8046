// Commands and replies on the wire of a live Redis (RESP2). Internal to the live link.
#pragma once

#include <hiredis/hiredis.h>

#include <string>

#include "providers/command.hpp"

namespace leaselab {

// Appends `request` in Redis' format. redisFormatCommandArgv does the same into a new allocation,
// from an array of pointers; this is called for every command, with the same buffer.
void append_wire(std::string& out, const command& request);

// False for commands that change what later replies on their connection mean (SUBSCRIBE, MONITOR,
// MULTI, HELLO, ...): calls share connections, so a link refuses them.
bool may_share_connection(const command& request);

// A reply as hiredis' reader builds it for us. hiredis treats what it was given as a redisReply in
// one case only: a reply that no command waits for. If that is an error it ends the connection
// with the reply's text, otherwise it aborts the program; so `head` always says "error".
struct wire_reply {
  redisReply head{};
  reply value;
};

// Makes the reader of `context` build its replies in `into`, one after the other: they then are
// that wire_reply*. `into` outlives the context.
void read_wire_replies(redisContext& context, wire_reply& into);

}  // namespace leaselab
