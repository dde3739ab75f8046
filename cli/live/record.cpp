#include "cli/live/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <optional>

namespace leaselab::cli::live {
namespace {

template <class Each>
void for_each_line(std::string_view text, Each&& each) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.empty()) each(line);
  }
}

std::optional<boost::json::object> object_in(std::string_view line) {
  boost::system::error_code error;
  auto value = boost::json::parse(boost::json::string_view(line.data(), line.size()), error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

std::string text_in(const boost::json::object& from, const char* name) {
  const auto* const value = from.if_contains(name);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::int64_t number_in(const boost::json::object& from, const char* name, std::int64_t otherwise) {
  const auto* const value = from.if_contains(name);
  return value && value->is_int64() ? value->as_int64() : otherwise;
}

call_line call_of(boost::json::object from) {
  call_line out;
  out.op = text_in(from, "op");
  out.key = text_in(from, "key");
  out.owner = text_in(from, "owner");
  out.called = number_in(from, "call", 0);
  out.returned = number_in(from, "return", unanswered);
  out.outcome = text_in(from, "outcome");
  const auto* const answer = from.if_contains("answer");
  out.yes = answer && answer->is_bool() && answer->as_bool();
  from.erase("id");
  out.json = boost::json::serialize(from);
  return out;
}

std::optional<work_line> work_of(std::string_view line) {
  work_line out;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), out.at);
  const std::string_view rest(end, static_cast<std::size_t>(line.data() + line.size() - end));
  if (error != std::errc() || rest.size() < 2 || rest.front() != ' ') return std::nullopt;
  out.owner = rest.substr(1);
  const bool whole =
      out.owner.find('#') != std::string::npos && out.owner.find(' ') == std::string::npos;
  return whole ? std::optional(out) : std::nullopt;
}

}  // namespace

std::string_view incarnation_of(std::string_view owner) { return owner.substr(0, owner.find('#')); }

void read_calls(std::string_view text, live_record& into) {
  std::map<std::int64_t, call_line> by_id;  // a later line replaces an earlier one
  for_each_line(text, [&](std::string_view line) {
    auto members = object_in(line);
    if (!members) return void(++into.torn_lines);
    if (members->contains("history")) return;
    const auto id = number_in(*members, "id", 0);
    by_id[id] = call_of(std::move(*members));
  });
  for (auto& [id, call] : by_id) into.calls.push_back(std::move(call));
}

void read_beliefs(std::string_view text, live_record& into) {
  for_each_line(text, [&](std::string_view line) {
    const auto members = object_in(line);
    if (!members) return void(++into.torn_lines);
    belief_line out;
    out.key = text_in(*members, "key");
    out.owner = text_in(*members, "owner");
    out.at = number_in(*members, "at", 0);
    out.until = number_in(*members, "until", 0);
    out.ends = members->contains("end");
    into.beliefs.push_back(std::move(out));
  });
}

void read_work(std::string_view text, const std::string& key, live_record& into) {
  for_each_line(text, [&](std::string_view line) {
    auto step = work_of(line);
    if (!step) return void(++into.torn_lines);
    into.work[key].push_back(std::move(*step));
  });
}

void sort_calls(live_record& record) {
  std::ranges::stable_sort(record.calls, {}, &call_line::called);
}

std::string merged_history(const live_record& record, std::int64_t ttl_ms,
                           std::int64_t clock_error_ns, std::string_view reading) {
  std::string text = fmt::format(
      R"({{"history":1,"unit":"ns","ttl":{},"granule":1000000,"reading":"{}","clock_error":{}}})"
      "\n",
      ttl_ms * 1'000'000, reading, clock_error_ns);
  std::size_t id = 0;
  for (const auto& call : record.calls) {
    text += fmt::format(R"({{"id":{},{})"
                        "\n",
                        ++id, std::string_view(call.json).substr(1));
  }
  return text;
}

}  // namespace leaselab::cli::live
