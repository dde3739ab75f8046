// Choosers around another one: one that aims at deadlines, one that replays the beginning of a run
// and leaves the rest to the other.
#pragma once

#include <memory>
#include <vector>

#include "properties/search/choosers.hpp"

namespace leaselab::properties {

// Leaves the event to the other chooser and the instant too, one time in four. Otherwise the event
// runs just before, on or just after a deadline, where its window has one.
class aiming_chooser final : public drawing_chooser {
 public:
  aiming_chooser(std::unique_ptr<sim::chooser> inner, std::uint64_t seed)
      : drawing_chooser(seed), inner_(std::move(inner)) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  std::unique_ptr<sim::chooser> inner_;
};

// Takes the first `prefix` decisions of the plan, which must be those of a run of that plan.
class prefix_chooser final : public sim::chooser {
 public:
  prefix_chooser(std::unique_ptr<sim::chooser> rest, std::size_t prefix)
      : rest_(std::move(rest)), prefix_(prefix) {}
  void begin(const sim::plan& value) override;
  sim::choice choose(const sim::moment& now) override;

 private:
  std::unique_ptr<sim::chooser> rest_;
  std::size_t prefix_;
  std::vector<sim::decision> first_;
  std::size_t taken_ = 0;
};

}  // namespace leaselab::properties
