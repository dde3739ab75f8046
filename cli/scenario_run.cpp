#include "cli/scenario_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/additions.hpp"
#include "cli/exit_status.hpp"
#include "cli/expectation.hpp"
#include "cli/guaranteed.hpp"
#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/report/text.hpp"
#include "cli/scenario_plans.hpp"
#include "cli/version.hpp"
#include "properties/search/exhaustive/explorer.hpp"
#include "properties/search/exhaustive/fixed_calls.hpp"
#include "properties/search/reach.hpp"
#include "properties/search/search.hpp"
#include "properties/search/strategy.hpp"
#include "properties/search/wrapping.hpp"

namespace leaselab::cli {
namespace {

using properties::verdict;

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Everything that the schedules of one scenario and provider showed.
class collected {
 public:
  // `answers`: what calls are expected to answer is judged, too.
  collected(const scenarios::scenario& value, std::string provider, bool answers)
      : value_(value),
        provider_(std::move(provider)),
        expected_(scenarios::expectation_of(value, provider_)),
        answers_(answers) {}

  void see(const execution& world, const sim::plan& plan, const sim::run_record& run) {
    digest_ = properties::fold_digest(digest_, run.digest);
    ++schedules_;
    for (const auto& one : world.judgements()) see(one, world, plan, run);
    if (answers_) see_answers(world, plan, run);
    for (const auto& one : run.events) {
      if (one.kind == sim::event_kind::fault) met_.insert(static_cast<std::size_t>(one.value));
    }
    reached_ |= properties::reached_by(run, plan);
    if (!evidence_) keep(world, plan, "");  // a run without violation is evidence, too
  }

  finished_run finish(const sim::plan& stated) {
    finished_run out;
    auto& report = out.report;
    report.scenario = value_.file;
    if (!value_.variation.empty()) report.scenario += " [" + value_.variation + "]";
    report.title = value_.title;
    report.provider = provider_;
    report.expected = to_string(expected_);
    report.schedules = schedules_;
    report.digest = schedules_ == 1 ? single_digest_ : digest_;
    report.notes = notes(stated);
    report.got = got_text(shown_);
    const bool ok = meets(expected_, shown_, report.violations);
    report.ended = !ok ? run_end::not_ok : is_unknown() ? run_end::unknown : run_end::ok;
    if (report.ended == run_end::unknown) report.got = unknown_text();
    if (report.ended != run_end::ok) out.evidence = std::move(evidence_);
    return out;
  }

 private:
  bool is_judged(std::string_view property) const {
    return value_.properties.empty() || contains(value_.properties, property) ||
           contains(expected_.properties, property);
  }

  void see(const judgement& one, const execution& world, const sim::plan& plan,
           const sim::run_record& run) {
    const std::string id(one.property->id());
    single_digest_ = run.digest;
    if (!is_judged(id)) return;
    if (one.verdict == verdict::unknown) unknown_.insert(id);
    if (one.verdict != verdict::violated) return;
    // A mutant is there to be wrong: what follows from its fault is no surprise.
    const bool promised = !provider_.starts_with("mutant:") &&
                          guaranteed(*one.property, world.deployed().declared, run, plan);
    show(id, one.text, promised, world, plan);
  }

  void see_answers(const execution& world, const sim::plan& plan, const sim::run_record& run) {
    for (const auto& text : unmet_answers(value_, provider_, plan, run)) {
      show(std::string(as_expected_property), text, true, world, plan);
    }
  }

  void show(const std::string& id, const std::string& text, bool promised, const execution& world,
            const sim::plan& plan) {
    const auto [entry, first] = shown_.try_emplace(id, shown_violation{text, promised});
    const bool worse = promised && !entry->second.guaranteed;
    if (worse) entry->second = {text, true};
    const bool unwanted = promised && !contains(expected_.properties, id);
    if ((first || worse) && (unwanted || !has_violation_)) {
      keep(world, plan, id);
      has_violation_ = true;
    }
  }

  void keep(const execution& world, const sim::plan& plan, const std::string& property) {
    sim::trace_header header{std::string(version),
                             provider_part(provider_),
                             property,
                             plan.profile,
                             "",
                             plan.seed,
                             "in_order",
                             plan,
                             folder_of(provider_part(provider_)),
                             files_digest(provider_part(provider_), "")};
    header.plan.decisions = world.decisions();
    evidence_ = std::move(header);
  }

