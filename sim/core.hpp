// What the parts of a world share. Each part is a file: instruments, trips (the network), nemesis,
// and under workload/ calls, client and resource; `world` puts them together and turns the wheel.
#pragma once

#include <boost/asio/execution_context.hpp>
#include <exception>
#include <memory>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/deployment.hpp"
#include "sim/instruments.hpp"
#include "sim/nemesis.hpp"
#include "sim/process.hpp"
#include "sim/recorder.hpp"
#include "sim/redis/engine.hpp"
#include "sim/trips.hpp"
#include "sim/waiters.hpp"
#include "sim/workload/calls.hpp"
#include "sim/workload/client.hpp"
#include "sim/workload/client_kit.hpp"
#include "sim/workload/offers.hpp"
#include "sim/workload/resource.hpp"
#include "sim/workload/runtime.hpp"

namespace leaselab::sim {

struct core final : granule_clock {
  core(const variant& value, std::unique_ptr<redis::engine> redis);
  ~core() override;

  std::int64_t now_granules() const override { return record.granule(now); }
  std::int64_t reading(const process_slot& process) const {
    return record.run.monotonic[process.id].read(now);
  }
  event& note(event_kind kind, const process_slot* process = nullptr);
  process_slot& process_of(const call_record& call) { return *processes[call.process]; }

  // Puts an event on the agenda, parked where a pause, a partition or a dead backend holds it up.
  pending& post(pending event);
  // A timer of `process`, due at a reading of its monotonic clock.
  pending& post_timer(process_slot& process, label event, std::uint32_t index, std::int64_t due);
  void aim_timer(pending& timer) const;
  void aim_timers_of(process_id process);
  // `process` is addressed by nothing any more. `kept`: its runtime finds its state again.
  void crash(process_slot& process, bool kept);
  void start(process_slot& process);

  // Resumes a coroutine as part of the present event, on behalf of `call`.
  template <class Handler, class... Arguments>
  void resume(std::optional<Handler>& handler, call_index call, Arguments&&... arguments) {
    auto taken = std::move(*handler);
    handler.reset();
    current = call;
    std::move(taken)(std::forward<Arguments>(arguments)...);
    ready.drain();
    current = no_call;
  }

  const variant& kind;
  std::unique_ptr<redis::engine> engine;
  boost::asio::execution_context context;
  ready_queue ready;
  std::exception_ptr failure;  // host_failed: the world cannot go on
  recorder record;
  agenda events;
  instruments watch{*this};
  trips network{*this};
  waiters waiting{*this};
  nemesis faults{*this};
  calls workload{*this};
  // What a variant's kit may bring in the place of the correct one.
  const client_kit& kit = kit_of(kind);
  const std::unique_ptr<client> own_client = kit.make_client(*this);
  const std::unique_ptr<resource> own_resource = kit.make_resource(*this);
  const std::unique_ptr<signals_runtime> own_runtime = kit.make_runtime(*this);
  const std::unique_ptr<offers> own_offers = kit.make_offers(*this);
  client& clients = *own_client;
  resource& work = *own_resource;
  signals_runtime& runtimes = *own_runtime;
  offers& published = *own_offers;
  std::vector<std::unique_ptr<process_slot>> processes;  // the plan's, then the contender
  std::unique_ptr<deployment> backend;

  const struct plan* plan = nullptr;
  true_time now = 0;
  call_index current = no_call;      // whose code runs
  std::shared_ptr<const bool> line;  // that the next trip takes; true: it has been hung up
  bool quiet = false;
  std::uint64_t draws = 0;  // of the processes' random sources
  bool fallback = false;
  bool lacking = false;
};

}  // namespace leaselab::sim
