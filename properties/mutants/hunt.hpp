// Looks for a schedule that convicts one mutant: the schedules of a plain check, until a property
// fails that the fault breaks and that the unmutated base keeps in the same plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/mutants/mutants.hpp"
#include "properties/search/search.hpp"

namespace leaselab::properties {

struct kill {
  std::uint64_t schedules = 0;   // until then, this one included
  std::size_t property = 0;      // of the judge
  const campaign* of = nullptr;  // the hunter's: the profile
  std::uint64_t index = 0;       // of the schedule, within it
};

class hunter {
 public:
  // `asked`: seed, strategy, engine and stop flag.
  hunter(const mutant& of, const check_options& asked);

  // Nothing: it survives so many schedules, or was stopped. A kill is valid as long as the hunter.
  std::optional<kill> hunt(std::uint64_t schedules);
  // Shrinks it: the base keeps the property in each smaller plan, too.
  witness prove(const kill& found);
  // The schedules of the last hunt.
  std::uint64_t done() const { return done_; }

 private:
  void add_campaign(const profile& faults);
  std::optional<kill> look(const campaign& of, std::uint64_t index);
  property_set violated(const sim::variant& by, const sim::run_record& run, const sim::plan& plan,
                        property_set wanted);
  std::size_t foremost(property_set violated);

  const mutant& of_;
  const sim::variant& base_;
  check_options options_;
  bench bench_;
  std::vector<campaign> campaigns_;
  std::uint64_t done_ = 0;
};

}  // namespace leaselab::properties
