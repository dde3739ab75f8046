#include "properties/judge_file.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "properties/json_line.hpp"

namespace leaselab::properties {
namespace {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using index_of = std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>>;

std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// "what it is" and "what it may be".
[[noreturn]] void refuse(std::string_view name, std::string_view is, std::string_view allowed) {
  constexpr std::size_t longest = 40;
  std::string text = "\"" + std::string(name) + "\" is " + std::string(is.substr(0, longest));
  if (is.size() > longest) text += "...";
  throw std::runtime_error(text + ", and must be " + std::string(allowed));
}

std::string shown(const json_value& value) {
  switch (value.kind) {
    case json_kind::null:
      return "null";
    case json_kind::boolean:
      return value.boolean ? "true" : "false";
    case json_kind::integer:
      return std::to_string(value.integer);
    case json_kind::string:
      return "\"" + std::string(value.text) + "\"";
    case json_kind::other:
      return "a fraction, a list or an object";
  }
  return "?";
}

std::int64_t need_integer(std::string_view name, const json_value& value) {
  if (value.kind == json_kind::integer) return value.integer;
  refuse(name, shown(value), "a whole number");
}

// Far from where any sum of two instants could wrap.
std::int64_t need_instant(std::string_view name, const json_value& value) {
  const std::int64_t instant = need_integer(name, value);
  constexpr std::int64_t most = std::int64_t{1} << 61;
  if (instant < -most || instant > most)
    refuse(name, shown(value), "a whole number within 2^61 of 0");
  return instant;
}

std::string_view need_text(std::string_view name, const json_value& value) {
  if (value.kind == json_kind::string) return value.text;
  refuse(name, shown(value), "a string");
}

std::int64_t read_ttl(const json_value& value) {
  if (value.kind == json_kind::null) return no_expiry;
  return need_instant("ttl", value);
}

std::string read_unit(std::string_view text) {
  for (const std::string_view unit : {"tick", "ns", "us", "ms"})
    if (text == unit) return std::string(unit);
  refuse("unit", text, "tick, ns, us or ms");
}

reading_of read_reading(std::string_view text) {
  if (text == "at") return reading_of::at;
  if (text == "after") return reading_of::after;
  if (text == "any") return reading_of::any;
  refuse("reading", text, "at, after or any");
}

lease_op read_op(std::string_view text) {
  if (text == "acquire") return lease_op::acquire;
  if (text == "renew") return lease_op::renew;
  if (text == "release") return lease_op::release;
  if (text == "get") return lease_op::get;
  if (text == "transfer") return lease_op::transfer;
  refuse("op", text, "acquire, renew, release, get or transfer");
}

outcome read_outcome(std::string_view text) {
  if (text == "ok") return outcome::ok;
  if (text == "fail") return outcome::fail;
  if (text == "info") return outcome::info;
  refuse("outcome", text, "ok, fail or info");
}

class reader {
 public:
  explicit reader(const header_override& instead) : instead_(instead) {}

  void line(std::string_view text) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (!header_read_) return read_header(text);
    read_operation(text);
  }

  recorded_history finish() {
    if (!header_read_) throw std::runtime_error("the file is empty: a header is missing");
    return std::move(result_);
  }

 private:
  void read_header(std::string_view text) {
    auto& header = result_.header;
    bool named = false;
    json_line members(text);
    for (auto [name, value] = std::pair<std::string_view, json_value>();
         members.next(name, value);) {
      if (name == "history") {
        if (need_integer(name, value) != 1) refuse(name, shown(value), "1, the only format");
        named = true;
      } else if (name == "unit") {
        header.unit = read_unit(need_text(name, value));
      } else if (name == "ttl") {
        header.ttl = read_ttl(value);
      } else if (name == "granule") {
        header.granule = need_instant(name, value);
      } else if (name == "phase") {
        header.phase = need_instant(name, value);
      } else if (name == "clock_error") {
        header.clock_error = need_instant(name, value);
      } else if (name == "reading") {
        header.reading = read_reading(need_text(name, value));
      }
    }
    if (!named) throw std::runtime_error("the first line must be a header with \"history\": 1");
    header.reading = instead_.reading.value_or(header.reading);
    header.granule = instead_.granule.value_or(header.granule);
    if (header.granule < 1) refuse("granule", std::to_string(header.granule), "at least 1");
    if (header.clock_error < 0)
      refuse("clock_error", std::to_string(header.clock_error), "at least 0");
    header_read_ = true;
  }

