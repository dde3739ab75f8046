#include "scenarios/writer.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "scenarios/runtime_calls.hpp"

namespace leaselab::scenarios {
namespace {

std::string fixed(std::int64_t value, int digits) {
  std::string text = std::to_string(value);
  if (text.size() <= static_cast<std::size_t>(digits))
    text.insert(0, static_cast<std::size_t>(digits) + 1 - text.size(), '0');
  text.insert(text.size() - static_cast<std::size_t>(digits), ".");
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text += '0';
  return text;
}

}  // namespace

void toml_writer::header(const std::string& name) { out_ += "\n" + name + "\n"; }

void toml_writer::line(const std::string& key, const std::string& value) {
  out_ += key + " = " + value + "\n";
}

void toml_writer::text(const std::string& key, const std::string& value) {
  line(key, toml_text(value));
}

void toml_writer::texts(const std::string& key, const std::vector<std::string>& values) {
  if (values.empty()) return;
  std::string all;
  for (const std::string& value : values) all += (all.empty() ? "" : ", ") + toml_text(value);
  line(key, "[" + all + "]");
}

void toml_writer::duration(const std::string& key, sim::true_duration value) {
  text(key, format_duration(value));
}

void toml_writer::duration(const std::string& key, sim::true_duration value,
                           sim::true_duration fallback) {
  if (full_ || value != fallback) duration(key, value);
}

void toml_writer::flag(const std::string& key, bool value, bool fallback) {
  if (full_ || value != fallback) line(key, value ? "true" : "false");
}

void toml_writer::span(const std::string& key, const range& value) {
  line(key, value.least == value.most
                ? std::to_string(value.least)
                : "[" + std::to_string(value.least) + ", " + std::to_string(value.most) + "]");
}

std::string toml_text(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      ((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  return bare ? key : toml_text(key);
}

std::string decimal(std::int64_t parts_per_billion) { return fixed(parts_per_billion, 9); }
std::string fraction(std::int64_t parts_per_million) { return fixed(parts_per_million, 6); }

std::string call_name(const sim::plan& plan, std::uint32_t id) {
  if (sim::is_runtime_subject(id)) return runtime_call_name(plan, id);
  for (const sim::call_spec& call : plan.calls)
    if (call.id == id) return call.name;
  throw std::invalid_argument("the plan refers to a call that it does not have");
}

}  // namespace leaselab::scenarios
