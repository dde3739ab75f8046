#include "providers/pipe/messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <stdexcept>

#include "providers/declaration.hpp"

namespace leaselab::pipe {
namespace {

namespace json = boost::json;

constexpr std::array<operation, operation_count> operations = {
    operation::acquire, operation::get, operation::release, operation::renew, operation::transfer};

constexpr std::array<errc, 12> codes = {
    errc::invalid_argument,   errc::closed,          errc::timed_out,
    errc::connection_refused, errc::connection_lost, errc::loading,
    errc::read_only,          errc::out_of_memory,   errc::busy,
    errc::redirected,         errc::backend_error,   errc::protocol};

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error(what); }

std::string shown(const json::value& value) {
  std::string text = json::serialize(value);
  return text.size() > 200 ? text.substr(0, 200) + "..." : text;
}

double in_ms(nanoseconds length) { return static_cast<double>(length.count()) / 1e6; }

template <class Instant>
double in_ms(Instant at) {
  return in_ms(at.time_since_epoch());
}

void add_clocks(json::object& to, const clocks& at) {
  to["now"] = in_ms(at.now);
  to["wall"] = in_ms(at.wall);
}

json::object parse_object(std::string_view line) {
  boost::system::error_code error;
  json::value value = json::parse(line, error);
  if (error) refuse("no JSON: " + std::string(line.substr(0, 200)));
  if (!value.is_object()) refuse("no JSON object: " + shown(value));
  return std::move(value.as_object());
}

const json::value& member(const json::object& of, const char* name) {
  const auto* found = of.if_contains(name);
  if (found == nullptr) refuse(fmt::format("`{}` is missing in {}", name, shown(of)));
  return *found;
}

std::uint64_t id_of(const json::object& of, const char* name) {
  const auto& value = member(of, name);
  boost::system::error_code error;
  const auto id = value.to_number<std::uint64_t>(error);
  if (error) refuse(fmt::format("`{}` is no number of a {}: {}", name, name, shown(of)));
  return id;
}

std::string text_of(const json::object& of, const char* name) {
  const auto& value = member(of, name);
  if (!value.is_string()) refuse(fmt::format("`{}` is no text in {}", name, shown(of)));
  return std::string(value.as_string());
}

errc code_named(const std::string& name) {
  const auto found =
      std::ranges::find_if(codes, [&](errc each) { return to_string(each) == name; });
  if (found != codes.end()) return *found;
  std::vector<std::string_view> allowed;
  for (const errc each : codes) allowed.push_back(to_string(each));
  refuse(fmt::format("there is no error `{}`; allowed: {}", name, fmt::join(allowed, ", ")));
}

lease_error error_of(const json::object& from, outcome kind, const char* name) {
  const auto* text = from.if_contains("text");
  return {kind, code_named(text_of(from, name)),
          text != nullptr && text->is_string() ? std::string(text->as_string()) : std::string()};
}

command command_of(const json::object& from) {
  const auto& words = member(from, "command");
  if (!words.is_array() || words.as_array().empty()) refuse("no command: " + shown(from));
  command out;
  for (const auto& word : words.as_array()) {
    out.words.push_back(word.is_string() ? std::string(word.as_string()) : json::serialize(word));
  }
  return out;
}

asked_sleep sleep_of(const json::object& from) {
  boost::system::error_code error;
  const double ms = member(from, "sleep").to_number<double>(error);
  if (error || !std::isfinite(ms)) refuse("no time to sleep: " + shown(from));
  constexpr double longest = 1e12;  // 31 years
  return {nanoseconds(std::llround(std::clamp(ms, 0.0, longest) * 1e6))};
}

act act_of(const json::object& from) {
  act out;
  out.call = id_of(from, "call");
  if (from.contains("answer")) {
    out.what = answered{from.at("answer")};
  } else if (from.contains("fail")) {
    out.what = error_of(from, outcome::fail, "fail");
  } else if (from.contains("info")) {
    out.what = error_of(from, outcome::info, "info");
  } else {
    out.ask = id_of(from, "ask");
    if (from.contains("sleep")) {
      out.what = sleep_of(from);
    } else if (from.contains("command")) {
      out.what = command_of(from);
    } else if (from.contains("random")) {
      out.what = asked_random{};
    } else {
      refuse("one of answer, fail, info, sleep, random, command is missing in " + shown(from));
    }
  }
  return out;
}

bool yes_of(const json::object& of, const char* name) {
  const auto* said = of.if_contains(name);
  if (said == nullptr) return false;
  if (!said->is_bool()) refuse(fmt::format("`{}` is neither true nor false: {}", name, shown(of)));
  return said->as_bool();
}

socket_news socket_of(const json::value& from) {
  if (!from.is_object()) refuse("`sockets` holds " + shown(from));
  const auto& one = from.as_object();
  const auto port = id_of(one, "port");
  if (port > 65535) refuse("no port: " + shown(from));
  return {static_cast<std::uint16_t>(port), id_of(one, "bytes"), yes_of(one, "closed"),
          one.contains("call") ? id_of(one, "call") : 0};
}

monotonic_time timer_of(const json::value& from) {
  boost::system::error_code error;
  const double ms = from.to_number<double>(error);
  if (error || !std::isfinite(ms)) refuse("no time of a timer: " + shown(from));
  constexpr double longest = 1e12;
  return monotonic_time(nanoseconds(std::llround(std::clamp(ms, -longest, longest) * 1e6)));
}

std::optional<std::uint64_t> token_of(const json::object& from) {
  if (const auto* token = from.if_contains("token"); token != nullptr && !token->is_null()) {
    return id_of(from, "token");
  }
  return std::nullopt;
}

void read_exceptions(const json::value& from, guarantees& into) {
  if (!from.is_array()) refuse("not_guaranteed is no list: " + shown(from));
  for (const auto& each : from.as_array()) {
    if (!each.is_object()) refuse("not_guaranteed holds " + shown(each));
    const auto& one = each.as_object();
    into.not_guaranteed.push_back(
        {text_of(one, "property"), one.contains("profile") ? text_of(one, "profile") : "*"});
  }
}

void read_guarantees(const json::object& from, guarantees& into) {
  for (const auto& [name, value] : from) {
    if (name == "scope") {
      declare_scope(into, text_of(from, "scope"));
    } else if (name == "expiry") {
      declare_expiry(into, text_of(from, "expiry"));
    } else if (name == "granule_ms") {
      declare_granule(into, static_cast<std::int64_t>(id_of(from, "granule_ms")));
    } else if (name == "handoff") {
      declare_handoff(into, text_of(from, "handoff"));
    } else if (name == "acquire_trips") {
      const auto trips = id_of(from, "acquire_trips");
      if (trips < 1 || trips > 20) refuse("acquire_trips: 1 to 20 are allowed");
      into.acquire_trips = static_cast<int>(trips);
    } else if (name == "not_guaranteed") {
      read_exceptions(value, into);
    } else {
      refuse(fmt::format(
          "guarantees: `{}`; allowed: scope, expiry, granule_ms, handoff, acquire_trips, "
          "not_guaranteed",
          std::string_view(name.data(), name.size())));
    }
  }
}

}  // namespace

