#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "cli/additions.hpp"
#include "cli/commands.hpp"
#include "cli/exhaustive.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/registry.hpp"
#include "cli/report/json.hpp"
#include "cli/report/junit.hpp"
#include "cli/report/run_report.hpp"
#include "cli/scenario_plans.hpp"
#include "cli/scenario_run.hpp"
#include "cli/shared_files.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "cli/witness_files.hpp"

namespace leaselab::cli {
namespace {

// One run to be made: a scenario with a provider, or why not.
struct task {
  const scenarios::scenario* scenario = nullptr;
  std::string provider;
  std::string skipped;  // the reason; empty: it is run
  std::string engine;
};

struct loaded_file {
  scenarios::found_file file;
  std::vector<scenarios::scenario> scenarios;
};

// The documents say scenarios/..., which is there in the tree alone.
void expect_there(const std::filesystem::path& path) {
  const bool ours = !path.empty() && *path.begin() == "scenarios";
  if (!ours || std::filesystem::exists(path)) return;
  const auto own = shared_files() / "scenarios";
  if (!std::filesystem::is_directory(own)) return;
  throw usage_error(fmt::format("{}: there is no such file or folder; those of leaselab are in {}",
                                path.string(), own.string()));
}

// Every file is read before anything runs, and every bad one is named.
std::vector<loaded_file> load_all(const options& given) {
  std::vector<loaded_file> out;
  std::string errors;
  try {
    const auto known = known_names();
    const std::vector<std::filesystem::path> paths(given.arguments.begin(), given.arguments.end());
    std::for_each(paths.begin(), paths.end(), expect_there);
    for (auto& file : scenarios::collect(paths)) {
      try {
        auto loaded = scenarios::load(file.path, known);
        for (const auto& one : loaded) expect_known_claims(one);
        out.push_back({std::move(file), std::move(loaded)});
      } catch (const std::runtime_error& error) {  // of the file, or of a name in it
        errors += (errors.empty() ? "" : "\nleaselab: ") + std::string(error.what());
      }
    }
  } catch (const scenarios::scenario_error& error) {
    throw usage_error(error.what());
  }
  if (!errors.empty()) throw usage_error(errors);
  return out;
}

// What -p names besides the providers of the scenarios: one from elsewhere, and anything tested as
// a lock, runs all of them.
struct providers_wanted {
  std::vector<std::string> patterns, added;

