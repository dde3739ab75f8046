#include "providers/command.hpp"

#include <boost/assert.hpp>
#include <boost/uuid/detail/sha1.hpp>
#include <utility>

namespace leaselab {

script::script(std::string name, std::string text)
    : name(std::move(name)), text(std::move(text)), sha1(sha1_hex(this->text)) {}

std::string sha1_hex(std::string_view text) {
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(text.data(), text.size());
  boost::uuids::detail::sha1::digest_type digest;
  hash.get_digest(digest);

  std::string hex;
  hex.reserve(40);
  for (const unsigned int word : digest) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 0xF];
  }
  return hex;
}

std::string command::label() const {
  if (lua == nullptr) return words.empty() ? std::string() : words.front();
  return (by_text ? "EVAL:" : "EVALSHA:") + lua->name;
}

std::vector<std::string> command::wire() const {
  if (lua == nullptr) return {words.begin(), words.end()};
  BOOST_ASSERT(key_count >= 1 && static_cast<std::size_t>(key_count) <= words.size());
  std::vector<std::string> out;
  out.reserve(words.size() + 3);
  out.emplace_back(by_text ? "EVAL" : "EVALSHA");
  out.push_back(by_text ? lua->text : lua->sha1);
  out.push_back(std::to_string(key_count));
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

}  // namespace leaselab
