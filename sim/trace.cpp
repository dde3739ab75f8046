#include "sim/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "sim/plan_json.hpp"

namespace leaselab::sim {
namespace {

namespace json = boost::json;

std::string header_line(const trace_header& header) {
  json::object out{{"leaselab", "trace"},         {"version", header.version},
                   {"format", trace_format},      {"provider", header.provider},
                   {"property", header.property}, {"profile", header.profile},
                   {"engine", header.engine},     {"seed", std::to_string(header.seed)},
                   {"strategy", header.strategy}, {"plan", plan_to_value(header.plan)}};
  if (!header.folder.empty()) out.emplace("folder", header.folder);
  if (!header.files.empty()) out.emplace("files", header.files);
  return json::serialize(out);
}

json::object verdict_value(const trace_verdict& one) {
  json::object out{{"property", one.property}, {"verdict", one.verdict}};
  if (!one.text.empty()) out.emplace("text", one.text);
  return out;
}

std::string footer_line(const trace_footer& footer) {
  json::array verdicts;
  for (const auto& one : footer.verdicts) verdicts.push_back(verdict_value(one));
  return json::serialize(json::object{{"leaselab", "end"},
                                      {"verdicts", std::move(verdicts)},
                                      {"digest", digest_text(footer.digest)},
                                      {"history_digest", digest_text(footer.history_digest)}});
}

// One line of a trace that is being read; every complaint names it.
class line_reader {
 public:
  line_reader(const std::string& text, std::string where) : where_(std::move(where)) {
    json::error_code error;
    json::value value = json::parse(text, error);
    if (error || !value.is_object()) refuse("not a JSON object");
    object_ = std::move(value.get_object());
  }

  [[noreturn]] void refuse(const std::string& why) const { throw trace_error(where_ + why); }

  const json::value& member(std::string_view name) const {
    const auto* found = object_.if_contains(name);
    if (!found) refuse(fmt::format("\"{}\" is missing", name));
    return *found;
  }

  std::string text(std::string_view name) const {
    const auto& value = member(name);
    if (!value.is_string()) refuse(fmt::format("\"{}\" must be a string", name));
    return std::string(value.get_string());
  }

  // A whole number in a string, in the given base.
  std::uint64_t number(std::string_view name, int base) const {
    const std::string digits = text(name);
    const char* const last = digits.data() + digits.size();
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(digits.data(), last, out, base);
    if (digits.empty() || error != std::errc() || end != last) {
      refuse(fmt::format("\"{}\" is no number", name));
    }
    return out;
  }

  bool has(std::string_view name) const { return object_.contains(name); }

  bool says(std::string_view what) const {
    const auto* found = object_.if_contains("leaselab");
    return found && found->is_string() && std::string_view(found->get_string()) == what;
  }

 private:
  std::string where_;
  json::object object_;
};

trace_header read_header(const line_reader& line) {
  if (!line.says("trace")) line.refuse("not the header of a leaselab trace");
  const auto& format = line.member("format");
  if (!format.is_int64() || format.get_int64() != trace_format) {
    line.refuse(fmt::format("format {} is not known; this program reads format {}",
                            json::serialize(format), trace_format));
  }
  trace_header out;
  out.version = line.text("version");
  out.provider = line.text("provider");
  out.property = line.text("property");
  out.profile = line.text("profile");
  out.engine = line.text("engine");
  out.seed = line.number("seed", 10);
  out.strategy = line.text("strategy");
  if (line.has("folder")) out.folder = line.text("folder");
  if (line.has("files")) out.files = line.text("files");
  try {
    out.plan = plan_from_value(line.member("plan"));
  } catch (const std::invalid_argument& error) {
    line.refuse(error.what());
  }
  return out;
}

std::string optional_text(const json::object& from, std::string_view name) {
  const auto* found = from.if_contains(name);
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

trace_footer read_footer(const line_reader& line) {
  if (!line.says("end")) line.refuse("the trace ends without its footer");
  trace_footer out;
  const auto& verdicts = line.member("verdicts");
  if (!verdicts.is_array()) line.refuse("\"verdicts\" must be a list");
  for (const auto& one : verdicts.get_array()) {
    if (!one.is_object()) line.refuse("a verdict must be an object");
    const auto& from = one.get_object();
    out.verdicts.push_back({optional_text(from, "property"), optional_text(from, "verdict"),
                            optional_text(from, "text")});
  }
  out.digest = line.number("digest", 16);
  out.history_digest = line.number("history_digest", 16);
  return out;
}

std::vector<std::string> read_lines(std::istream& from) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(from, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

trace make_trace(trace_header header, const run_record& run, trace_footer footer) {
  trace out;
  out.lines.reserve(run.events.size() + 2);
  out.lines.push_back(header_line(header));
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    out.lines.push_back(event_line(run, header.plan, i));
  }
  footer.digest = run.digest;
  footer.history_digest = run.history_digest;
  out.lines.push_back(footer_line(footer));
  out.header = std::move(header);
  out.footer = std::move(footer);
  return out;
}

std::string to_text(const trace& value) {
  std::string out;
  for (const auto& line : value.lines) out.append(line).push_back('\n');
  return out;
}

trace read_trace(std::istream& from, const std::string& name) {
  trace out;
  out.lines = read_lines(from);
  if (from.bad()) throw trace_error(name + ": cannot be read");
  if (out.lines.empty()) throw trace_error(name + ": is empty, not a trace");
  const auto where = [&](std::size_t index) { return fmt::format("{}:{}: ", name, index + 1); };
  out.header = read_header(line_reader(out.lines[0], where(0)));
  const std::size_t last = out.lines.size() - 1;
  for (std::size_t i = 1; i < last; ++i) line_reader(out.lines[i], where(i));
  if (last == 0) throw trace_error(where(0) + "the trace ends without its footer");
  out.footer = read_footer(line_reader(out.lines[last], where(last)));
  return out;
}

trace read_trace(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw trace_error(path + ": is a directory, not a trace");
  }
  std::ifstream from(path, std::ios::binary);
  if (!from) throw trace_error(path + ": cannot be opened");
  return read_trace(from, path);
}

std::optional<std::size_t> first_difference(const trace& one, const trace& other) {
  const std::size_t shorter = std::min(one.lines.size(), other.lines.size());
  for (std::size_t i = 1; i < shorter; ++i) {
    if (one.lines[i] != other.lines[i]) return i + 1;
  }
  if (one.lines.size() != other.lines.size()) return shorter + 1;
  return std::nullopt;
}

}  // namespace leaselab::sim
