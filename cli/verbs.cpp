#include "cli/verbs.hpp"

#include "cli/commands.hpp"

namespace leaselab::cli {
namespace {

const flag provider{"--provider", "-p", "NAME",
                    "only these providers; a name or a glob, repeatable", &options::providers};
const flag property{"--property", "-g", "NAME",
                    "only these properties; a name or a glob, repeatable", &options::properties};
const flag profile{"--profile", "-f", "NAME",
                   "only these fault profiles; a name or a glob, repeatable", &options::profiles};
const flag schedules{"--schedules", "", "N", "schedules for each provider and profile",
                     &options::schedules};
const flag time_limit{"--time-limit", "", "TIME", "stop after this long, as in 60s or 5m",
                      &options::time_limit};
const flag workload{"--workload", "", "NAME", "one workload instead of a share of each",
                    &options::workload};
const flag processes{"--processes", "", "N", "processes in each world", &options::processes};
const flag calls{"--calls", "", "N", "calls of each process", &options::calls};
const flag margin{"--margin", "", "SHARE", "the client's safety margin as a share of the ttl (0.1)",
                  &options::margin};
const flag client{
    "--client", "", "NAME",
    "runtimes alone, with this client: strict or published, and what differs from it, as "
    "in strict,acquire_error=fail_open",
    &options::client};
const flag each_switch{
    "--each-switch", "", "",
    "the policy matrix instead: what --client loses by each other value of each policy alone",
    &options::each_switch};
const flag engine{"--engine", "", "NAME", "which Redis: model (in process) or server (a real one)",
                  &options::engine};
const flag as{"--as", "", "WHAT",
              "lease (all five operations) or lock (acquire, release, and what else is there)",
              &options::as};
const flag best_effort{"--best-effort", "", "",
                       "exec: programs whose own Redis client keeps its own clock; no digest",
                       &options::best_effort};
const flag strategy{"--strategy", "", "NAME", "how schedules are chosen (portfolio)",
                    &options::strategy};
const flag resume{"--resume", "", "FILE",
                  "exhaustive: go on from this checkpoint, and keep it there", &options::resume};
const flag time_moves{"--time-moves", "", "N",
                      "exhaustive: how often time moves on in one run, at most (2)",
                      &options::time_moves};
const flag no_reduction{"--no-reduction", "", "",
                        "exhaustive: every order, also those that come to the same",
                        &options::no_reduction};
const flag sample{"--sample", "", "N",
                  "exhaustive: then N random runs of every order, held against the walk",
                  &options::sample};
const flag split_scripts{"--split-scripts", "", "",
                         "each Lua script taken apart at its redis.calls, a column a script",
                         &options::split_scripts};
const flag then_explore{"--then-explore", "", "",
                        "keep the run up to line --until, and run other schedules from there",
                        &options::then_explore};
const flag seed{"--seed", "", "S", "decimal or 0x hexadecimal; without it one is drawn and shown",
                &options::seed};
const flag jobs{"--jobs", "", "J", "threads; without it one a core", &options::jobs};
const flag out{"--out", "", "DIR", "where witnesses are written (leaselab-out)", &options::out};
const flag json{"--json", "", "FILE", "the report as JSON; - for standard output", &options::json};
const flag junit{"--junit", "", "FILE", "the report as JUnit XML", &options::junit};
const flag html{"--html", "", "FILE", "the report as one HTML page with a timeline a witness",
                &options::html};
const flag page{"--html", "", "FILE", "the report as one HTML page", &options::html};
const flag markdown{"--markdown", "", "FILE", "the matrix as a Markdown table", &options::markdown};
const flag conform_markdown{"--markdown", "", "FILE", "the table as Markdown", &options::markdown};
const flag verbose{"--verbose", "-v", "", "every profile, not only the worst", &options::verbose};
const flag print{"--print", "", "", "print the scenarios with every default filled in, run none",
                 &options::print};
const flag live{"--live", "", "", "run scenarios that need a server, too", &options::live};
const flag until{"--until", "", "N", "stop at line N of the trace, and show it", &options::until};

const flag runs{"--runs", "", "N", "how many smaller runs to try (6000)", &options::runs};

const flag redis{"--redis", "", "URL",
                 "a running server, redis://... or unix://...; without it one of its own",
                 &options::redis};
const flag duration{"--duration", "", "TIME", "how long to run, as in 30s (the default)",
                    &options::duration};
const flag faults{"--faults", "", "KINDS", "of kill,stop,clock,cut,restart,freeze; or none",
                  &options::faults};
const flag live_client{"--client", "", "NAME",
                       "strict (the default) or published, and what differs from it",
                       &options::client};

const flag score_schedules{"--schedules", "", "N", "schedules a mutant at the most (5000)",
                           &options::schedules};
const flag seeds{"--seeds", "", "N", "medians over so many seeds, beside the strategy random",
                 &options::seeds};
const flag mutant{"--mutant", "", "ID",
                  "only these mutants, no controls; an id or a glob, repeatable",
                  &options::mutants};

const flag filter{"--filter", "", "REGEX", "only benchmarks whose name holds this",
                  &options::filter};
const flag repetitions{"--repetitions", "", "N", "how often each is measured (5)",
                       &options::repetitions};
const flag bench_json{"--json", "", "FILE", "the figures in Google Benchmark's format",
                      &options::json};
const flag bench_html{"--html", "", "FILE", "bars and latency curves as one HTML page",
                      &options::html};

const flag sweep_schedules{"--schedules", "", "N",
                           "random schedules at each point, beside the worst case (16)",
                           &options::schedules};
const flag svg{"--svg", "", "FILE", "a picture of the safe region; wants two axes", &options::svg};

const flag mermaid{"--mermaid", "", "", "print a Mermaid sequence diagram of it, too",
                   &options::mermaid};
const flag perfetto{"--perfetto", "", "FILE", "a trace for ui.perfetto.dev or chrome://tracing",
                    &options::perfetto};

const flag reading{"--reading", "", "WHICH",
                   "a lease is dead at its deadline, after it, or any of the two (instead of what "
                   "the header says)",
                   &options::reading};
const flag granule{"--granule", "", "N", "of the backend's clock, in the history's unit",
                   &options::granule};
const flag budget{"--budget", "", "N", "steps for each key; beyond them it is unknown (200000000)",
                  &options::budget};

std::vector<verb> make_verbs() {
  return {
      {"check",
       "fill the guarantee matrix: every property of every provider under every fault profile",
       {},
       {provider,    property, profile,    schedules,    time_limit, workload, processes,
        calls,       margin,   client,     each_switch,  engine,     strategy, split_scripts,
        best_effort, resume,   time_moves, no_reduction, sample,     as,       seed,
        jobs,        out,      json,       junit,        html,       markdown, verbose},
       {"leaselab check", "leaselab check -p redis -p 'redis-*' -f chaos --schedules 20000",
        "leaselab check --client published -p redis", "leaselab check --each-switch --seed 1",
        "leaselab check -p exec:./my_adapter.py --schedules 500",
        "leaselab check -p ./libmine.so --schedules 500",
        "leaselab check --strategy exhaustive --processes 2 --calls 3 -p redis",
        "leaselab check -g 'handoff.*' --seed 42 --jobs 1 --html report.html"},
       run_check},
      {"run",
       "run scenario files or folders against their expectations",
       {"PATH...", "scenario files, or folders of them", 1, 10'000},
       {provider, as, print, live, engine, seed, jobs, strategy, time_moves, no_reduction, out,
        json, junit, page},
       {"leaselab run scenarios/", "leaselab run scenarios/incidents -p redis-three-step",
        "leaselab run my_scenario.toml --print",
        "leaselab run my_scenario.toml --strategy exhaustive"},
       run_run},
      {"replay",
       "run a recorded trace again and compare it, event by event",
       {"TRACE", "a file, `latest`, or a cell such as latest/redis/single_owner.grant", 1, 1},
       {until, then_explore, schedules, strategy, seed, out},
       {"leaselab replay latest", "leaselab replay latest/redis/single_owner.grant",
        "leaselab replay trace.jsonl --until 20",
        "leaselab replay trace.jsonl --until 20 --then-explore --schedules 5000"},
       run_replay},
      {"shrink",
       "find a smaller run that violates the same property",
       {"TRACE", "a file, `latest`, or a cell such as latest/redis/single_owner.grant", 1, 1},
       {runs, out},
       {"leaselab shrink latest", "leaselab shrink trace.jsonl --runs 50000"},
       run_shrink},
      {"explain",
       "the story: who did what, when, by whose clock, and the one decision that flips the verdict",
       {"TRACE", "a file, `latest`, or a cell such as latest/redis/single_owner.grant", 1, 1},
       {mermaid, perfetto, json, out},
       {"leaselab explain latest", "leaselab explain latest/redis/run.serialized --mermaid",
        "leaselab explain trace.jsonl --perfetto trace.json"},
       run_explain},
      {"diff",
       "the first event at which two traces differ",
       {"TRACE TRACE", "each a file, `latest`, or a cell", 2, 2},
       {out},
       {"leaselab diff one.jsonl other.jsonl"},
       run_diff},
      {"score",
       "how many of the mutants the suite kills, in how many schedules; alarms on controls",
       {},
       {score_schedules, seeds, mutant, strategy, seed, jobs, out, json, junit, page},
       {"leaselab score --schedules 10000 --json score.json",
        "leaselab score --mutant N01 --seeds 20", "leaselab score --mutant 'M*' --strategy random"},
       run_score},
      {"sweep",
       "where a strict client's guarantees end, beside the analytic limit",
       {"AXIS [AXIS]", "clock.rate, pause/ttl, delay/ttl or margin; with two, a region", 1, 2},
       {provider, sweep_schedules, engine, seed, jobs, json, junit, page, svg},
       {"leaselab sweep clock.rate", "leaselab sweep delay/ttl -p redis -p redis-fenced",
        "leaselab sweep clock.rate margin --svg region.svg --json region.json"},
       run_sweep},
      {"judge",
       "recorded histories, of any system, against the lease with deadlines",
       {"HISTORY...", "files of docs/HISTORIES.md, plain or gzip; - for standard input", 1, 10'000},
       {reading, granule, budget, json},
       {"leaselab judge history.jsonl", "leaselab judge recorded/*.jsonl.gz --reading after",
        "leaselab judge - --json -"},
       run_judge},
      {"conform",
       "the contract suite alone: operation by edge, what was expected and what came",
       {"PROVIDER", "a provider, a mutant, or one of your own", 1, 1},
       {as, engine, seed, out, json, junit, page, conform_markdown},
       {"leaselab conform redis", "leaselab conform redis --engine server --junit conform.xml",
        "leaselab conform exec:./my_adapter.py --html conform.html",
        "leaselab conform exec:./my_lock.py --as lock --json -"},
       run_conform},
      {"live",
       "real processes against a real server, with kills, stops and wrong clocks",
       {},
       {provider, processes, duration, seed, redis, live_client, margin, faults, json, junit, page,
        out},
       {"leaselab live --duration 20s --processes 4 --seed 7", "leaselab live --faults freeze",
        "leaselab live --redis redis://127.0.0.1:6379 --faults kill,stop"},
       run_live},
      {"bench",
       "throughput and latency of the providers, beside redis-benchmark in the same run",
       {},
       {filter, repetitions, redis, out, bench_json, junit, bench_html},
       {"leaselab bench", "leaselab bench --filter renew/tcp --json renew.json --html renew.html",
        "leaselab bench --filter 'redis/get/tcp' --redis redis://127.0.0.1:6379"},
       run_bench},
      {"list",
       "what there is: providers, properties, profiles, policies, workloads, scenarios, "
       "strategies, "
       "mutants",
       {"WHAT", "one of those; without it, all", 0, 1},
       {json},
       {"leaselab list", "leaselab list properties", "leaselab list providers --json -"},
       run_list},
      {"doctor",
       "what works on this machine, and a planted bug that must be found",
       {},
       {json},
       {"leaselab doctor"},
       run_doctor},
  };
}

}  // namespace

const std::vector<verb>& verbs() {
  static const std::vector<verb> all = make_verbs();
  return all;
}

const verb* find_verb(std::string_view name) {
  for (const verb& one : verbs()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

}  // namespace leaselab::cli
