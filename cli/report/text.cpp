#include "cli/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

std::string escaped_byte(unsigned char byte) {
  switch (byte) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      // XML 1.0 has no way to write most control characters, not even as references.
      return byte < 0x20 && byte != '\n' && byte != '\t' ? fmt::format("\\x{:02x}", byte)
                                                         : std::string(1, char(byte));
  }
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_-./:,+=@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3) {
    digits.insert(static_cast<std::size_t>(place), 1, ',');
  }
  return digits;
}

std::string escaped(std::string_view text) {
  std::string out;
  const bool unicode = sim::is_utf8(text);
  for (const unsigned char byte : text) {
    out += byte < 0x80 || unicode ? escaped_byte(byte) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) c == '\'' ? out.append("'\\''") : out.append(1, c);
  return out + "'";
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

}  // namespace leaselab::cli
