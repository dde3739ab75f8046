// The events of a run as lines of a story, before it is made short. Internal to the story.
#pragma once

#include <optional>
#include <vector>

#include "cli/report/story.hpp"

namespace leaselab::cli {

struct beat {
  story_line line;
  int weight = 0;
  sim::call_index call = sim::no_call;
  sim::event_kind kind = sim::event_kind::end;
  sim::process_id process = sim::no_process;
  sim::owner_id owner = sim::nobody;
  sim::true_time last = 0;  // of what was merged into it
  int count = 1;
  bool answered = false;
};

std::vector<beat> story_beats(const sim::run_record& run, const sim::plan& value,
                              const guarantees& declared, const std::optional<story_point>& point);

}  // namespace leaselab::cli
