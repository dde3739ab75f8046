#include "cli/live/run.hpp"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <map>
#include <memory>
#include <thread>

#include "cli/live/server_clock.hpp"
#include "cli/live/shared_page.hpp"
#include "cli/live/worker_process.hpp"

namespace leaselab::cli::live {
namespace {

constexpr milliseconds tick(2);

std::int64_t wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

class live_run {
 public:
  live_run(const setup& of, const std::vector<planned_fault>& plan, server_side& server,
           const std::filesystem::path& folder, const std::atomic<bool>& stop)
      : of_(of), plan_(plan), server_(server), folder_(folder), stop_(stop) {
    workers_.resize(static_cast<std::size_t>(of.processes));
  }

  run_books go() {
    books_.begin = true_now();
    for (int worker = 0; worker < of_.processes; ++worker) start_worker(worker);
    while (!over()) {
      begin_faults();
      end_faults();
      look_after_workers();
      watch_clock();
      std::this_thread::sleep_for(tick);
    }
    books_.interrupted = stop_;
    wind_up();
    for (int i = 0; i < of_.processes; ++i) {
      const auto pieces = slot(i).segments();
      books_.clocks.emplace_back(pieces.begin(), pieces.end());
    }
    books_.clock_spread_ns = clock_.spread();
    return std::move(books_);
  }

 private:
  struct child {
    std::unique_ptr<worker_process> process;
    int incarnations = 0;
    std::size_t record = 0;  // in books_.incarnations
  };
  enum class remedy { new_worker, go_on, start_server, thaw, cut };
  struct repair {
    remedy what;
    int worker = 0;
    int incarnation = 0;  // go_on is for this one alone
  };

  std::int64_t elapsed() const { return true_now() - books_.begin; }
  worker_slot& slot(int worker) { return page_.state().workers[static_cast<std::size_t>(worker)]; }
  child& of_worker(int worker) { return workers_[static_cast<std::size_t>(worker)]; }

  bool over() {
    if (server_.gone()) {
      books_.child_lost = true;
      surprise("the server ended by itself");
      return true;
    }
    return stop_ || elapsed() >= of_.duration;
  }

  void note(const std::string& members) {
    books_.events.push_back(fmt::format(R"({{"at_ns":{},{}}})"
                                        "\n",
                                        elapsed(), members));
  }
  void surprise(const std::string& what) {
    books_.surprises.push_back(
        fmt::format("{} at {:.3f} s", what, static_cast<double>(elapsed()) / 1e9));
    note(fmt::format(R"("surprise":"{}")", what));
  }

  // --- workers ---

  worker_config config_of(int worker) {
    worker_config config;
    config.url = server_.url();
    config.prefix = server_.prefix();
    config.provider = of_.provider;
    config.client = sim::to_string(of_.client);
    config.folder = folder_.string();
    config.worker = worker;
    config.incarnation = of_worker(worker).incarnations;
    config.keys = of_.keys;
    config.ttl_ms = of_.ttl_ms;
    config.margin_ppm = of_.margin_ppm;
    config.seed = of_.seed;
    return config;
  }

  void start_worker(int worker) {
    child& here = of_worker(worker);
    const auto config = config_of(worker);
    here.record = books_.incarnations.size();
    books_.incarnations.push_back({worker, config.name(), true_now(), {}, {}});
    here.process = std::make_unique<worker_process>(config, page_.file());
    ++here.incarnations;
    note(fmt::format(R"("start":"{}","pid":{})", config.name(), here.process->id()));
  }

  const std::string& name_of(int worker) {
    return books_.incarnations[of_worker(worker).record].name;
  }

  void kill_worker(int worker) {
    child& here = of_worker(worker);
    auto& record = books_.incarnations[here.record];
    record.killed_from = true_now();
    here.process->kill_hard();
    record.killed_by = true_now();
    slot(worker).holding = 0;
  }

  // One that ended unplanned is replaced, and told of.
  void look_after_workers() {
    for (int worker = 0; worker < of_.processes; ++worker) {
      child& here = of_worker(worker);
      const auto how = here.process->ended();
      if (!how) continue;
      surprise(fmt::format("{} ended unplanned ({})", name_of(worker), *how));
      auto& record = books_.incarnations[here.record];
      // When it was, nobody saw: what it is known to have done lies before.
      record.killed_from = record.started;
      record.killed_by = true_now();
      if (!here.process->was_killed()) books_.child_lost = true;
      slot(worker).holding = 0;
      if (here.incarnations < 1000) start_worker(worker);
    }
  }

  // --- faults ---

  void begin_faults() {
    while (next_ < plan_.size() && plan_[next_].at <= elapsed()) begin(plan_[next_++]);
    // A freeze waits for a holder, as long as its length.
    std::erase_if(waiting_, [&](const planned_fault& fault) {
      return freeze_holder(fault) || elapsed() > fault.at + fault.length;
    });
  }

  void begin(const planned_fault& fault) {
    const int worker = target_of(fault);
    switch (fault.what) {
      case fault_kind::kill:
        return begin_kill(worker, fault.length);
      case fault_kind::stop:
        if (!of_worker(worker).process->alive()) return;
        note(fmt::format(R"("stop":"{}")", name_of(worker)));
        of_worker(worker).process->stop();
        return later(fault.length, {remedy::go_on, worker, of_worker(worker).incarnations});
      case fault_kind::clock:
        note(fmt::format(R"("clock":"w{}","rate_ppm":{})", worker, fault.rate_ppm));
        if (frozen_.count(worker) == 0) page_.set_rate(worker, fault.rate_ppm);
        return;
      case fault_kind::cut:
        return begin_cut(worker, fault.length);
      case fault_kind::restart:
        if (server_.down()) return;
        note(R"("server":"killed")");
        server_.kill_hard();
        return later(fault.length, {remedy::start_server});
      case fault_kind::freeze:
        waiting_.push_back(fault);
    }
  }