std::string hello_line(const std::string& prefix) {
  return json::serialize(json::object{{"hello", 1}, {"prefix", prefix}});
}
std::string reset_line() { return R"({"reset":true})"; }
std::string close_line() { return R"({"close":true})"; }

std::string reset_line(std::uint64_t seed, const clocks& at) {
  json::object line{{"reset", true}, {"seed", seed}};
  add_clocks(line, at);
  return json::serialize(line);
}

std::string go_on_line(const clocks& at) {
  json::object line;
  add_clocks(line, at);
  return json::serialize(line);
}

std::string tick_line(const clocks& at) {
  json::object line{{"tick", true}};
  add_clocks(line, at);
  return json::serialize(line);
}

std::string with_news(std::string line, const std::vector<socket_news>& news) {
  if (news.empty()) return line;
  json::array items;
  for (const auto& each : news) {
    json::object one{{"port", each.port}, {"bytes", each.bytes}};
    if (each.closed) one["closed"] = true;
    items.push_back(std::move(one));
  }
  line.pop_back();
  return line + ",\"sockets\":" + json::serialize(items) + "}";
}

std::string call_line(std::uint64_t call, operation what, const arguments& with, nanoseconds limit,
                      const clocks& at) {
  json::object args{{"key", with.key}};
  if (what == operation::transfer) {
    args["from"] = with.owner;
    args["to"] = with.to;
  } else if (what != operation::get) {
    args["owner"] = with.owner;
  }
  if (with.ttl) args["ttl"] = with.ttl->count();
  json::object line{
      {"call", call}, {"op", to_string(what)}, {"args", args}, {"limit", in_ms(limit)}};
  add_clocks(line, at);
  return json::serialize(line);
}

