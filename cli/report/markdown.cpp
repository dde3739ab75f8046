#include "cli/report/markdown.hpp"

#include <fmt/format.h>

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

std::string check_markdown(const check_report& report) {
  std::string out = fmt::format("`{}`\n\n|", report.head);
  std::string rule = "\n|---|";
  out += " property |";
  for (const auto& provider : report.cells.providers()) {
    out += fmt::format(" {} |", provider);
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
  return out;
}

}  // namespace leaselab::cli
