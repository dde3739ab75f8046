#include "sim/json_text.hpp"

#include <boost/json/object.hpp>
#include <cstdint>

namespace leaselab::sim {
namespace {

// The bytes that follow a first byte, and the smallest code point that so many may carry; -1: it
// cannot come first.
struct lead {
  int more;
  std::uint32_t bits;
  std::uint32_t least;
};

lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {0, byte, 0};
  if (byte < 0xc0) return {-1, 0, 0};
  if (byte < 0xe0) return {1, byte & 0x1fu, 0x80};
  if (byte < 0xf0) return {2, byte & 0x0fu, 0x800};
  if (byte < 0xf8) return {3, byte & 0x07u, 0x10000};
  return {-1, 0, 0};
}

std::string to_hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit_of(hex[i]);
    const int low = digit_of(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    auto [more, point, least] = lead_of(static_cast<unsigned char>(text[i++]));
    if (more < 0 || text.size() - i < static_cast<std::size_t>(more)) return false;
    for (; more > 0; --more, ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xc0) != 0x80) return false;
      point = (point << 6) | (byte & 0x3fu);
    }
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    if (point < least || surrogate || point > 0x10ffff) return false;
  }
  return true;
}

boost::json::value json_text(std::string_view text) {
  if (is_utf8(text)) return boost::json::string(text);
  return boost::json::object{{"hex", to_hex(text)}};
}

std::optional<std::string> text_of(const boost::json::value& value) {
  if (const auto* text = value.if_string()) return std::string(*text);
  const auto* object = value.if_object();
  if (!object || object->size() != 1) return std::nullopt;
  const auto* hex = object->if_contains("hex");
  if (!hex || !hex->is_string()) return std::nullopt;
  return from_hex(std::string_view(hex->get_string()));
}

}  // namespace leaselab::sim
