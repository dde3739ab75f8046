#include "sim/world.hpp"

#include <algorithm>
#include <utility>

#include "sim/core.hpp"

namespace leaselab::sim {

class world::state {
 public:
  state(const variant& kind, std::unique_ptr<redis::engine> engine)
      : core_(kind, std::move(engine)) {}

  const run_record& run(const plan& value, chooser& choices) {
    begin(value);
    choices.begin(value);
    turn(choices);
    finish();
    return core_.record.run;
  }

  core core_;
  std::vector<decision> decisions_;

 private:
  void begin(const plan& value);
  void begin_processes(const plan& value);
  void turn(chooser& choices);
  bool asks_without_end();
  bool nothing_left() const;
  bool phase_ended();
  bool drained() const;
  void go_quiet();
  void happen(const pending& event);
  [[noreturn]] void give_up();
  void finish();

  true_time quiet_until_ = never;
  true_time instant_ = 0;         // of the last event
  std::size_t calls_before_ = 0;  // made before that instant
};

void world::state::begin(const plan& value) {
  core_.plan = &value;
  core_.now = 0;
  core_.current = no_call;
  core_.quiet = core_.fallback = core_.lacking = false;
  core_.draws = 0;
  quiet_until_ = never;
  instant_ = 0;
  calls_before_ = 0;
  decisions_.clear();
  core_.events.clear();
  core_.record.begin(value);
  core_.network.begin();
  core_.waiting.begin();
  if (core_.engine) core_.engine->reset(core_.now_granules());
  core_.backend->reset(value);
  core_.watch.begin();
  begin_processes(value);
  core_.clients.begin();
  core_.work.begin();
  core_.faults.begin();
  core_.workload.begin();
  core_.published.begin();
  core_.runtimes.begin();
  if (value.bounds.safety > 0) {
    pending end;
    end.event.what = event_label::quiet;
    end.earliest = end.latest = value.bounds.safety;
    core_.post(end);
  }
}

void world::state::begin_processes(const plan& value) {
  auto& run = core_.record.run;
  run.processes.emplace_back("contender");
  run.monotonic.resize(run.processes.size());
  while (core_.processes.size() > run.processes.size()) core_.processes.pop_back();
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    if (i == core_.processes.size()) {
      auto& added = core_.processes.emplace_back(std::make_unique<process_slot>());
      added->id = static_cast<process_id>(i);
      added->where = {&core_.context, &core_.ready, false};
      added->environment = std::make_unique<environment_sim>(core_, added->id);
    }
    process_slot& process = *core_.processes[i];
    const process_spec spec = i < value.processes.size() ? value.processes[i] : process_spec{};
    process.incarnation = 0;
    process.calls_made = 0;
    process.pauses = process.standing = 0;
    process.late_by = process.connected_at = 0;
    process.rate_ppb = spec.rate_ppb;
    process.wall.reset(spec.wall_offset, spec.rate_ppb);
    run.monotonic[i].reset(0, spec.rate_ppb);
    process.tokens.clear();
    process.interrupted.clear();
    if (i < value.processes.size()) core_.start(process);
  }
}

void world::state::turn(chooser& choices) {
  const std::uint32_t most = core_.plan->bounds.step_limit;
  moment look;
  while (!phase_ended()) {
    if (!core_.events.look(core_.now, look)) {
      if (core_.quiet || core_.plan->bounds.quiet <= 0) return;
      go_quiet();
      continue;
    }
    if (decisions_.size() == most) {
      core_.record.run.step_limit_reached = true;
      return;
    }
    look.deadlines = {};
    if (look.limit > core_.now) look.deadlines = core_.watch.deadlines();
    const choice made = choices.choose(look);
    core_.now = std::clamp(made.at, look.candidates[made.index].earliest, look.limit);
    const pending event = core_.events.take(made.index);
    decisions_.push_back({event.event, core_.now});
    happen(event);
    core_.workload.run_made();
    core_.runtimes.close_idle();
    if (core_.failure) give_up();
    if (asks_without_end()) {
      core_.record.run.step_limit_reached = true;
      return;
    }
  }
}

// Told that it holds the key itself, a runtime hands over to itself, is refused, and asks again:
// where nothing takes time, for ever at one instant (a livelock). A call of the plan is made once
// at an instant, a signal is asked for, offered and handed over a few times; far more than that
// comes to no end, and what follows would be the same again up to the step limit.
bool world::state::asks_without_end() {
  const auto made = core_.record.run.calls.size();
  if (std::exchange(instant_, core_.now) != core_.now) calls_before_ = made;
  const plan& value = *core_.plan;
  const auto most = 100 + 10 * value.signals.size() + value.calls.size() + value.keys.size();
  return made - calls_before_ > most;
}

