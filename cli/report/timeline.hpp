// A run as a picture: time runs down, a lane a process and one for the backend.
#pragma once

#include <string>

#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

// One <svg> element that stands on its own; colours follow the page's.
std::string timeline_svg(const sim::run_record& run, const sim::plan& value);

// What one event says, in a few words: "acquire K as A for 100 ms", "K: A until 100".
std::string event_phrase(const sim::run_record& run, const sim::plan& value, const sim::event& one);

}  // namespace leaselab::cli
