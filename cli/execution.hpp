// One plan in one world, judged by every property: what replay, run and the reports share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "properties/search/check.hpp"
#include "properties/search/judge.hpp"
#include "sim/choice.hpp"
#include "sim/trace.hpp"
#include "sim/world.hpp"

namespace leaselab::cli {

// What one property says of one run.
struct judgement {
  const properties::property* property = nullptr;
  properties::verdict verdict = properties::verdict::holds;
  std::string text;         // the first violation in one sentence
  std::uint32_t event = 0;  // and where it shows
  sim::call_index call = sim::no_call;
};

class execution {
 public:
  execution(const sim::variant& deployed, const properties::engine_factory& engine);

  // Runs and judges. What it returns is valid until the next run.
  const sim::run_record& run(const sim::plan& value, sim::chooser& choices);
  // The same, with the decisions that the plan holds.
  const sim::run_record& replay(const sim::plan& value);
  // The same, the earliest event first.
  const sim::run_record& run_in_order(const sim::plan& value);

  // Runs by `choices`, or by the plan's decisions where that is null, and judges one property
  // alone.
  properties::verdict try_out(const sim::plan& value, sim::chooser* choices,
                              const properties::property& judged);

  const std::vector<judgement>& judgements() const { return judgements_; }
  const std::vector<sim::decision>& decisions() const { return world_.decisions(); }
  const sim::world& world() const { return world_; }
  const sim::variant& deployed() const { return deployed_; }

  // The trace of the last run. `header` brings what is known besides; its plan's decisions must be
  // those of the run.
  sim::trace trace(sim::trace_header header) const;

 private:
  void judge(const sim::plan& value);

  const sim::variant& deployed_;
  sim::world world_;
  std::unique_ptr<sim::chooser> replay_, in_order_;
  const sim::run_record* run_ = nullptr;
  properties::judge judge_;
  std::vector<judgement> judgements_;
};

}  // namespace leaselab::cli
