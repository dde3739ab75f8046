// How a call can end other than with its answer.
//
// A call is `ok` with its answer, `fail` (it definitely had no effect) or `info` (unknown: it may
// take effect now, later or never). An error is never read as "free", "lost" or "acquired".
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace leaselab {

enum class outcome : std::uint8_t { ok, fail, info };

enum class errc : std::uint8_t {
  invalid_argument,    // refused before anything was sent
  closed,              // the provider was closed
  timed_out,           // the call limit passed
  connection_refused,  // nothing was sent
  connection_lost,     // the reply will never come
  loading,             // the backend refused: LOADING
  read_only,           // READONLY
  out_of_memory,       // OOM
  busy,                // BUSY
  redirected,          // MOVED, ASK, CROSSSLOT
  backend_error,       // any other error reply
  protocol,            // an answer that is no answer to the command
};

std::string_view to_string(outcome value);
std::string_view to_string(errc value);

struct lease_error {
  outcome kind = outcome::info;  // fail or info, never ok
  errc code = errc::backend_error;
  std::string text;  // for people; empty where `code` says it all
};

inline lease_error definite(errc code, std::string text = {}) {
  return {outcome::fail, code, std::move(text)};
}
inline lease_error unknown(errc code, std::string text = {}) {
  return {outcome::info, code, std::move(text)};
}

// Thrown only where a result is read without having been looked at: a defect of the caller.
[[noreturn]] void throw_exception_from_error(const lease_error& error,
                                             const boost::source_location&);

// The host of a provider from elsewhere cannot go on: its child is gone or breaks the protocol.
// That is no answer of the provider and no verdict on it; whoever runs it stops with the text, one
// line.
class host_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class T>
using result = boost::system::result<T, lease_error>;

}  // namespace leaselab
