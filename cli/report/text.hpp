// Small pieces of text that several reports share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leaselab::cli {

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);

// With &, <, >, " and what XML cannot hold replaced: for XML and HTML, attributes included.
std::string escaped(std::string_view text);

// As one word of a POSIX shell: quoted only where it must be.
std::string shell_word(std::string_view text);

// `count` and the noun, with an s unless it is one: "1 witness" takes its own plural.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace leaselab::cli
