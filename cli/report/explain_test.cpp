// Stories, diagrams and critical choices of witnesses that a search really found.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include "cli/execution.hpp"
#include "cli/registry.hpp"
#include "cli/report/critical_text.hpp"
#include "cli/report/mermaid.hpp"
#include "cli/report/perfetto.hpp"
#include "cli/report/story.hpp"
#include "cli/report/words.hpp"
#include "properties/search/critical.hpp"

namespace leaselab::cli {
namespace {

// Of plain worlds and of runtimes, with and without faults.
const std::vector<properties::witness>& witnesses() {
  static const auto all = [] {
    properties::check_options asked;
    for (const char* name : {"redis", "redis-three-step", "release-then-acquire", "noop"})
      asked.providers.push_back(&provider_named(name));
    asked.properties = names_of(property_list());
    asked.profiles = {"interleave", "drift", "chaos"};
    asked.seed = 5;
    asked.schedules = 300;
    asked.engine = engine_named("model");
    return properties::check(asked).witnesses;
  }();
  return all;
}

struct told {
  std::unique_ptr<execution> world;
  sim::run_record run;
  sim::plan plan;
  std::optional<story_point> point;
  const properties::property* judged = nullptr;
};

told tell(const properties::witness& one) {
  told out;
  out.world = std::make_unique<execution>(provider_named(one.provider), engine_named("model"));
  out.plan = one.plan;
  out.run = out.world->replay(one.plan);
  for (const auto& each : out.world->judgements()) {
    if (each.property->id() != one.property) continue;
    out.judged = each.property;
    out.point = {one.property, each.text, each.event, each.call};
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) out.push_back(line);
  return out;
}

TEST(explain, there_are_witnesses_of_many_kinds) {
  EXPECT_GT(witnesses().size(), 20u);
  const auto with_signals =
      std::count_if(witnesses().begin(), witnesses().end(),
                    [](const auto& one) { return !one.plan.signals.empty(); });
  EXPECT_GT(with_signals, 5);
}

TEST(explain, a_story_has_at_most_twelve_lines_and_ends_with_the_violation) {
  for (const auto& one : witnesses()) {
    const told of = tell(one);
    const auto story = tell_story(of.run, of.plan, of.world->deployed().declared, of.point);
    const auto lines = lines_of(story_text(story));
    EXPECT_LE(lines.size(), 12u) << one.provider << " " << one.property << " " << one.profile;
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines.back().rfind("  => " + one.property + " is violated: ", 0), 0u);
    EXPECT_TRUE(std::is_sorted(story.lines.begin(), story.lines.end(),
                               [](const auto& a, const auto& b) { return a.at < b.at; }));
    for (const auto& line : story.lines) {
      EXPECT_FALSE(line.who.empty() || line.local.empty() || line.text.empty());
    }
  }
}

// Every statement is one of the few that the diagram is built of, about a declared lane.
TEST(explain, a_diagram_is_one_that_mermaid_reads) {
  const std::regex statement(
      "  (participant (p[0-9]+|b) as [^;#]*"
      "|Note over (p[0-9]+|b)(,b)?: ([^;#]|#(35|59);)*"
      "|(p[0-9]+|b)(->>|-->>|-x|--x|-\\))(p[0-9]+|b): ([^;#]|#(35|59);)*)");
  const std::regex block_end("\\bend\\b(?!\\))");
  for (const auto& one : witnesses()) {
    const told of = tell(one);
    const auto lines =
        lines_of(mermaid_diagram(of.run, of.plan, of.point->event, "it is violated"));
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines.front(), "sequenceDiagram");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      EXPECT_TRUE(std::regex_match(lines[i], statement)) << lines[i];
      EXPECT_FALSE(std::regex_search(lines[i], block_end)) << lines[i];
    }
  }
}

