#include "cli/report/critical_text.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdlib>

#include "cli/report/text.hpp"
#include "cli/report/words.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::changed_choice;

std::string choice_text(const changed_choice& one, const properties::critical_choice& all,
                        const sim::plan& value, const sim::run_record& run) {
  const std::string what = label_words(value, run, one.taken.event);
  std::string out = fmt::format("decision {} of {}: {} came at {}", one.place + 1,
                                all.failing.decisions.size(), what, ms_words(one.taken.at));
  if (!one.instead) return out + ", and not before everything was over";
  const auto moved = *one.instead - one.taken.at;
  if (moved != 0)
    return out + fmt::format(", not {} {}", length_words(std::abs(moved)),
                             moved < 0 ? "earlier" : "later");
  if (!one.against) return out;
  bool before = false;
  for (const auto& each : all.failing.decisions) {
    if (each.event == *one.against) break;
    before |= each.event == one.taken.event;
  }
  return out + fmt::format(", {} {} at the same instant", before ? "before" : "after",
                           label_words(value, run, *one.against));
}

std::string not_found(const properties::critical_search& search, const sim::plan& value) {
  std::string out = fmt::format("no choice of the scheduler was found that flips the verdict ({})",
                                counted(search.runs, "run", "runs"));
  if (search.fault)
    return out + fmt::format("; a fault does: without \"{}\" it passes",
                             fault_words(value, *search.fault));
  return out + ": its calls and faults decide it";
}

json::object choice_json(const changed_choice& one, const sim::plan& value,
                         const sim::run_record& run) {
  json::object out{{"decision", one.place + 1},
                   {"event", sim::json_text(label_words(value, run, one.taken.event))},
                   {"label", sim::to_string(one.taken.event)},
                   {"at_ns", one.taken.at}};
  out.emplace("instead_ns", one.instead ? json::value(*one.instead) : json::value(nullptr));
  out.emplace("against", one.against
                             ? json::value(sim::json_text(label_words(value, run, *one.against)))
                             : json::value(nullptr));
  return out;
}

}  // namespace

std::string critical_text(const properties::critical_search& search, const sim::plan& value,
                          const sim::run_record& run, const std::string& property) {
  if (!search.found) return not_found(search, value) + "\n";
  const auto& choices = search.found->choices;
  if (choices.size() == 1) {
    return fmt::format("the critical {}. With that alone changed, {} holds ({})\n",
                       choice_text(choices.front(), *search.found, value, run), property,
                       counted(search.runs, "run", "runs"));
  }
  // One line each, and of many only the last ones: before them it could still have ended well.
  constexpr std::size_t most = 4;
  std::string out = fmt::format(
      "no single choice was found that flips the verdict; {} together do, and none of them can be "
      "left out ({}):\n",
      choices.size(), counted(search.runs, "run", "runs"));
  const std::size_t first = choices.size() > most ? choices.size() - most : 0;
  for (std::size_t i = first; i < choices.size(); ++i)
    out += "  " + choice_text(choices[i], *search.found, value, run) + "\n";
  return out;
}

json::object critical_json(const properties::critical_search& search, const sim::plan& value,
                           const sim::run_record& run) {
  json::array choices;
  if (search.found)
    for (const auto& one : search.found->choices) choices.push_back(choice_json(one, value, run));
  json::object out{{"found", search.found && search.found->choices.size() == 1},
                   {"choices", std::move(choices)},
                   {"runs", search.runs}};
  out.emplace("fault",
              search.fault ? json::value(fault_words(value, *search.fault)) : json::value(nullptr));
  return out;
}

}  // namespace leaselab::cli
