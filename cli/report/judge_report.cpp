#include "cli/report/judge_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <tuple>

#include "cli/report/text.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::claim_of;
using properties::history_operation;
using properties::judgement;
using properties::lease_op;
using properties::recorded_history;
using properties::verdict;

// Of the prefix, so many answers show where it stops making sense.
constexpr std::size_t most_shown = 8;

std::string_view name_of(lease_op op) {
  switch (op) {
    case lease_op::acquire:
      return "acquire";
    case lease_op::renew:
      return "renew";
    case lease_op::release:
      return "release";
    case lease_op::get:
      return "get";
    case lease_op::transfer:
      return "transfer";
  }
  return "?";
}

std::string owner_of(const recorded_history& history, properties::lease_owner owner) {
  return owner == 0 ? "nobody" : history.owners[owner];
}

std::string call_phrase(const recorded_history& history, const history_operation& one) {
  const std::string what(name_of(one.call.op));
  if (one.call.op == lease_op::get) return what;
  if (one.call.op != lease_op::transfer)
    return fmt::format("{} as {}", what, owner_of(history, one.call.owner));
  return fmt::format("{} from {} to {}", what, owner_of(history, one.call.owner),
                     owner_of(history, one.call.to));
}

std::string answer_phrase(const recorded_history& history, const history_operation& one) {
  std::string out = one.answer == claim_of::yes  ? "yes"
                    : one.answer == claim_of::no ? "no"
                                                 : "answered";
  if (one.claims_holder) out += ", holder " + owner_of(history, one.holder);
  if (one.claims_token) out += fmt::format(", token {}", one.token);
  return out;
}

// Instants as the file states them.
std::string operation_line(const recorded_history& history, const history_operation& one) {
  const auto error = history.header.clock_error;
  const std::string by =
      one.process < history.processes.size() ? history.processes[one.process] + " " : "";
  return fmt::format("[{}, {}] id {}: {}{}: {}", one.called + error, one.returned - error, one.id,
                     by, call_phrase(history, one), answer_phrase(history, one));
}

// The answered ones up to and with the last of the prefix, by return.
std::vector<std::string> ending_of(const recorded_history& history, const judgement& result) {
  const auto& operations = history.keys[result.key_index].operations;
  const auto place = [&](std::size_t i) { return std::tuple(operations[i].returned, i); };
  std::vector<std::size_t> answered;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const bool counts =
        operations[i].ended == outcome::ok && operations[i].returned != properties::never_returned;
    if (counts && place(i) <= place(result.last)) answered.push_back(i);
  }
  const auto by_place = [&](std::size_t a, std::size_t b) { return place(a) < place(b); };
  const std::size_t shown = std::min(answered.size(), most_shown);
  std::partial_sort(answered.begin(), answered.begin() + std::ptrdiff_t(shown), answered.end(),
                    [&](std::size_t a, std::size_t b) { return by_place(b, a); });
  std::vector<std::string> out;
  for (std::size_t i = shown; i > 0; --i)
    out.push_back(operation_line(history, operations[answered[i - 1]]));
  return out;
}

std::string why_not(const recorded_history& history, const judgement& result) {
  if (result.value == verdict::holds) return "";
  if (result.value == verdict::violated) {
    std::string text = fmt::format(
        "nothing explains the first {} on key `{}`; without the last of them, "
        "something does",
        counted(result.prefix, "answer", "answers"), result.key);
    if (result.keys_violated > 1)
      text += fmt::format("; {} keys are like it", result.keys_violated);
    return text;
  }
  if (history.operations == 0) return "no operations: nothing was judged";
  if (result.too_many_open) return "more than 1,024 calls are open at one instant";
  return fmt::format("the budget was spent on {}", counted(result.keys_unknown, "key", "keys"));
}

double rate_of(std::uint64_t operations, double seconds) {
  return seconds > 0 ? static_cast<double>(operations) / seconds : 0.0;
}

json::value prefix_value(const judged_history& one) {
  if (one.result.value != verdict::violated) return nullptr;
  json::array ending;
  for (const auto& line : one.ending) ending.push_back(sim::json_text(line));
  return json::object{{"key", sim::json_text(one.result.key)},
                      {"answers", one.result.prefix},
                      {"last_id", one.result.last_id},
                      {"ending", std::move(ending)}};
}

json::object figures(verdict value, std::uint64_t operations, double seconds) {
  return {{"verdict", properties::to_string(value)},
          {"operations", operations},
          {"check_seconds", seconds},
          {"operations_per_second", rate_of(operations, seconds)}};
}

json::object history_value(const judged_history& one) {
  json::object out{{"file", sim::json_text(one.file)}};
  for (auto& member : figures(one.result.value, one.operations, one.check_seconds))
    out.emplace(member.key(), member.value());
  out.emplace("keys", one.keys);
  out.emplace("prefix", prefix_value(one));
  out.emplace("why", one.why.empty() ? json::value(nullptr) : sim::json_text(one.why));
  return out;
}

}  // namespace

judged_history describe_judged(std::string file, const recorded_history& history,
                               const judgement& result, double check_seconds) {
  judged_history out{
      std::move(file), history.operations, history.keys.size(), check_seconds, result, "", {}};
  out.why = why_not(history, result);
  if (result.value == verdict::violated) out.ending = ending_of(history, result);
  return out;
}

verdict verdict_of(const std::vector<judged_history>& all) {
  verdict worst = verdict::holds;
  for (const auto& one : all) {
    if (one.result.value == verdict::violated) return verdict::violated;
    if (one.result.value == verdict::unknown) worst = verdict::unknown;
  }
  return worst;
}

std::string judge_text(const judged_history& one, bool colours) {
  const auto value = one.result.value;
  const colour with = value == verdict::holds      ? colour::green
                      : value == verdict::violated ? colour::red
                                                   : colour::yellow;
  const std::string word(properties::to_string(value));
  std::string out =
      fmt::format("{}  {}: {} on {}, judged in {:.1f} ms\n", painted(word, with, colours), one.file,
                  counted(one.operations, "operation", "operations"),
                  counted(one.keys, "key", "keys"), one.check_seconds * 1e3);
  if (!one.why.empty()) out += fmt::format("  {}\n", one.why);
  for (const auto& line : one.ending)
    out += fmt::format("  {} {}\n", &line == &one.ending.back() ? ">" : " ", line);
  return out;
}

json::object judge_json(const std::vector<judged_history>& all) {
  std::uint64_t operations = 0;
  double seconds = 0;
  const judged_history* shown = nullptr;
  json::array histories;
  for (const auto& one : all) {
    operations += one.operations;
    seconds += one.check_seconds;
    if (!shown && one.result.value == verdict::violated) shown = &one;
    histories.push_back(history_value(one));
  }
  json::object out{{"tool", "leaselab"}, {"version", version}};
  for (auto& member : figures(verdict_of(all), operations, seconds))
    out.emplace(member.key(), member.value());
  out.emplace("prefix", shown ? prefix_value(*shown) : json::value(nullptr));
  out.emplace("histories", std::move(histories));
  return out;
}

}  // namespace leaselab::cli