TEST(explain, what_mermaid_reads_as_its_own_is_written_otherwise) {
  sim::run_record run;
  run.processes = {"a;b", "end"};
  run.keys = {"K"};
  run.owners = {"", "end#1"};
  sim::event begin;
  begin.kind = sim::event_kind::work;
  begin.owner = 1;
  run.events = {begin, begin};
  run.events[1].process = 1;
  const std::string text = mermaid_diagram(run, {}, std::nullopt, "");
  EXPECT_NE(text.find("participant p0 as a#59;b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("participant p1 as (end)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("works on K as (end)#35;1\n"), std::string::npos) << text;
}

TEST(explain, a_picture_is_json_with_slices_that_have_a_length) {
  for (const auto& one : witnesses()) {
    const told of = tell(one);
    const auto value =
        boost::json::parse(perfetto_trace(of.run, of.plan, of.world->deployed().declared));
    const auto& events = value.at("traceEvents").as_array();
    std::size_t slices = 0;
    for (const auto& each : events) {
      const std::string phase(each.at("ph").as_string());
      ASSERT_NE(std::string("MXiC").find(phase), std::string::npos) << phase;
      ASSERT_TRUE(each.at("pid").is_int64() && each.at("name").is_string());
      if (phase != "M") {
        ASSERT_GE(each.at("ts").to_number<double>(), 0.0);
      }
      if (phase == "X") {
        ++slices;
        ASSERT_GE(each.at("dur").to_number<double>(), 0.0);
      }
    }
    EXPECT_GT(slices, 0u) << one.provider << " " << one.property;
  }
}

properties::trial trial_of(told& of) {
  return [&of](sim::plan& candidate, sim::chooser* by) {
    const auto said = of.world->try_out(candidate, by, *of.judged);
    candidate.decisions = of.world->decisions();
    return said == properties::verdict::violated ? properties::trial_end::fails
           : said == properties::verdict::holds  ? properties::trial_end::passes
                                                 : properties::trial_end::neither;
  };
}

std::vector<sim::decision> but_for(std::vector<sim::decision> all, const sim::label& event) {
  std::erase_if(all, [&](const sim::decision& one) { return one.event == event; });
  return all;
}

// With the one decision changed, and no other, the run passes.
TEST(explain, the_critical_decision_flips_the_verdict) {
  std::size_t flipped = 0, not_found = 0;
  for (const auto& one : witnesses()) {
    told of = tell(one);
    const auto test = trial_of(of);
    const auto search = properties::find_critical(of.plan, test, 1500);
    EXPECT_FALSE(critical_text(search, of.plan, of.run, one.property).empty());
    if (!search.found || search.found->choices.size() != 1) {
      ++not_found;
      continue;
    }
    const auto& choice = search.found->choices.front();
    sim::plan failing = search.found->failing, changed = search.found->changed;
    EXPECT_EQ(but_for(failing.decisions, choice.taken.event),
              but_for(changed.decisions, choice.taken.event));
    EXPECT_EQ(failing.decisions.at(choice.place), choice.taken);
    EXPECT_EQ(test(failing, nullptr), properties::trial_end::fails);
    EXPECT_EQ(test(changed, nullptr), properties::trial_end::passes)
        << one.provider << " " << one.property << " " << one.profile;
    ++flipped;
  }
  EXPECT_GT(flipped, 10u);
  EXPECT_LT(not_found, witnesses().size() / 2);
}

TEST(explain, the_same_witness_is_explained_alike) {
  const auto explained = [](const properties::witness& one) {
    told of = tell(one);
    const auto search = properties::find_critical(of.plan, trial_of(of), 1500);
    return critical_text(search, of.plan, of.run, one.property);
  };
  EXPECT_EQ(explained(witnesses().front()), explained(witnesses().front()));
}

TEST(explain, a_run_without_a_violation_is_told_too) {
  told of = tell(witnesses().front());
  const auto story = tell_story(of.run, of.plan, of.world->deployed().declared, std::nullopt);
  EXPECT_LE(lines_of(story_text(story)).size(), 12u);
  EXPECT_TRUE(story.ending.empty());
}

}  // namespace
}  // namespace leaselab::cli
