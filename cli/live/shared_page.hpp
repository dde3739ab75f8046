// The memory that the parent shares with its workers: their clocks, who holds what, and when to
// end. A file without a name, so that nothing of it is left whatever happens.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "cli/live/clock_table.hpp"
#include "providers/process_clock.hpp"

namespace leaselab::cli::live {

inline constexpr int most_workers = 64;
inline constexpr std::size_t most_segments = 4096;

struct worker_slot {
  // Pieces are only ever added, so a reader needs no lock: those below `pieces` stand.
  std::atomic<std::uint32_t> pieces;
  std::array<clock_segment, most_segments> clock;
  std::atomic<std::uint64_t> holding;  // a bit a key

  std::span<const clock_segment> segments() const {
    return {clock.data(), pieces.load(std::memory_order_acquire)};
  }
};

struct shared_state {
  std::atomic<bool> ending;
  std::array<worker_slot, most_workers> workers;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

class shared_page {
 public:
  shared_page();                   // the parent's: new, every clock true
  explicit shared_page(int file);  // a worker's: takes over the descriptor
  ~shared_page();
  shared_page(const shared_page&) = delete;
  shared_page& operator=(const shared_page&) = delete;

  int file() const { return file_; }
  shared_state& state() { return *state_; }

  // From a moment on that lies just ahead, so that worker and oracle read the same clock. False:
  // the table is full.
  bool set_rate(int worker, std::int64_t rate_ppm);

 private:
  void map();

  int file_ = -1;
  shared_state* state_ = nullptr;
};

// The clock of a worker: what the page says.
class page_clock final : public process_clock {
 public:
  explicit page_clock(const worker_slot& slot) : slot_(slot) {}

  monotonic_time now() const override { return monotonic_time(nanoseconds(reading(true_now()))); }
  wall_time wall_now() const override { return wall_time(now().time_since_epoch()); }
  nanoseconds real_wait(monotonic_time due) const override;
  std::int64_t reading(std::int64_t true_ns) const { return reading_at(slot_.segments(), true_ns); }

 private:
  const worker_slot& slot_;
};

}  // namespace leaselab::cli::live