  void read_operation(std::string_view text) {
    history_operation operation;
    key_history* history = nullptr;
    bool has_op = false, has_call = false, has_outcome = false;
    std::optional<std::int64_t> ttl = result_.header.ttl;
    json_line members(text);
    for (auto [name, value] = std::pair<std::string_view, json_value>();
         members.next(name, value);) {
      if (name == "id") {
        operation.id = static_cast<std::uint64_t>(need_integer(name, value));
      } else if (name == "process") {
        operation.process = index(processes_, result_.processes, need_text(name, value));
      } else if (name == "op") {
        operation.call.op = read_op(need_text(name, value));
        has_op = true;
      } else if (name == "key") {
        history = &key(need_text(name, value));
      } else if (name == "owner") {
        if (value.kind != json_kind::null) operation.call.owner = owner(need_text(name, value));
      } else if (name == "to") {
        if (value.kind != json_kind::null) operation.call.to = owner(need_text(name, value));
      } else if (name == "ttl") {
        ttl = read_ttl(value);
      } else if (name == "call") {
        operation.called = need_instant(name, value);
        has_call = true;
      } else if (name == "return") {
        if (value.kind != json_kind::null) operation.returned = need_instant(name, value);
      } else if (name == "outcome") {
        operation.ended = read_outcome(need_text(name, value));
        has_outcome = true;
      } else if (name == "answer") {
        if (value.kind == json_kind::boolean) {
          operation.answer = value.boolean ? claim_of::yes : claim_of::no;
        } else if (value.kind != json_kind::null) {
          refuse(name, shown(value), "true, false or null");
        }
      } else if (name == "holder") {
        operation.claims_holder = true;
        if (value.kind != json_kind::null) operation.holder = owner(need_text(name, value));
      } else if (name == "token") {
        operation.claims_token = value.kind != json_kind::null;
        if (operation.claims_token) operation.token = read_token(value);
      }
    }
    if (!has_op) throw std::runtime_error("\"op\" is missing");
    if (!has_call) throw std::runtime_error("\"call\" is missing");
    if (!has_outcome) throw std::runtime_error("\"outcome\" is missing");
    if (history == nullptr) history = &key("");
    complete(operation, ttl);
    history->operations.push_back(operation);
    ++result_.operations;
  }

  std::uint64_t read_token(const json_value& value) {
    const std::int64_t token = need_integer("token", value);
    if (token < 0) refuse("token", shown(value), "at least 0");
    return static_cast<std::uint64_t>(token);
  }

  void complete(history_operation& operation, std::optional<std::int64_t> ttl) {
    auto& call = operation.call;
    if (operation.returned < operation.called) {
      refuse("return", std::to_string(operation.returned),
             "at least \"call\", " + std::to_string(operation.called));
    }
    if (call.op != lease_op::get && call.owner == 0)
      throw std::runtime_error("\"owner\" is missing");
    if (call.op == lease_op::transfer && call.to == 0)
      throw std::runtime_error("\"to\" is missing");
    // What failed had no effect, whatever it asked for.
    const bool sets = call.op != lease_op::get && call.op != lease_op::release;
    if (sets && operation.ended != outcome::fail) call.ttl = granules(ttl);
    const auto& header = result_.header;
    operation.called -= header.clock_error;
    operation.called_granule = floor_div(operation.called + header.phase, header.granule);
    if (operation.returned == never_returned) return;
    operation.returned += header.clock_error;
    operation.returned_granule = floor_div(operation.returned + header.phase, header.granule);
  }

