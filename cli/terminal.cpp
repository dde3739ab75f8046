#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace leaselab::cli {
namespace {

std::string_view code_of(colour with) {
  switch (with) {
    case colour::green:
      return "32";
    case colour::red:
      return "1;31";
    case colour::yellow:
      return "33";
    case colour::cyan:
      return "36";
    case colour::dim:
      return "2";
    case colour::bold:
      return "1";
    case colour::plain:
      break;
  }
  return "";
}

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

int terminal_width(std::FILE* stream) {
  winsize size{};
  if (!is_terminal(stream) || ::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool wants_colour(std::FILE* stream) {
  return is_terminal(stream) && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

std::string painted(std::string_view text, colour with, bool enabled) {
  if (!enabled || with == colour::plain || text.empty()) return std::string(text);
  return std::string("\x1b[").append(code_of(with)).append("m").append(text).append("\x1b[0m");
}

}  // namespace leaselab::cli
