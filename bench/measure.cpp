#include "bench/measure.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "bench/fleet.hpp"

namespace leaselab::bench {
namespace {

double in_seconds(steady::duration length) { return std::chrono::duration<double>(length).count(); }

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Slices of one kind, which may differ in length.
struct tally {
  double calls = 0, seconds = 0;
  bool missing = false;

  void add(double rate, double for_seconds) {
    missing = missing || rate <= 0;
    calls += rate * for_seconds;
    seconds += for_seconds;
  }
  double rate() const { return missing || seconds <= 0 ? 0 : calls / seconds; }
};

class repetition {
 public:
  repetition(const row& which, server* on, steady::duration slice)
      : row_(which), server_(on), slice_(slice), fleet_(which, on) {
    note_complaint(fleet_.run(slice / 10));  // connects, warms up
  }

  bool goes_on() const { return complaint_.empty() && !stopping(); }

  void ours() {
    const double cpu_before = cpu_seconds();
    const batch got = fleet_.run(slice_);
    cpu_ += cpu_seconds() - cpu_before;
    ours_.calls += got.calls();
    ours_.seconds += got.seconds();
    latencies_.add(got.latencies());
    note_complaint(got);
  }

  void yardsticks() {
    const load& wanted = row_.wanted;
    const double seconds = in_seconds(slice_);
    if (row_.live() && has_command(wanted.operation)) {
      // A yardstick's own time, so that a slow one weighs no more than a slow slice of ours.
      const double calls = ours_.rate() * seconds;
      const double rate = redis_benchmark_rate(*server_, wanted, calls);
      redis_benchmark_.add(rate, rate > 0 ? calls / rate : 0);
      if (wanted.clients == 1 && wanted.depth == 1) {
        hiredis_.add(hiredis_rate(*server_, wanted, slice_), seconds);
      }
    }
    if (row_.provider == "memory") {
      mutex_map_.add(mutex_map_rate(wanted.operation, slice_ / 4), seconds);
    }
  }

  measurement result() const {
    measurement found;
    found.complaint = stopping() ? "interrupted" : complaint_;
    found.calls_per_second = ours_.rate();
    found.cpu_us = cpu_ * 1e6 / std::max(ours_.calls, 1.0);
    found.p50_us = latencies_.quantile_us(0.5);
    found.p90_us = latencies_.quantile_us(0.9);
    found.p99_us = latencies_.quantile_us(0.99);
    found.p999_us = latencies_.quantile_us(0.999);
    found.redis_benchmark = redis_benchmark_.rate();
    found.hiredis = hiredis_.rate();
    found.mutex_map = mutex_map_.rate();
    return found;
  }

 private:
  void note_complaint(const batch& from) {
    if (complaint_.empty()) complaint_ = from.complaint();
  }

  const row& row_;
  server* const server_;
  const steady::duration slice_;
  fleet fleet_;
  tally ours_, redis_benchmark_, hiredis_, mutex_map_;
  double cpu_ = 0;
  latency_histogram latencies_;
  std::string complaint_;
};

}  // namespace

measurement measure(const row& which, server* on, steady::duration length) {
  const int slices = std::max(1, static_cast<int>(in_seconds(length) / 0.25 + 0.5));
  repetition all(which, on, length / slices);
  for (int i = 0; i < slices && all.goes_on(); ++i) {
    if (i % 2 == 0) all.ours();
    if (all.goes_on()) all.yardsticks();
    if (i % 2 == 1 && all.goes_on()) all.ours();
  }
  return all.result();
}

}  // namespace leaselab::bench
