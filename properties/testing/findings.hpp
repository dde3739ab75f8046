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
  const char* id;
  const char* client;
  const char* provider;
  const char* profile;
  const char* property;
  bool (*is_it)(const sim::run_record&, const sim::plan&, const violation&);
  std::uint64_t seed = 1;
  std::uint64_t schedules = 0;  // within which the seed finds it
};

const std::vector<finding>& findings();

struct found {
  std::uint64_t index = 0;  // of the schedule
  std::size_t events_before = 0;
  sim::plan plan;  // shrunk, with its decisions
  std::optional<sim::plan> directed;
  std::string text;
};

// The first of `schedules` that shows it, shrunk in at most `budget` runs.
std::optional<found> search_for(const finding& wanted, std::uint64_t seed, std::uint64_t schedules,
                                std::uint32_t budget);

}  // namespace leaselab::properties::testing