// Faults that are still to come, or to end, wait for nobody.
bool world::state::nothing_left() const {
  for (const pending& event : const_cast<core&>(core_).events.events()) {
    const event_label what = event.event.what;
    if (what != event_label::begin && what != event_label::heal && what != event_label::quiet)
      return false;
  }
  return true;
}

bool world::state::drained() const {
  return core_.workload.quiet_is_over() && core_.runtimes.drained();
}

bool world::state::phase_ended() {
  if (core_.quiet) {
    if (core_.runtimes.drained()) core_.workload.contend();
    return core_.now >= quiet_until_ || drained();
  }
  if (core_.plan->bounds.safety > 0 || !nothing_left()) return false;
  if (core_.plan->bounds.quiet <= 0) return true;
  go_quiet();
  return false;
}

void world::state::go_quiet() {
  const bounds& bounds = core_.plan->bounds;
  core_.note(event_kind::quiet);
  core_.quiet = true;
  quiet_until_ = core_.now + bounds.quiet;
  core_.faults.heal_all();
  for (pending& event : core_.events.events()) {
    const event_label what = event.event.what;
    if (what != event_label::request && what != event_label::reply && what != event_label::copy &&
        what != event_label::publish && what != event_label::deliver &&
        what != event_label::landing)
      continue;
    event.parked = 0;  // what was held up lands within D
    event.earliest = std::clamp(event.earliest, core_.now, core_.now + bounds.delay_max);
    event.latest = core_.now + bounds.delay_max;
  }
  pending end;
  end.event.what = event_label::quiet;
  end.event.repetition = 1;
  end.earliest = end.latest = quiet_until_;
  core_.post(end);
  core_.start(*core_.processes.back());
  core_.workload.go_quiet();
  core_.runtimes.go_quiet();
}

void world::state::happen(const pending& event) {
  switch (event.event.what) {
    case event_label::start:
      return core_.workload.start(event);
    case event_label::request:
    case event_label::copy:
      return core_.network.land(event);
    case event_label::reply:
      return core_.network.answer(event);
    case event_label::step:
      return core_.network.make_step(event);
    case event_label::wake:
      return core_.network.wake(event);
    case event_label::unblock:
      return core_.waiting.run_out(event);
    case event_label::limit:
      return core_.network.give_up(event);
    case event_label::work:
      return core_.work.next_step(event);
    case event_label::landing:
      return core_.work.land(event);
    case event_label::signal:
      return core_.runtimes.arrive(event);
    case event_label::publish:
      return core_.published.forward(event);
    case event_label::deliver:
      return core_.published.deliver(event);
    case event_label::timer:
      return core_.runtimes.wake(event);
    case event_label::begin:
      return core_.faults.strike(event);
    case event_label::heal:
      return core_.faults.heal(event);
    case event_label::restart:
      return core_.faults.restart(event);
    case event_label::quiet:
      if (!core_.quiet && core_.plan->bounds.quiet > 0) return go_quiet();
      return core_.events.clear();
  }
}

void world::state::give_up() {
  finish();
  std::rethrow_exception(std::exchange(core_.failure, nullptr));
}

void world::state::finish() {
  for (auto& process : core_.processes) {
    process->where.cut = true;
    core_.network.abandon(process->id);
    std::erase_if(process->workers, [](const auto& worker) { return !worker->idle; });
    process->where.cut = false;
    process->up = false;
  }
  const std::uint64_t last_draw = core_.processes.front()->environment->random();
  core_.record.finish(core_.now, last_draw);
}

world::world(const variant& deployed, std::unique_ptr<redis::engine> engine)
    : state_(std::make_unique<state>(deployed, std::move(engine))) {}
world::~world() = default;

const run_record& world::run(const plan& value, chooser& choices) {
  return state_->run(value, choices);
}
const run_record& world::record() const { return state_->core_.record.run; }
const std::vector<decision>& world::decisions() const { return state_->decisions_; }
bool world::fallback_selected() const {
  return state_->core_.fallback || state_->core_.backend->fell_back();
}
bool world::lacks_operations() const { return state_->core_.lacking; }

}  // namespace leaselab::sim