  bool wants(const std::string& provider) const {
    if (patterns.empty() && added.empty()) return true;
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const auto& pattern) { return glob_match(pattern, provider); });
  }
  std::vector<std::string> of(const scenarios::scenario& one) const {
    auto out = scenarios::providers_of(one);
    std::erase_if(out, [&](const auto& name) { return !wants(name); });
    for (const auto& name : added) {
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
  }
};

providers_wanted wanted_by(const options& given) {
  const auto as = tested_as_named(given.as);
  if (as == tested_as::lock && given.providers.empty())
    throw usage_error("--as lock: say which provider: -p NAME");
  providers_wanted out;
  for (const auto& one : given.providers) {
    const bool added = as == tested_as::lock || is_from_elsewhere(one);
    (added ? out.added : out.patterns).push_back(provider_name(one, as));
  }
  for (const auto& name : out.added) provider_named(name);  // before any run
  return out;
}

// A pattern that no scenario's provider and no built-in one matches is a slip of the pen.
void expect_providers(const providers_wanted& wanted, const std::vector<loaded_file>& files) {
  auto known = names_of(provider_list());
  for (const auto& file : files) {
    for (const auto& one : file.scenarios) {
      for (const auto& name : scenarios::providers_of(one)) known.push_back(name);
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  select(wanted.patterns, known, "provider");
}

std::vector<task> tasks_for(const options& given, const providers_wanted& wanted,
                            const std::vector<loaded_file>& files) {
  std::vector<task> out;
  for (const auto& file : files) {
    const bool served = file.file.needs_server;
    for (const auto& one : file.scenarios) {
      for (const auto& provider : wanted.of(one)) {
        const std::string engine = served ? "server" : given.engine;
        std::string reason = reason_to_skip(one, provider, engine);
        if (served && !given.live) reason = "needs a server: --live";
        if (reason.empty() && given.strategy == "exhaustive")
          reason = reason_not_to_walk(one, provider);
        out.push_back({&one, provider, reason, engine});
      }
    }
  }
  return out;
}

finished_run skipped(const task& what) {
  finished_run out;
  out.report.scenario = what.scenario->file;
  out.report.title = what.scenario->title;
  out.report.provider = what.provider;
  out.report.expected = to_string(scenarios::expectation_of(*what.scenario, what.provider));
  out.report.got = what.skipped;
  out.report.ended = run_end::skipped;
  return out;
}

// Worlds are dear to make (a server, a Lua interpreter) and are kept from run to run.
class worker {
 public:
  finished_run run(const task& what, const run_choices& choices) {
    if (!what.skipped.empty()) return skipped(what);
    auto own = choices;
    own.engine = what.engine;
    auto& world = worlds_[what.engine + " " + what.provider];
    if (!world) {
      world = std::make_unique<execution>(provider_named(provider_part(what.provider)),
                                          engine_named(what.engine));
    }
    return run_scenario(*what.scenario, what.provider, *world, own);
  }

 private:
  std::map<std::string, std::unique_ptr<execution>> worlds_;
};

std::vector<finished_run> run_tasks(const std::vector<task>& tasks, const run_choices& choices,
                                    unsigned jobs) {
  std::vector<finished_run> out(tasks.size());
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    try {
      worker own;
      for (auto i = next++; i < tasks.size(); i = next++) out[i] = own.run(tasks[i], choices);
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return out;
}

// <scenario>/<provider>.jsonl, where the scenario is its file's name and its variation.
struct evidence_names {
  own_names scenarios, providers;

  std::filesystem::path of(const task& what) {
    const auto& one = *what.scenario;
    auto wanted = std::filesystem::path(one.file).stem().string();
    if (!one.variation.empty()) wanted += ',' + one.variation;
    return std::filesystem::path(scenarios.of(wanted, one.file + '\n' + one.variation)) /
           (providers.of(what.provider, what.provider) + ".jsonl");
  }
};

void write_evidence(output_folder& folder, evidence_names& names, const task& what,
                    finished_run& run) {
  if (!run.evidence) return;
  execution world(provider_named(run.evidence->provider), engine_named(run.evidence->engine));
  world.replay(run.evidence->plan);
  const auto text = sim::to_text(world.trace(*run.evidence));
  run.report.trace = folder.write(names.of(what), text).string();
}

run_choices choices_for(const options& given, const stop_source& stop) {
  run_choices out;
  out.stop = stop.flag();
  if (!given.seed.empty()) out.seed = seed_of(given.seed);
  out.every_order = every_order_of(given);
  if (out.every_order) return out;
  if (given.strategy != options{}.strategy) out.strategy = strategy_named(given.strategy);
  return out;
}

int print_scenarios(const std::vector<loaded_file>& files) {
  for (const auto& file : files) {
    for (const auto& one : file.scenarios) {
      fmt::print("# {}{}\n{}\n", one.file, one.variation.empty() ? "" : " [" + one.variation + "]",
                 scenarios::print(one));
    }
  }
  return as_expected;
}

int status_of(const run_report& report, const stop_source& stop) {
  if (stop.interrupted()) return interrupted;
  if (report.count(run_end::not_ok) > 0) return violated;
  const bool nothing = report.count(run_end::ok) == 0;
  return nothing || report.count(run_end::unknown) > 0 ? unknown : as_expected;
}

// Named by -p, or a part of this program and of these runs.
std::vector<const sim::variant*> own_providers(const providers_wanted& wanted,
                                               const run_report& report) {
  std::vector<const sim::variant*> out;
  for (const auto& name : wanted.added) out.push_back(&provider_named(name));
  for (const auto& one : added_providers()) {
    const auto is_of = [&](const auto& run) {
      return provider_part(run.provider) == one.given.name;
    };
    if (std::any_of(report.runs.begin(), report.runs.end(), is_of)) out.push_back(&one.variant);
  }
  return out;
}

void write_reports(const options& given, const run_report& report) {
  if (!given.json.empty()) write_file(given.json, to_lines(run_json(report)));
  if (!given.junit.empty()) write_file(given.junit, run_junit(report));
  if (!given.html.empty()) write_file(given.html, run_html(report));
}

}  // namespace

int run_run(const options& given) {
  const auto files = load_all(given);
  if (given.print) return print_scenarios(files);
  const auto wanted = wanted_by(given);
  expect_providers(wanted, files);
  for (const auto& file : {given.json, given.junit, given.html}) expect_writable(file);
  engine_named(given.engine);
  output_folder folder(given.out, "run");
  const unsigned jobs = jobs_of(given.jobs);
  std::FILE* const to = text_stream(given);

  run_report report;
  report.seed = given.seed;
  report.head = fmt::format("leaselab {}  seed {}  {}", version,
                            given.seed.empty() ? "of each scenario" : given.seed, given.command);
  fmt::print(to, "{}\n\n", report.head);
  std::fflush(to);

  const stop_source stop;
  const auto began = std::chrono::steady_clock::now();
  const auto tasks = tasks_for(given, wanted, files);
  auto finished = run_tasks(tasks, choices_for(given, stop), jobs);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  evidence_names names;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    write_evidence(folder, names, tasks[i], finished[i]);
    report.runs.push_back(std::move(finished[i].report));
  }
  report.own = own_providers(wanted, report);
  std::fputs(run_text(report, wants_colour(to)).c_str(), to);
  write_reports(given, report);
  return status_of(report, stop);
}

}  // namespace leaselab::cli
