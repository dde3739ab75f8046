// Callers that make one operation again and again until the batch's time is up.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/latency_histogram.hpp"
#include "providers/lease_provider.hpp"

namespace leaselab::bench {

using steady = std::chrono::steady_clock;

// Longer than any batch, short enough that nothing stays behind on somebody's server.
inline constexpr milliseconds ttl{60'000};

enum class kind : std::uint8_t {
  acquire_release,
  reacquire,
  refused,
  renew,
  transfer,
  get,
  mix,
};
std::string_view to_string(kind value);

// Set by Ctrl-C and SIGTERM: whoever measures stops soon.
bool stopping();
void stop_on_signals();

// What the callers of one batch share.
class batch {
 public:
  // `judged`: the answers have to be those of a lease provider (noop's are not).
  batch(steady::duration length, bool judged)
      : began_(steady::now()), end_(began_ + length), judged_(judged) {}

  // One reading of the clock a call: the end of one is the beginning of the next.
  bool goes_on(steady::time_point now) const { return now < end_ && !stopping(); }
  steady::time_point note(steady::time_point began, bool as_expected) {
    const auto now = steady::now();
    latencies_.note(std::chrono::nanoseconds(now - began).count());
    if (!as_expected && judged_) ++unexpected_;
    return now;
  }
  void note_error(const lease_error& error);
  void stop() { ended_ = steady::now(); }

  double calls() const { return static_cast<double>(latencies_.total()); }
  double seconds() const { return std::chrono::duration<double>(ended_ - began_).count(); }
  const latency_histogram& latencies() const { return latencies_; }
  std::string complaint() const;  // empty: every call answered what it had to

 private:
  steady::time_point began_, end_, ended_{};
  bool judged_;
  latency_histogram latencies_;
  std::uint64_t unexpected_ = 0;
  std::string error_;
};

struct caller {
  any_lease_provider* provider = nullptr;
  std::string key, owner;
  std::uint64_t chance = 1;  // of the mix
};

// Whose lease must stand before a caller begins.
enum class wanted : std::uint8_t { none, own, stranger };
wanted lease_before(kind operation);
inline constexpr std::string_view stranger = "stranger/1/1";

// Callers of acquire_release and transfer have a key each; those of the mix share four; all others
// share one, as redis-benchmark's clients do.
caller make_caller(any_lease_provider& provider, kind operation, int number);

// Those that the caller will use.
std::vector<std::string> keys_of(kind operation, const caller& me);

awaitable<void> run_caller(kind operation, batch& on, caller me);

}  // namespace leaselab::bench
