// What the program may assume of where its text goes: colours and a progress line are for people
// in front of a terminal, never for a pipe or a file.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace leaselab::cli {

enum class colour { plain, green, red, yellow, cyan, dim, bold };

bool is_terminal(std::FILE* stream);
// Columns of the terminal behind `stream`; 0 where there is none.
int terminal_width(std::FILE* stream);
// On a terminal that is not "dumb", unless NO_COLOR is set to anything but the empty string.
bool wants_colour(std::FILE* stream);

// `text` in that colour, or as it is where `enabled` is false.
std::string painted(std::string_view text, colour with, bool enabled);

}  // namespace leaselab::cli
