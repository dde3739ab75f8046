#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace leaselab::cli {
namespace {

std::string spelling(const flag& one) {
  const auto front = one.short_name.empty() ? "    " : fmt::format("{}, ", one.short_name);
  return fmt::format("{}{}{}{}", front, one.name, one.value.empty() ? "" : " ", one.value);
}

std::string usage_line(const verb& of) {
  std::string line = fmt::format("leaselab {}", of.name);
  if (!of.takes.name.empty()) {
    const bool optional = of.takes.least == 0;
    line += optional ? fmt::format(" [{}]", of.takes.name) : fmt::format(" {}", of.takes.name);
  }
  return line + " [flags]";
}

}  // namespace

std::string help_text() {
  std::string text =
      "leaselab: what does a lease backend really guarantee, under which faults, and what is the\n"
      "smallest run that proves it?\n\n";
  for (const verb& one : verbs()) text += fmt::format("  leaselab {:<8} {}\n", one.name, one.about);
  text +=
      "\n  leaselab VERB --help   a verb's flags, with examples\n"
      "  leaselab --version\n\n"
      "Exit status: 0 as declared or expected; 1 a violation or an unmet expectation; 2 unknown;\n"
      "3 a wrong command line or a bad file; 4 nondeterminism; 130 interrupted.\n";
  return text;
}

std::string help_text(const verb& of) {
  std::string text = fmt::format("{}\n\n  {}\n", of.about, usage_line(of));
  if (!of.takes.name.empty()) text += fmt::format("\n{}: {}\n", of.takes.name, of.takes.about);
  std::size_t width = 0;
  for (const flag& one : of.flags) width = std::max(width, spelling(one).size());
  text += "\nFlags:\n";
  for (const flag& one : of.flags) {
    text += fmt::format("  {:<{}}  {}\n", spelling(one), width, one.about);
  }
  text += fmt::format("  {:<{}}  {}\n", "-h, --help", width, "this text");
  text += "\nExamples:\n";
  for (const auto example : of.examples) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace leaselab::cli
