#include "cli/report/markdown.hpp"

#include <fmt/format.h>

#include "cli/report/missing.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::cell_result;

std::string cell_text(const properties::cell* one) {
  if (!one || one->result == cell_result::not_applicable) return "-";
  if (one->result == cell_result::holds) return "holds";
  const bool loud = one->result == cell_result::broken;
  return fmt::format("{0}{1}{0} {2}", loud ? "**" : "", to_string(one->result), one->profile);
}

}  // namespace

// Markdown splits cells at bars, whatever stands around them.
std::string in_cell(std::string_view text) {
  std::string out;
  for (const char one : escaped(text)) {
    if (one == '|' || one == '\\' || one == '`' || one == '*' || one == '_') out += '\\';
    out += one == '\n' ? ' ' : one;
  }
  return out;
}

std::string check_markdown(const check_report& report) {
  std::string out = fmt::format("`{}`\n\n|", report.head);
  std::string rule = "\n|---|";
  out += " property |";
  for (const auto& provider : report.cells.providers()) {
    out += fmt::format(" {} |", in_cell(provider));
    rule += "---|";
  }
  out += rule + "\n";
  for (const auto& property : report.cells.properties()) {
    out += fmt::format("| `{}` |", property);
    for (const auto& provider : report.cells.providers()) {
      out += fmt::format(" {} |", cell_text(report.cells.worst(provider, property)));
    }
    out += "\n";
  }
  if (const auto missing = missing_lines(report.asked.providers); !missing.empty())
    out += "\n" + in_cell(missing) + "\n";
  return out;
}

}  // namespace leaselab::cli