  std::vector<std::string> notes(const sim::plan& stated) const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < stated.faults.size(); ++i) {
      if (met_.contains(i)) continue;
      out.push_back(fmt::format("fault {} ({}) was never met", stated.faults[i].id + 1,
                                to_string(stated.faults[i].kind)));
    }
    for (const auto& reach : unreached()) out.push_back(fmt::format("never reached: {}", reach));
    return out;
  }

  std::vector<std::string> unreached() const {
    std::vector<std::string> out;
    const auto claims = properties::claims();
    for (const auto& wanted : value_.sometimes) {
      const auto found = std::find_if(claims.begin(), claims.end(),
                                      [&](const auto& one) { return one.reach == wanted; });
      const auto bit = properties::claim_set{1} << (found - claims.begin());
      if (found == claims.end() || !(reached_ & bit)) out.push_back(wanted);
    }
    return out;
  }

  bool is_unknown() const { return !unknown_.empty() || !unreached().empty(); }

  std::string unknown_text() const {
    return unknown_.empty() ? "unknown: a claim was not reached"
                            : fmt::format("unknown:{}", fmt::join(unknown_, ","));
  }

  const scenarios::scenario& value_;
  std::string provider_;
  scenarios::expectation expected_;
  bool answers_;
  shown_violations shown_;
  std::set<std::string> unknown_;
  std::set<std::size_t> met_;  // indices of faults
  properties::claim_set reached_ = 0;
  std::optional<sim::trace_header> evidence_;
  bool has_violation_ = false;
  std::uint64_t schedules_ = 0, digest_ = 0, single_digest_ = 0;
};

std::unique_ptr<sim::chooser> chooser_for(const scenarios::scenario& value,
                                          const run_choices& choices, std::uint64_t seed) {
  if (!value.explore) return properties::make_strategy("in_order");
  const auto& own = value.explore->strategy;
  auto out = properties::make_strategy(choices.strategy.empty() ? own : choices.strategy, seed);
  if (value.explore->aim.empty()) return out;
  return std::make_unique<properties::aiming_chooser>(std::move(out), seed);
}

struct walked_runs {
  std::uint64_t made = 0, in_vain = 0;
  bool complete = false;
};

std::string coverage_note(const sim::plan& plan, const properties::exhaustive_options& how,
                          const walked_runs& runs) {
  std::string out = fmt::format(
      "{}: every order of its {} with at most {} of time, to before, on or after a deadline: {}",
      runs.complete ? "complete" : "stopped before the end",
      counted(plan.calls.size(), "call", "calls"), counted(how.time_moves, "move", "moves"),
      counted(runs.made, "run", "runs"));
  if (runs.in_vain > 0) out += fmt::format(" ({} begun in vain)", grouped(runs.in_vain));
  return out +
         "; each process makes its calls one after another. Not in it: the instants and answers "
         "that the file states, late replies, faults";
}

walked_runs walk_all(const sim::plan& plan, execution& world, const run_choices& choices,
                     collected& all) {
  // No two processes are taken to do the same: the file names them.
  properties::exploration how{choices.every_order->reduce, choices.every_order->time_moves, {}};
  for (std::uint32_t i = 0; i < plan.processes.size(); ++i) how.programs.push_back(i);
  properties::explorer walker(world.world(), how);
  walked_runs out;
  do {
    if (choices.stop && choices.stop->load()) return out;
    const auto& run = world.run(plan, walker);
    if (walker.redundant()) {
      ++out.in_vain;
      continue;
    }
    all.see(world, plan, run);
    ++out.made;
  } while (walker.advance());
  out.complete = true;
  return out;
}

finished_run walk_scenario(const scenarios::scenario& value, const std::string& provider,
                           execution& world, const run_choices& choices) {
  const scenario_plans plans(value, world.deployed(), client_for(value, provider), 1);
  const auto plan = properties::in_any_order(plans.stated());
  collected all(value, provider, false);
  const auto runs = walk_all(plan, world, choices, all);
  auto out = all.finish(plans.stated());
  out.report.notes.push_back(coverage_note(plan, *choices.every_order, runs));
  if (!runs.complete && out.report.ended == run_end::ok) out.report.ended = run_end::unknown;
  if (out.evidence) {
    out.evidence->engine = choices.engine;
    out.evidence->strategy = "exhaustive";
  }
  return out;
}

