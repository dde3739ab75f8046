#include "cli/then_explore.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "cli/execution.hpp"
#include "cli/exit_status.hpp"
#include "cli/guaranteed.hpp"
#include "cli/output.hpp"
#include "cli/registry.hpp"
#include "cli/report/text.hpp"
#include "cli/traces.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "properties/search/strategy.hpp"
#include "properties/search/wrapping.hpp"
#include "sim/random.hpp"

namespace leaselab::cli {
namespace {

constexpr std::uint64_t default_schedules = 1'000;

// Counts the decisions that were taken before so many events were recorded.
class counting_chooser final : public sim::chooser {
 public:
  counting_chooser(const sim::world& world, std::size_t events)
      : world_(world), events_(events), replay_(properties::make_strategy("replay")) {}
  void begin(const sim::plan& value) override { replay_->begin(value); }
  sim::choice choose(const sim::moment& now) override {
    if (world_.record().events.size() < events_) ++count_;
    return replay_->choose(now);
  }
  std::size_t count() const { return count_; }

 private:
  const sim::world& world_;
  std::size_t events_;
  std::unique_ptr<sim::chooser> replay_;
  std::size_t count_ = 0;
};

struct finding {
  std::uint64_t schedules = 0;
  bool promised = false;
  std::string text;
  sim::plan plan;
};

class exploration {
 public:
  exploration(const sim::trace& recorded, std::uint64_t line, const options& given)
      : header_(recorded.header),
        world_(provider_of(header_), engine_named(header_.engine)),
        strategy_(strategy_named(given.strategy)),
        seed_(seed_of(given.seed)),
        schedules_(optional_number("--schedules", given.schedules, 1, 1'000'000'000)
                       .value_or(default_schedules)) {
    if (strategy_ == "exhaustive")
      throw usage_error(
          "--strategy: exhaustive walks worlds of its own: it is for `check` and `run`");
    // The first line is the header.
    counting_chooser counting(world_.world(), std::size_t(line - 1));
    world_.run(header_.plan, counting);
    kept_ = counting.count();
  }

  void run() {
    properties::prefix_chooser chooser(properties::make_strategy(strategy_, seed_), kept_);
    for (std::uint64_t i = 0; i < schedules_; ++i) {
      sim::plan plan = header_.plan;
      plan.seed = sim::split(seed_, sim::purpose::plan, i);
      const auto& run = world_.run(plan, chooser);
      plan.decisions = world_.decisions();
      for (const auto& one : world_.judgements()) {
        if (one.verdict != properties::verdict::violated) continue;
        auto& found = found_[std::string(one.property->id())];
        found.promised |= guaranteed(*one.property, world_.deployed().declared, run, plan);
        if (found.schedules++ == 0) {
          found.text = one.text;
          found.plan = plan;
        }
      }
    }
  }

  int report(const options& given) {
    fmt::print("kept {} of {} decisions; {} schedules from there by {}, seed {}\n", kept_,
               header_.plan.decisions.size(), grouped(schedules_), strategy_, seed_);
    output_folder folder(given.out, fmt::format("replay-seed-{}", seed_));
    bool broken = false;
    for (auto& [property, one] : found_) {
      broken |= one.promised;
      fmt::print("{} {} in {} of {}: {}\n  {}\n", one.promised ? "broken  " : "violated", property,
                 grouped(one.schedules), grouped(schedules_), one.text,
                 write(property, one, folder));
    }
    if (found_.empty()) fmt::print("nothing is violated\n");
    return broken ? violated : as_expected;
  }

 private:
  std::string write(const std::string& property, const finding& one, output_folder& folder) {
    sim::trace_header header = header_;
    header.version = version;
    header.property = property;
    header.seed = seed_;
    header.strategy = strategy_;
    header.plan = one.plan;
    world_.replay(one.plan);
    return folder.write(property + ".jsonl", sim::to_text(world_.trace(std::move(header))))
        .string();
  }

  sim::trace_header header_;
  execution world_;
  std::string strategy_;
  std::uint64_t seed_;
  std::uint64_t schedules_;
  std::size_t kept_ = 0;
  std::map<std::string, finding> found_;
};

}  // namespace

int then_explore(const sim::trace& recorded, std::uint64_t line, const options& given) {
  exploration from(recorded, line, given);
  from.run();
  return from.report(given);
}

}  // namespace leaselab::cli
