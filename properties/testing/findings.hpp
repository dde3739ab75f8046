// Known failures of clients that live on leases, each as what a search must find: which client, on
// what, under which faults, what breaks, and what in the record shows that it is this failure and
// no other one of the same property.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/directed.hpp"
#include "properties/search/search.hpp"

namespace leaselab::properties::testing {

struct finding {
  const char* name;  // of its file in scenarios/runtime/
  const char* client;
  const char* provider;
  const char* profile;
  const char* property;
  bool (*is_it)(const sim::run_record&, const sim::plan&, const violation&);
  std::uint64_t seed;
  std::uint64_t schedules;  // that a search with this seed needs
};

const std::vector<finding>& findings();

struct found {
  std::uint64_t index = 0;  // of the schedule
  std::size_t events_before = 0;
  sim::plan plan;  // shrunk, with its decisions
  std::optional<sim::plan> directed;
  std::string text;
};

// The first of `schedules` that shows it, shrunk. The shrunk plan is by the same client and shows
// the same.
std::optional<found> search_for(const finding& wanted, std::uint64_t seed, std::uint64_t schedules);

}  // namespace leaselab::properties::testing
