#include "properties/conformance_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/json_text.hpp"

namespace leaselab::properties::conformance {
namespace {

using sim::verb;

std::string_view name_of(verb what) {
  switch (what) {
    case verb::acquire:
      return to_string(operation::acquire);
    case verb::get:
      return to_string(operation::get);
    case verb::release:
      return to_string(operation::release);
    case verb::renew:
      return to_string(operation::renew);
    case verb::transfer:
      return to_string(operation::transfer);
    default:
      return "close";
  }
}

bool has_ttl(verb what) {
  return what == verb::acquire || what == verb::renew || what == verb::transfer;
}

std::string arguments_of(const step& asked) {
  if (asked.what == verb::close) return "";
  std::string out = readable(asked.key);
  if (asked.what != verb::get) out += ", " + readable(asked.owner);
  if (asked.what == verb::transfer) out += ", " + readable(asked.to);
  if (has_ttl(asked.what)) out += fmt::format(", {}", asked.ttl_ms);
  return out;
}

std::string describe_error(const answer& got) {
  const auto end = fmt::format("{} {}", to_string(got.ended), to_string(got.code));
  return got.text.empty() ? end : end + ": " + got.text;
}

// Inside a character of UTF-8.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

std::string escaped(char byte, bool utf8) {
  const auto value = static_cast<unsigned char>(byte);
  const bool plain = value >= 0x80 ? utf8 : value >= ' ' && value != 0x7f;
  return plain ? std::string(1, byte) : fmt::format("\\x{:02x}", value);
}

}  // namespace

std::string readable(std::string_view name, std::size_t longest) {
  if (name.empty()) return "\"\"";
  const bool utf8 = sim::is_utf8(name);
  std::size_t shown = std::min(name.size(), longest);
  while (utf8 && shown < name.size() && continues(name[shown])) --shown;
  std::string out;
  for (const char byte : name.substr(0, shown)) out += escaped(byte, utf8);
  return shown < name.size() ? fmt::format("{}... ({} bytes)", out, name.size()) : out;
}

std::string describe(const step& asked, const answer& got) {
  if (got.ended != outcome::ok) return describe_error(got);
  switch (asked.what) {
    case verb::acquire:
      if (got.yes) return "acquired";
      return got.named ? fmt::format("denied, {} holds it", readable(*got.named))
                       : "denied, naming nobody";
    case verb::get:
      return got.named ? readable(*got.named) : "none";
    case verb::renew:
    case verb::transfer:
      return got.yes ? "true" : "false";
    default:
      return "done";
  }
}

std::string describe_call(const step& asked) {
  const auto us = asked.at.count();
  return fmt::format("{}({}) at {} ms", name_of(asked.what), arguments_of(asked),
                     static_cast<double>(us) / 1000);
}

std::string describe_all(const conformance_case& about, const std::vector<answer>& answers) {
  std::vector<std::string> seen;
  const auto own = to_string(about.what);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (name_of(about.steps[i].what) != own) continue;
    auto text = describe(about.steps[i], answers[i]);
    if (std::find(seen.begin(), seen.end(), text) == seen.end()) seen.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(seen, "; "));
}

}  // namespace leaselab::properties::conformance