// What a file says of all providers, it says of the built-in ones: which answer comes at which
// instant, and what a fault brings to light. One that reads expiry otherwise or has another
// backend, and one whose records nobody can see or touch, is judged by what it promises alone.
scenarios::scenario as_met_by(const added_provider& provider, const std::string& name,
                              scenarios::scenario value) {
  const handed_in& given = provider.given;
  const bool as_redis = given.over_redis() && given.standard_records &&
                        given.declared.reading == expiry_reading::after;
  if (as_redis) return value;
  value.expect.try_emplace(name);
  for (auto& notes : value.calls) notes.expect = {};
  return value;
}

finished_run run_as_written(const scenarios::scenario& value, const std::string& provider,
                            execution& world, const run_choices& choices) {
  if (choices.every_order) return walk_scenario(value, provider, world, choices);
  const std::uint64_t seed = choices.seed.value_or(value.explore ? value.explore->seed : 1);
  const scenario_plans plans(value, world.deployed(), client_for(value, provider), seed);
  const auto chooser = chooser_for(value, choices, seed);
  collected all(value, provider, true);
  bool stopped = false;
  for (std::uint64_t i = 0; i < plans.schedules() && !stopped; ++i) {
    const sim::plan plan = plans.make(i);
    all.see(world, plan, world.run(plan, *chooser));
    stopped = choices.stop && choices.stop->load();
  }
  auto out = all.finish(plans.stated());
  if (stopped && out.report.ended == run_end::ok) out.report.ended = run_end::unknown;
  if (out.evidence) {
    out.evidence->engine = choices.engine;
    if (value.explore) out.evidence->strategy = value.explore->strategy;
  }
  return out;
}

}  // namespace

finished_run run_scenario(const scenarios::scenario& value, const std::string& provider,
                          execution& world, const run_choices& choices) {
  const auto* const added = find_added(provider_part(provider));
  return added ? run_as_written(as_met_by(*added, provider, value), provider, world, choices)
               : run_as_written(value, provider, world, choices);
}

void expect_known_claims(const scenarios::scenario& value) {
  std::vector<std::string> known;
  for (const auto& one : properties::claims()) known.emplace_back(one.reach);
  for (const auto& wanted : value.sometimes) {
    if (contains(known, wanted)) continue;
    throw usage_error(fmt::format("{}: [[sometimes]] there is no `reach` \"{}\"{}", value.file,
                                  wanted, scenarios::suggest(wanted, known)));
  }
}

std::string reason_to_skip(const scenarios::scenario& value, const std::string& provider,
                           const std::string& engine) {
  const bool runtime = !value.signals.empty() || value.workload.kind == sim::workload_kind::runtime;
  if (!runtime && provider != provider_part(provider)) return "its calls are made by no client";
  const auto* const found = find_provider(provider_part(provider));
  if (!found) return "this version has no such provider";
  if (runtime && found->declared.as_lock) return "no runtime lives on a lock";
  if (!found->needs_engine) return "";
  for (const auto& fault : value.plan.faults) {
    if (engine_can(engine, fault)) continue;
    return fmt::format("the {} engine cannot do {}", engine, to_string(fault.kind));
  }
  if (value.nemesis && !engine_can(engine, value.nemesis->profile)) {
    return fmt::format("the {} engine cannot do {}", engine, value.nemesis->profile);
  }
  return "";
}

std::string reason_not_to_walk(const scenarios::scenario& value, const std::string& provider) {
  if (value.workload.generated) return "exhaustive: its calls are drawn";
  if (value.nemesis) return "exhaustive: its faults are drawn";
  const auto& variant = provider_named(provider_part(provider));
  const scenario_plans plans(value, variant, client_for(value, provider), 1);
  const auto reason = properties::why_not_walked(plans.stated());
  return reason.empty() ? "" : "exhaustive: " + reason;
}

}  // namespace leaselab::cli
