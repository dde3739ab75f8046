// One backend command and its reply, as a link carries them: Redis' vocabulary without its wire.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab {

// A Lua script. Scripts are constants: they outlive every command that names them.
struct script {
  std::string name;  // "acquire": names the trip in traces and scenario files (EVALSHA:acquire)
  std::string text;
  std::string sha1;  // hexadecimal, lower case

  // Computes the SHA-1 that EVALSHA wants.
  script(std::string name, std::string text);
};

// The SHA-1 of `text`, 40 hexadecimal digits, lower case.
std::string sha1_hex(std::string_view text);

struct command {
  // Plain command: words are the whole of it ("GET", key).
  // Script: words are `key_count` keys, then the arguments.
  boost::container::small_vector<std::string, 6> words;
  const script* lua = nullptr;
  bool by_text = false;  // script only: EVAL with the text instead of EVALSHA
  int key_count = 1;     // script only, at least 1; all keys share one hash slot

  // "GET", "EVALSHA:acquire", "EVAL:acquire".
  std::string label() const;
  // The words as they go on the wire.
  std::vector<std::string> wire() const;
};

enum class reply_kind : std::uint8_t { nil, integer, text, status, error, array };

struct reply {
  reply_kind kind = reply_kind::nil;
  std::int64_t integer = 0;  // integer
  std::string text;          // text, status, error (with its code in front: "NOSCRIPT No ...")
  std::vector<reply> items;  // array

  bool operator==(const reply&) const = default;
  bool is_error(std::string_view code) const {
    return kind == reply_kind::error && std::string_view(text).substr(0, code.size()) == code;
  }
};

}  // namespace leaselab