std::string resume_line(std::uint64_t ask, const result<json::value>& with, const clocks& at) {
  json::object line{{"resume", ask}};
  if (with) {
    line["value"] = *with;
  } else {
    line["error"] = json::object{{"kind", to_string(with.error().kind)},
                                 {"code", to_string(with.error().code)},
                                 {"text", with.error().text}};
  }
  add_clocks(line, at);
  return json::serialize(line);
}

json::value to_json(const reply& from) {
  switch (from.kind) {
    case reply_kind::nil:
      return nullptr;
    case reply_kind::integer:
      return from.integer;
    case reply_kind::text:
    case reply_kind::status:
      return json::value(from.text);
    case reply_kind::error:
      return json::object{{"error", from.text}};
    case reply_kind::array:
      break;
  }
  json::array items;
  for (const auto& item : from.items) items.push_back(to_json(item));
  return items;
}

hello parse_hello(std::string_view line) {
  const auto object = parse_object(line);
  if (id_of(object, "hello") != 1) refuse("it speaks another version: " + shown(object));
  const auto& names = member(object, "operations");
  if (!names.is_array()) refuse("operations is no list: " + shown(object));
  hello out;
  std::vector<std::string> known, given;
  for (const operation each : operations) known.emplace_back(to_string(each));
  for (const auto& name : names.as_array()) {
    given.push_back(name.is_string() ? std::string(name.as_string()) : shown(name));
    if (std::ranges::find(known, given.back()) == known.end()) {
      refuse(fmt::format("there is no operation `{}`; allowed: {}", given.back(),
                         fmt::join(known, ", ")));
    }
  }
  for (const operation each : operations) {
    const std::string name(to_string(each));
    if (std::ranges::find(given, name) == given.end()) out.missing.push_back(each);
  }
  if (const auto* said = object.if_contains("guarantees"); said != nullptr) {
    if (!said->is_object()) refuse("guarantees is no object: " + shown(*said));
    read_guarantees(said->as_object(), out.declared);
  }
  if (object.contains("records")) {
    expect_known_place(text_of(object, "records"));
    out.says_where = true;
  }
  out.in_step = yes_of(object, "in_step");
  return out;
}

std::vector<act> parse_acts(std::string_view line) { return parse_turn(line).acts; }

turn parse_turn(std::string_view line) {
  const auto object = parse_object(line);
  const auto& acts = member(object, "do");
  if (!acts.is_array()) refuse("`do` is no list: " + shown(object));
  turn out;
  for (const auto& each : acts.as_array()) {
    if (!each.is_object()) refuse("`do` holds " + shown(each));
    out.acts.push_back(act_of(each.as_object()));
  }
  if (const auto* sockets = object.if_contains("sockets"); sockets != nullptr) {
    if (!sockets->is_array()) refuse("`sockets` is no list: " + shown(object));
    for (const auto& each : sockets->as_array()) out.sockets.push_back(socket_of(each));
  }
  if (const auto* timer = object.if_contains("timer"); timer != nullptr) {
    out.timer = timer_of(*timer);
  }
  return out;
}

acquire_answer parse_acquire(const json::value& from) {
  if (!from.is_object()) refuse("no answer to acquire_lease: " + shown(from));
  const auto& object = from.as_object();
  acquire_answer out;
  out.acquired = parse_yes(member(object, "acquired"));
  if (const auto* owner = object.if_contains("owner")) out.owner = parse_owner(*owner);
  out.token = token_of(object);
  return out;
}

std::optional<std::string> parse_owner(const json::value& from) {
  if (from.is_null()) return std::nullopt;
  if (!from.is_string()) refuse("no owner: " + shown(from));
  return std::string(from.as_string());
}

bool parse_yes(const json::value& from) {
  if (!from.is_bool()) refuse("neither true nor false: " + shown(from));
  return from.as_bool();
}

transfer_answer parse_transfer(const json::value& from) {
  if (from.is_bool()) return {from.as_bool(), std::nullopt};
  if (!from.is_object()) refuse("no answer to transfer_lease: " + shown(from));
  return {parse_yes(member(from.as_object(), "moved")), token_of(from.as_object())};
}

}  // namespace leaselab::pipe