  int target_of(const planned_fault& fault) {
    if (fault.key < 0 || fault.what == fault_kind::freeze) return fault.worker;
    for (int worker = 0; worker < of_.processes; ++worker) {
      if (holds(worker, fault.key)) return worker;
    }
    return fault.worker;
  }
  bool holds(int worker, int key) { return (slot(worker).holding >> key & 1) != 0; }

  void begin_kill(int worker, sim::true_duration down) {
    if (!of_worker(worker).process->alive()) return;
    note(fmt::format(R"("kill":"{}")", name_of(worker)));
    kill_worker(worker);
    later(down, {remedy::new_worker, worker});
  }

  // On a server of others nobody's writes are held.
  void begin_cut(int worker, sim::true_duration hold) {
    if (server_.down()) return;
    if (!of_.own_server()) return cut(worker);
    server_.hold_writes(milliseconds(hold / sim::ns_per_ms + 200));
    later(hold, {remedy::cut, worker});
  }
  void cut(int worker) {
    if (server_.down()) return;
    const int count = server_.cut(server_.prefix() + "." + name_of(worker));
    if (of_.own_server()) server_.let_writes_go();
    note(fmt::format(R"("cut":"{}","connections":{})", name_of(worker), count));
  }

  bool freeze_holder(const planned_fault& fault) {
    for (int worker = 0; worker < of_.processes; ++worker) {
      if (!holds(worker, fault.key) || frozen_.count(worker) > 0) continue;
      note(fmt::format(R"("freeze":"{}","key":"k{}")", name_of(worker), fault.key));
      page_.set_rate(worker, 0);
      frozen_[worker] = true;
      later(fault.length, {remedy::thaw, worker});
      return true;
    }
    return false;
  }

  void later(sim::true_duration length, repair what) { repairs_.emplace(elapsed() + length, what); }

  void end_faults() {
    while (!repairs_.empty() && repairs_.begin()->first <= elapsed()) {
      const repair due = repairs_.begin()->second;
      repairs_.erase(repairs_.begin());
      end(due);
    }
  }

  void end(const repair& due) {
    child& here = of_worker(due.worker);
    switch (due.what) {
      case remedy::new_worker:
        return start_worker(due.worker);
      case remedy::go_on:
        if (here.incarnations != due.incarnation || !here.process->alive()) return;
        note(fmt::format(R"("go_on":"{}")", name_of(due.worker)));
        return here.process->go_on();
      case remedy::start_server:
        server_.start();
        return note(R"("server":"started")");
      case remedy::cut:
        return cut(due.worker);
      case remedy::thaw:
        note(fmt::format(R"("thaw":"w{}")", due.worker));
        frozen_.erase(due.worker);
        page_.set_rate(due.worker, 1'000'000);
    }
  }

  // --- the server's clock ---

  void watch_clock() {
    if (elapsed() < next_look_) return;
    next_look_ = elapsed() + 200'000'000;
    if (of_.own_server()) {
      const auto before = true_now();
      const auto reading = wall_ns();
      return clock_.saw(reading, before, true_now());
    }
    const auto before = true_now();
    const auto reading = server_.time_us();
    // It counts whole microseconds.
    if (reading != 0) clock_.saw(reading * 1000, before - 1000, true_now());
  }

  // --- the end ---

  // Everything that is broken is mended, so that the workers can give up what they hold; those
  // that do not end in time are killed.
  void wind_up() {
    for (const auto& [at, due] : repairs_) {
      if (due.what == remedy::go_on || due.what == remedy::thaw) end(due);
      if (due.what == remedy::cut && !server_.down()) server_.let_writes_go();
      if (due.what == remedy::start_server && !stop_) end(due);
    }
    page_.state().ending = true;
    const auto patience = true_now() + 4 * of_.ttl();
    while (any_alive() && true_now() < patience && !server_.down()) {
      for (auto& one : workers_) one.process->ended();
      std::this_thread::sleep_for(tick);
    }
    for (int worker = 0; worker < of_.processes; ++worker) {
      if (!of_worker(worker).process->alive()) continue;
      note(fmt::format(R"("kill":"{}","why":"the end")", name_of(worker)));
      kill_worker(worker);
    }
    watch_clock();
  }

  bool any_alive() const {
    for (const auto& one : workers_) {
      if (one.process->alive()) return true;
    }
    return false;
  }

  const setup& of_;
  const std::vector<planned_fault>& plan_;
  server_side& server_;
  const std::filesystem::path folder_;
  const std::atomic<bool>& stop_;
  shared_page page_;
  std::vector<child> workers_;
  std::size_t next_ = 0;                // in plan_
  std::vector<planned_fault> waiting_;  // freezes without a holder yet
  std::multimap<std::int64_t, repair> repairs_;
  std::map<int, bool> frozen_;  // workers
  server_clock clock_;
  std::int64_t next_look_ = 0;
  run_books books_;
};

}  // namespace

run_books run(const setup& of, const std::vector<planned_fault>& plan, server_side& server,
              const std::filesystem::path& folder, const std::atomic<bool>& stop) {
  return live_run(of, plan, server, folder, stop).go();
}

}  // namespace leaselab::cli::live
