#include "properties/json_line.hpp"

#include <charconv>
#include <stdexcept>

namespace leaselab::properties {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | (code >> 6));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

std::uint32_t four_hex_digits(std::string_view& rest) {
  std::uint32_t code = 0;
  if (rest.size() < 4) throw std::runtime_error("a \\u escape is cut short");
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + 4, code, 16);
  if (error != std::errc() || end != rest.data() + 4)
    throw std::runtime_error("a \\u escape needs four hexadecimal digits");
  rest.remove_prefix(4);
  return code;
}

}  // namespace

bool json_line::next(std::string_view& name, json_value& value) {
  skip_space();
  if (!begun_) {
    expect('{');
    skip_space();
  }
  if (peek() == '}') {
    rest_.remove_prefix(1);
    skip_space();
    if (!rest_.empty()) refuse("expected the line to end");
    return false;
  }
  if (begun_) {
    expect(',');
    skip_space();
  }
  begun_ = true;
  name = string(name_);
  skip_space();
  expect(':');
  skip_space();
  value = {};
  const char first = peek();
  if (first == '"') {
    value.kind = json_kind::string;
    value.text = string(text_);
  } else if (word("null")) {
    value.kind = json_kind::null;
  } else if (word("true") || word("false")) {
    value.kind = json_kind::boolean;
    value.boolean = first == 't';
  } else if (first == '{' || first == '[') {
    value.kind = json_kind::other;
    skip_nested();
  } else {
    integer(value);
  }
  return true;
}

// With the place: what stands there, or that nothing does.
void json_line::refuse(std::string text) const {
  constexpr std::size_t longest = 20;
  text +=
      rest_.empty() ? " where the line ends" : " before " + std::string(rest_.substr(0, longest));
  throw std::runtime_error(text);
}

void json_line::skip_space() {
  while (!rest_.empty() && (peek() == ' ' || peek() == '\t' || peek() == '\r')) {
    rest_.remove_prefix(1);
  }
}

void json_line::expect(char c) {
  if (peek() != c || rest_.empty()) refuse(std::string("expected '") + c + "'");
  rest_.remove_prefix(1);
}

bool json_line::word(std::string_view text) {
  if (!rest_.starts_with(text)) return false;
  rest_.remove_prefix(text.size());
  return true;
}

// Nearly all strings hold no escape and are handed out as they stand in the line.
std::string_view json_line::string(std::string& unescaped) {
  expect('"');
  const auto end = rest_.find_first_of("\"\\");
  if (end == std::string_view::npos) throw std::runtime_error("a string does not end");
  if (rest_[end] == '"') {
    const auto text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  unescaped.clear();
  while (peek() != '"') {
    if (rest_.empty()) throw std::runtime_error("a string does not end");
    const char c = peek();
    rest_.remove_prefix(1);
    if (c == '\\') {
      unescape(unescaped);
    } else {
      unescaped.push_back(c);
    }
  }
  rest_.remove_prefix(1);
  return unescaped;
}

void json_line::unescape(std::string& out) {
  constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
  const char c = peek();
  if (!rest_.empty()) rest_.remove_prefix(1);
  if (const auto at = from.find(c); at != std::string_view::npos) return out.push_back(to[at]);
  if (c != 'u') throw std::runtime_error("an unknown escape in a string");
  std::uint32_t code = four_hex_digits(rest_);
  if (code >= 0xd800 && code < 0xdc00 && word("\\u")) {
    code = 0x10000 + ((code - 0xd800) << 10) + ((four_hex_digits(rest_) - 0xdc00) & 0x3ff);
  }
  append_utf8(out, code);
}

void json_line::integer(json_value& value) {
  const char* const begin = rest_.data();
  const auto [end, error] = std::from_chars(begin, begin + rest_.size(), value.integer);
  if (error != std::errc()) refuse("expected a value (whole numbers of 64 bits)");
  rest_.remove_prefix(static_cast<std::size_t>(end - begin));
  value.kind = json_kind::integer;
  if (peek() != '.' && peek() != 'e' && peek() != 'E') return;
  // A member that nobody reads may be any number; one that is read must be whole.
  value.kind = json_kind::other;
  rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of("0123456789.eE+-")));
}

void json_line::skip_nested() {
  int depth = 0;
  std::string ignored;
  do {
    const char c = peek();
    if (rest_.empty()) throw std::runtime_error("a nested value does not end");
    if (c == '"') {
      string(ignored);
      continue;
    }
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    rest_.remove_prefix(1);
  } while (depth > 0);
}

}  // namespace leaselab::properties
