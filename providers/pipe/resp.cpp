#include "providers/pipe/resp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

namespace leaselab::pipe {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::int64_t most_words = 1 << 20;
constexpr std::int64_t longest_word = 64 << 20;

// Reads on in what has come so far; false: it ends before the wanted thing does.
class reader {
 public:
  explicit reader(std::string_view bytes) : bytes_(bytes) {}

  bool line(std::string_view& out) {
    const auto end = bytes_.find(line_end, at_);
    if (end == std::string_view::npos) return false;
    out = bytes_.substr(at_, end - at_);
    at_ = end + line_end.size();
    return true;
  }
  bool number(char mark, std::int64_t most, std::int64_t& out) {
    std::string_view text;
    if (!line(text)) return false;
    const bool marked = !text.empty() && text.front() == mark;
    const auto digits = text.substr(marked ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    if (!marked || !whole || out < 0 || out > most) {
      throw std::runtime_error(fmt::format("no request to Redis: `{}`", text.substr(0, 60)));
    }
    return true;
  }
  bool word(std::string& out) {
    std::int64_t length = 0;
    if (!number('$', longest_word, length)) return false;
    const auto size = static_cast<std::size_t>(length);
    if (bytes_.size() - at_ < size + line_end.size()) return false;
    out = bytes_.substr(at_, size);
    at_ += size + line_end.size();
    return true;
  }
  std::size_t read() const { return at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// As people type it: words between spaces.
request inline_request(std::string_view line) {
  request out;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    if (end > 0) out.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return out;
}

}  // namespace

std::optional<request> take_request(std::string& bytes) {
  while (!bytes.empty()) {
    reader from(bytes);
    request out;
    if (bytes.front() != '*') {
      std::string_view line;
      if (!from.line(line)) return std::nullopt;
      out = inline_request(line);
    } else {
      std::int64_t words = 0;
      if (!from.number('*', most_words, words)) return std::nullopt;
      out.resize(static_cast<std::size_t>(words));
      for (auto& each : out) {
        if (!from.word(each)) return std::nullopt;
      }
    }
    bytes.erase(0, from.read());
    if (!out.empty()) return out;  // Redis passes over those without a word
  }
  return std::nullopt;
}

void append_reply(const reply& from, std::string& to) {
  switch (from.kind) {
    case reply_kind::nil:
      to += "$-1\r\n";
      return;
    case reply_kind::integer:
      fmt::format_to(std::back_inserter(to), ":{}\r\n", from.integer);
      return;
    case reply_kind::text:
      fmt::format_to(std::back_inserter(to), "${}\r\n{}\r\n", from.text.size(), from.text);
      return;
    case reply_kind::status:
      fmt::format_to(std::back_inserter(to), "+{}\r\n", from.text);
      return;
    case reply_kind::error:
      fmt::format_to(std::back_inserter(to), "-{}\r\n", from.text);
      return;
    case reply_kind::array:
      fmt::format_to(std::back_inserter(to), "*{}\r\n", from.items.size());
      for (const auto& item : from.items) append_reply(item, to);
  }
}

bool expects_list(const command& asked) {
  constexpr std::string_view names[] = {"BLPOP",    "BRPOP",      "BLMPOP", "BZPOPMIN",
                                        "BZPOPMAX", "BZMPOP",     "LMPOP",  "ZMPOP",
                                        "XREAD",    "XREADGROUP", "EXEC"};
  if (asked.words.empty()) return false;
  const std::string name = in_capitals(asked.words[0]);
  if (name == "LPOP" || name == "RPOP") return asked.words.size() == 3;
  return std::ranges::find(names, name) != std::end(names);
}

std::string in_capitals(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return out;
}

}  // namespace leaselab::pipe
