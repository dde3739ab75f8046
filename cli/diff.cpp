#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/trace_path.hpp"
#include "cli/traces.hpp"
#include "cli/version.hpp"
#include "sim/trace.hpp"

namespace leaselab::cli {
namespace {

// What both have done before they part.
constexpr std::size_t lines_of_context = 3;

std::string line_at(const sim::trace& one, std::size_t line) {
  return line <= one.lines.size() ? one.lines[line - 1] : "(the trace has ended)";
}

}  // namespace

int run_diff(const options& given) {
  const auto first = trace_path(given.arguments[0], given.out);
  const auto second = trace_path(given.arguments[1], given.out);
  const sim::trace one = read_trace(first);
  const sim::trace other = read_trace(second);
  fmt::print("leaselab {}  diff {} {}\n", version, first.string(), second.string());
  const auto line = sim::first_difference(one, other);
  if (!line) {
    fmt::print("the same {} lines\n", one.lines.size() - 1);
    return as_expected;
  }
  for (std::size_t i = std::max<std::size_t>(2, *line - std::min(*line, lines_of_context));
       i < *line; ++i) {
    fmt::print("  {:>5}  {}\n", i, line_at(one, i));
  }
  fmt::print("- {:>5}  {}\n+ {:>5}  {}\n", *line, line_at(one, *line), *line,
             line_at(other, *line));
  return violated;
}

}  // namespace leaselab::cli
