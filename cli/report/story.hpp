// A run as a story of at most a dozen lines: who did what, when, by whose clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "providers/guarantees.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// What the story is about: the property that is violated and where it shows.
struct story_point {
  std::string property;
  std::string text;  // the violation in one sentence
  std::uint32_t event = 0;
  sim::call_index call = sim::no_call;
};

struct story_line {
  sim::true_time at = 0;
  std::string who;    // a process or the backend
  std::string local;  // its own clock then: "12.345" ms of a process, whole ms of the backend
  std::string text;
};

struct told_story {
  std::vector<story_line> lines;
  std::size_t left_out = 0;  // of less weight, told nowhere
  std::string ending;        // what is violated; empty: nothing is
};

inline constexpr std::size_t story_length = 12;

// At most `length` lines with the ending and, where something is left out, the line that says so.
told_story tell_story(const sim::run_record& run, const sim::plan& value,
                      const guarantees& declared, const std::optional<story_point>& point,
                      std::size_t length = story_length);

std::string story_text(const told_story& story);

// The reading of a process's monotonic clock, or of the backend's, at a true instant.
std::string local_words(const sim::run_record& run, std::optional<sim::process_id> process,
                        sim::true_time at);

}  // namespace leaselab::cli
