// What replies mean for a call. Internal to the Redis providers.
//
// A trip's own error passes as it is. An error reply ends the call fail: scripts write last, so
// nothing was changed. A reply of a shape that is no answer ends it info, `protocol`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "providers/lease_provider.hpp"

namespace leaselab::redis_replies {

// NOSCRIPT: the script was not run and may be sent again by its text.
bool script_missing(const result<reply>& answer);

// The error of the trip or of the reply, if there is one.
std::optional<lease_error> error_of(const result<reply>& answer);

// The reply was no answer to the command.
lease_error unexpected(const reply& answer);

// Integer 0 or 1.
result<bool> flag(const result<reply>& answer);
// Integer, at least 0.
result<std::uint64_t> count(const result<reply>& answer);
// Text or nil.
result<std::optional<std::string>> text_or_none(result<reply>&& answer);
// Integer, at least 1: granted. Text: denied, and by whom it is held. `with_token`: the integer is
// the token.
result<acquire_answer> acquire(result<reply>&& answer, bool with_token);
// Status OK: true. Nil: false.
result<bool> was_set(const result<reply>& answer);

}  // namespace leaselab::redis_replies
