// The choosers behind the strategies' names. A chooser starts every run from its own seed and the
// plan's, and draws each number in a statement of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/choice.hpp"
#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace leaselab::properties {

// Where in its window an event runs. Instants worth trying are its ends and what lies around
// deadlines; `mixed` takes one of these half the time and any instant otherwise.
enum class instant_bias : std::uint8_t { mixed, early, late };

class drawing_chooser : public sim::chooser {
 public:
  explicit drawing_chooser(std::uint64_t seed) : seed_(seed) {}
  void begin(const sim::plan& value) override;

 protected:
  sim::true_time draw_instant(const sim::moment& now, sim::true_time earliest, instant_bias bias);

  sim::random_source random_;

 private:
  std::uint64_t seed_;
};

class random_chooser final : public drawing_chooser {
 public:
  random_chooser(std::uint64_t seed, instant_bias bias) : drawing_chooser(seed), bias_(bias) {}
  sim::choice choose(const sim::moment& now) override;

 private:
  instant_bias bias_;
};

// What PCT takes for a thread: a call, a fault, an errand of a runtime.
std::uint64_t thread_of(const sim::label& event);
// Among how many steps PCT draws those at which it changes a priority.
std::uint32_t pct_length(const sim::plan& value);

// PCT (Burckhardt et al., ASPLOS 2010), with a call in the part of a thread: each has a random
// priority, the highest runs, and at the i-th of depth-1 random steps the one that runs falls to
// priority i, below all that has not fallen. The i-th drawn is not the i-th in time: of two that
// fell, either may be the lower.
class pct_chooser final : public drawing_chooser {
 public:
  pct_chooser(std::uint64_t seed, unsigned depth) : drawing_chooser(seed), depth_(depth) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  std::uint64_t priority_of(const sim::label& event) const;

  unsigned depth_;
  std::uint64_t salt_ = 0;
  std::uint32_t steps_ = 0;
  std::vector<std::uint32_t> changes_;  // steps
  struct fallen {
    std::uint64_t thread;
    std::uint64_t priority;
  };
  std::vector<fallen> fallen_;  // in time
  instant_bias bias_ = instant_bias::mixed;
};

// POS (Yuan, Yang and Gu, CAV 2018): each event has a random priority, the highest runs, and what
// races with it, here the other requests to the backend, gets a new one.
class pos_chooser final : public drawing_chooser {
 public:
  explicit pos_chooser(std::uint64_t seed) : drawing_chooser(seed) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  std::uint64_t salt_ = 0;
  std::uint64_t races_ = 0;
};

// A uniform random walk over interleavings rather than over steps (Zhao, Wolff, Mathur and
// Roychoudhury, ASPLOS 2025): a process moves with a probability in proportion to what it has left
// to do. How much that is, is guessed from its calls.
class urw_chooser final : public drawing_chooser {
 public:
  explicit urw_chooser(std::uint64_t seed) : drawing_chooser(seed) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  std::uint64_t weight_of(const sim::candidate& one) const;

  std::vector<std::uint64_t> left_;  // events, by process
};

// One process is always the last to move.
class starve_chooser final : public drawing_chooser {
 public:
  explicit starve_chooser(std::uint64_t seed) : drawing_chooser(seed) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  sim::process_id starved_ = 0;
};

class in_order_chooser final : public sim::chooser {
 public:
  void begin(const sim::plan&) override {}
  sim::choice choose(const sim::moment& now) override;
};

class portfolio_chooser final : public sim::chooser {
 public:
  explicit portfolio_chooser(std::uint64_t seed);
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override { return current_->choose(now); }

 private:
  std::vector<std::unique_ptr<sim::chooser>> members_;
  sim::chooser* current_;
};

// Takes each event that has a decision in the plan in the order of the decisions and as near its
// instant as its window allows. An event without one waits as long as it may: on the plan that the
// decisions were recorded with, this is then that very run, down to what was still pending when it
// ended.
class replay_chooser final : public sim::chooser {
 public:
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  struct entry {
    sim::label event;
    std::uint32_t place;
    sim::true_time at;
  };
  const entry* find(const sim::label& event) const;

  std::vector<entry> entries_;  // sorted by label
};

}  // namespace leaselab::properties
