// Walks all runs of one plan, one after another: depth first over the choices, each run from its
// beginning, as far as they differ (stateless model checking).
//
// A run is a sequence of moves. A move is an event at the present instant, or time moving on to a
// relevant instant: before, on or after a deadline. Answers arrive at the instant they are given.
//
// With reduction, of all runs that differ only in the order of moves that commute one is walked:
//  - A start of a call is its process's own affair and commutes with whatever others do (a right
//    mover: Lipton, CACM 1975), so it is moved right until its call's first step, or until time
//    moves on. Its answer is a left mover. So calls overlap as little as the order of their steps
//    allows, which is where histories have the least excuse.
//  - Steps on different keys commute: sleep sets (Godefroid, Partial-Order Methods for the
//    Verification of Concurrent Systems, LNCS 1032, 1996). What a move touches is seen in the
//    record when it is made, not guessed.
//  - Of processes with the same program that have not begun, the first begins first.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/choice.hpp"
#include "sim/plan.hpp"
#include "sim/random.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {

// What a move touched. Two moves commute when they share nothing.
struct footprint {
  std::uint32_t processes = 0;
  std::uint64_t keys = 0;
  bool all = false;

  bool shares_with(const footprint& other) const {
    return all || other.all || (processes & other.processes) != 0 || (keys & other.keys) != 0;
  }
  bool operator==(const footprint&) const = default;
};

struct move {
  // `time`: the starts of `first` are made, then time moves on to `at`.
  enum class kind : std::uint8_t { event, time } what = kind::event;
  sim::label event;
  sim::true_time at = 0;
  std::uint32_t first = 0;  // a bit for each process whose call starts
  bool operator==(const move&) const = default;
};

// A point where runs part. Those before `taken` have been walked.
struct fork {
  std::vector<move> moves;
  std::uint32_t taken = 0;
  struct sleeper {
    sim::label event;
    footprint touched;
    bool operator==(const sleeper&) const = default;
  };
  std::vector<sleeper> asleep;
  std::vector<footprint> touched;  // by the moves that have been walked
  bool operator==(const fork&) const = default;
};

struct exploration {
  bool reduce = true;
  std::uint32_t time_moves = 2;         // in one run, at most
  std::vector<std::uint32_t> programs;  // by process; equal numbers: interchangeable
};

class explorer final : public sim::chooser {
 public:
  // Looks at what `world` records while it runs.
  explorer(const sim::world& world, exploration how) : world_(world), how_(std::move(how)) {}

  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

  // After a run: on to the next one. False: there is none.
  bool advance();
  // The last run was given up, since another one covers it; it is not to be judged.
  bool redundant() const { return redundant_; }

  // From now on each run is one drawn at random, whatever runs were made before. The source must
  // outlive this.
  void draw_from(sim::random_source& random) { random_ = &random; }
  // Of the last run drawn: the product of the numbers of moves at its forks.
  double ways() const { return ways_; }

  // Where the walk is, to go on from there.
  const std::vector<fork>& path() const { return path_; }
  void go_on_from(std::vector<fork> path) { path_ = std::move(path); }

 private:
  struct belief {
    sim::process_id process;
    sim::owner_id owner;
    sim::true_time deadline;
  };

  void look_back();
  void note_belief(const sim::event& one);
  sim::choice start_of(std::uint32_t processes, const sim::moment& now);
  sim::choice make(const move& taken, const sim::moment& now);
  const fork& next_fork(const sim::moment& now);
  void add_events(const sim::moment& now, fork& into) const;
  void add_times(const sim::moment& now, fork& into) const;
  std::vector<fork::sleeper> asleep() const;
  std::uint32_t startable(const sim::moment& now) const;
  bool in_turn(std::uint32_t starting) const;
  bool given_up(const belief& held, const sim::moment& now, std::uint32_t starting) const;
  std::vector<sim::true_time> instants(const sim::moment& now, std::uint32_t starting) const;

  const sim::world& world_;
  exploration how_;
  std::vector<fork> path_;
  sim::random_source* random_ = nullptr;
  double ways_ = 1;
  // Of the run under way.
  const sim::plan* plan_ = nullptr;
  std::size_t depth_ = 0;           // forks passed
  std::size_t seen_ = 0;            // events of the record
  std::vector<footprint> touched_;  // by fork
  std::vector<belief> beliefs_;
  std::uint32_t begun_ = 0;            // a bit for each process
  std::uint32_t starting_ = 0;         // before time moves on
  std::optional<sim::label> started_;  // the call whose first step goes with its start
  std::uint32_t times_moved_ = 0;
  sim::true_time starts_after_ = 0;       // those in `starting_`
  std::optional<sim::true_time> target_;  // time moves on to this with the next event
  sim::true_time present_ = 0;
  bool redundant_ = false;
};

}  // namespace leaselab::properties
