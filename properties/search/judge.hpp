// Judges runs by a set of properties; one judge a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/timeline.hpp"
#include "sim/world.hpp"

namespace leaselab::properties {

// A bit for each property of a judge.
using property_set = std::uint64_t;

class judge {
 public:
  // In the order of all_properties(), whatever the order of `ids`. Throws std::invalid_argument
  // for an id that there is none of.
  explicit judge(const std::vector<std::string>& ids);

  std::size_t size() const { return properties_.size(); }
  const property& at(std::size_t index) const { return *properties_[index]; }
  std::size_t index_of(std::string_view id) const;  // size(): not one of them

  struct sentence {
    property_set violated = 0;
    property_set unknown = 0;
    property_set not_applicable = 0;
  };
  // Judges the last run of `world`, which ran `plan`, by the properties in `wanted`.
  sentence look(const sim::world& world, const sim::run_record& run, const sim::plan& plan,
                const guarantees& declared, property_set wanted, bool explain = false);
  // Of the last look, in the order of the properties.
  const std::vector<violation>& found() const { return found_; }

 private:
  std::vector<std::unique_ptr<property>> properties_;
  timeline timeline_;
  std::vector<violation> found_;
};

}  // namespace leaselab::properties
