#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/execution.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/program_name.hpp"
#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/report/critical_text.hpp"
#include "cli/report/json.hpp"
#include "cli/report/mermaid.hpp"
#include "cli/report/perfetto.hpp"
#include "cli/report/story.hpp"
#include "cli/report/text.hpp"
#include "cli/trace_path.hpp"
#include "cli/traces.hpp"
#include "cli/version.hpp"
#include "properties/search/critical.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::verdict;

// About so many decisions are taken in search of the critical one; a run of a shrunk trace has ten.
constexpr std::size_t decisions_budget = 200'000;

struct explanation {
  told_story story;
  std::string critical;  // empty: nothing is violated
  json::value critical_value;
  std::string diagram, picture;
  std::optional<sim::plan> passing;  // the nearest run that passes, with its decisions
};

// The property that the trace is about, or the first one violated.
const judgement* shown_of(const execution& world, const std::string& property) {
  const judgement* first = nullptr;
  for (const auto& one : world.judgements()) {
    if (one.verdict != verdict::violated) continue;
    if (one.property->id() == property) return &one;
    if (!first) first = &one;
  }
  return first;
}

properties::critical_search find(execution& world, const sim::plan& failing,
                                 const properties::property& judged) {
  const auto budget = std::clamp<std::size_t>(
      decisions_budget / std::max<std::size_t>(1, failing.decisions.size()), 150, 3'000);
  return properties::find_critical(
      failing,
      [&](sim::plan& candidate, sim::chooser* by) {
        const auto said = world.try_out(candidate, by, judged);
        candidate.decisions = world.decisions();
        return said == verdict::violated ? properties::trial_end::fails
               : said == verdict::holds  ? properties::trial_end::passes
                                         : properties::trial_end::neither;
      },
      static_cast<std::uint32_t>(budget));
}

explanation explain(execution& world, const sim::trace_header& header, const sim::run_record& run) {
  explanation out;
  const judgement* const shown = shown_of(world, header.property);
  std::optional<story_point> point;
  if (shown) point = {std::string(shown->property->id()), shown->text, shown->event, shown->call};
  const auto& declared = world.deployed().declared;
  out.story = tell_story(run, header.plan, declared, point);
  const auto until = point ? std::optional(point->event) : std::nullopt;
  out.diagram = mermaid_diagram(run, header.plan, until, out.story.ending);
  out.picture = perfetto_trace(run, header.plan, declared);
  if (!shown) return out;

  const auto& judged = *shown->property;
  sim::plan failing = header.plan;
  failing.decisions = world.decisions();
  const sim::run_record failing_run = run;  // the search runs over it
  const auto search = find(world, failing, judged);
  out.critical = critical_text(search, header.plan, failing_run, point->property);
  out.critical_value = critical_json(search, header.plan, failing_run);
  if (search.found) out.passing = search.found->passing;
  return out;
}

void write_passing(sim::plan passing, sim::trace_header about, execution& world,
                   const std::filesystem::path& to) {
  world.replay(passing);
  about.version = version;
  about.plan = std::move(passing);
  about.plan.decisions = world.decisions();
  write_file(to, sim::to_text(world.trace(std::move(about))));
}

json::object explanation_json(const explanation& told, const sim::trace_header& header,
                              const std::string& trace, const std::string& passing,
                              std::uint64_t digest) {
  json::array lines;
  for (const auto& line : told.story.lines) {
    lines.push_back(json::object{{"true_ms", static_cast<double>(line.at) / 1e6},
                                 {"who", sim::json_text(line.who)},
                                 {"clock", line.local},
                                 {"text", sim::json_text(line.text)}});
  }
  json::object out{{"tool", "leaselab"},
                   {"version", version},
                   {"trace", sim::json_text(trace)},
                   {"provider", header.provider},
                   {"property", header.property},
                   {"profile", header.profile},
                   {"digest", sim::digest_text(digest)}};
  out.emplace("story", std::move(lines));
  out.emplace("left_out", told.story.left_out);
  out.emplace("ending",
              told.story.ending.empty() ? json::value(nullptr) : sim::json_text(told.story.ending));
  out.emplace("critical", told.critical_value);
  out.emplace("passing", passing.empty() ? json::value(nullptr) : sim::json_text(passing));
  out.emplace("mermaid", sim::json_text(told.diagram));
  return out;
}

void print(std::FILE* to, const explanation& told, const std::string& trace,
           const std::string& passing, bool diagram) {
  fmt::print(to, "{}", story_text(told.story));
  if (told.story.ending.empty()) fmt::print(to, "  nothing is violated\n");
  if (!told.critical.empty()) fmt::print(to, "\n{}", told.critical);
  if (!passing.empty())
    fmt::print(to, "{} diff {} {}\n", program_name(), shell_word(trace), shell_word(passing));
  if (diagram) fmt::print(to, "\n```mermaid\n{}```\n", told.diagram);
}

}  // namespace

int run_explain(const options& given) {
  const auto path = trace_path(given.arguments[0], given.out);
  expect_writable(given.json);
  expect_writable(given.perfetto);
  const sim::trace recorded = read_trace(path);
  const auto& header = recorded.header;
  std::FILE* const to = text_stream(given);
  fmt::print(to, "leaselab {}  seed {}  explain {}\n", version, header.seed, path.string());

  execution world(provider_of(header), engine_named(header.engine));
  const auto& run = world.replay(header.plan);
  const std::uint64_t digest = run.digest;
  fmt::print(to, "{} with {}{}{}\n\n", header.property.empty() ? "a run" : header.property,
             header.provider, header.profile.empty() ? "" : " in ", header.profile);
  const explanation told = explain(world, header, run);
  std::string passing;
  if (told.passing) {
    passing = passing_path(path, given.out, sim::digest_text(digest)).string();
    write_passing(*told.passing, header, world, passing);
  }
  print(to, told, path.string(), passing, given.mermaid);
  if (!given.perfetto.empty()) write_file(given.perfetto, told.picture + "\n");
  if (!given.json.empty())
    write_file(given.json,
               to_lines(explanation_json(told, header, path.string(), passing, digest)));
  if (digest == recorded.footer.digest) return as_expected;
  const auto change = change_since(header);
  fmt::print(
      to, "\nnote: {}; see replay\n",
      change.empty() ? "this program runs the trace otherwise than it was recorded" : change);
  return nondeterminism;
}

}  // namespace leaselab::cli