  std::int64_t granules(std::optional<std::int64_t> ttl) {
    if (!ttl) throw std::runtime_error("\"ttl\" is missing, here and in the header");
    if (*ttl == no_expiry) return no_expiry;
    const std::int64_t granule = result_.header.granule;
    if (*ttl < 1) refuse("ttl", std::to_string(*ttl), "at least 1");
    if (*ttl % granule != 0) {
      refuse("ttl", std::to_string(*ttl),
             "a whole number of granules of " + std::to_string(granule));
    }
    return *ttl / granule;
  }

  std::uint32_t index(index_of& known, std::vector<std::string>& names, std::string_view name) {
    if (const auto found = known.find(name); found != known.end()) return found->second;
    const auto added = static_cast<std::uint32_t>(names.size());
    names.emplace_back(name);
    known.emplace(name, added);
    return added;
  }

  lease_owner owner(std::string_view name) {
    if (name.empty()) throw std::runtime_error("an owner must not be empty");
    return index(owners_, result_.owners, name);
  }

  key_history& key(std::string_view name) {
    if (const auto found = keys_.find(name); found != keys_.end())
      return result_.keys[found->second];
    keys_.emplace(name, static_cast<std::uint32_t>(result_.keys.size()));
    result_.keys.push_back({std::string(name), {}});
    return result_.keys.back();
  }

  header_override instead_;
  recorded_history result_;
  index_of keys_, owners_, processes_;
  bool header_read_ = false;
};

// A complaint is one line, whatever bytes it quotes.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

std::string contents(const std::string& path) {
  const gzFile file = path == "-" ? gzdopen(0, "rb") : gzopen(path.c_str(), "rb");
  if (file == nullptr) throw history_error(path + ": " + std::strerror(errno));
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> closed(file, gzclose);
  gzbuffer(file, 1 << 17);
  std::string text;
  for (std::size_t used = 0;;) {
    text.resize(std::max<std::size_t>(2 * used, 1 << 20));
    const auto room = static_cast<unsigned>(std::min<std::size_t>(text.size() - used, 1 << 30));
    const int got = gzread(file, text.data() + used, room);
    int code = Z_OK;
    if (got < 0) {
      const std::string why = gzerror(file, &code);  // begins with the path as a rule
      throw history_error(why.starts_with(path + ": ") ? why : path + ": " + why);
    }
    used += static_cast<std::size_t>(got);
    if (got > 0) continue;
    text.resize(used);
    gzerror(file, &code);
    if (code == Z_BUF_ERROR) throw history_error(path + ": the file is cut short");
    return text;
  }
}

}  // namespace

recorded_history parse_history(const std::string& text, const std::string& name,
                               const header_override& instead) {
  reader lines(instead);
  std::size_t number = 0;
  std::string_view rest = text;
  try {
    while (!rest.empty()) {
      ++number;
      const auto end = rest.find('\n');
      lines.line(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return lines.finish();
  } catch (const std::runtime_error& error) {
    throw history_error(name + ":" + std::to_string(std::max<std::size_t>(1, number)) + ": " +
                        printable(error.what()));
  }
}

recorded_history read_history(const std::string& path, const header_override& instead) {
  return parse_history(contents(path), path, instead);
}

judgement judge(const recorded_history& history, std::uint64_t step_limit) {
  history_checker checker;
  judgement result;
  const history_operation* earliest = nullptr;
  for (std::size_t i = 0; i < history.keys.size(); ++i) {
    const auto& operations = history.keys[i].operations;
    const auto one = checker.check(operations, {history.header.reading, true, step_limit});
    result.steps += one.steps;
    result.keys_unknown += one.value == verdict::unknown;
    result.too_many_open |= one.value == verdict::unknown && one.steps == 0;
    if (one.value != verdict::violated) continue;
    ++result.keys_violated;
    const auto& last = operations[*one.last];
    if (earliest && earliest->returned <= last.returned) continue;
    earliest = &last;
    result.key = history.keys[i].key;
    result.key_index = i;
    result.prefix = one.prefix;
    result.last = *one.last;
    result.last_id = last.id;
  }
  const bool all_hold = result.keys_unknown == 0 && !history.keys.empty();
  result.value = earliest ? verdict::violated : all_hold ? verdict::holds : verdict::unknown;
  return result;
}

}  // namespace leaselab::properties
