// One flat JSON object, read member by member: a recorded history has a million of them. Internal
// to judge_file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leaselab::properties {

enum class json_kind : std::uint8_t { null, boolean, integer, string, other };

struct json_value {
  json_kind kind = json_kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string_view text;  // of a string; until the next one is read
};

class json_line {
 public:
  explicit json_line(std::string_view line) : rest_(line) {}

  // The next member, or false at the end. Throws std::runtime_error on what is no JSON object.
  bool next(std::string_view& name, json_value& value);

 private:
  [[noreturn]] void refuse(std::string text) const;
  void skip_space();
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void expect(char c);
  bool word(std::string_view text);
  std::string_view string(std::string& unescaped);
  void unescape(std::string& out);
  void integer(json_value& value);
  void skip_nested();

  std::string_view rest_;
  std::string name_, text_;
  bool begun_ = false;
};

}  // namespace leaselab::properties
