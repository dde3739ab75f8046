#include "cli/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/text.hpp"
#include "cli/terminal.hpp"

namespace leaselab::cli {
namespace {

using properties::cell;
using properties::cell_result;

colour colour_of(cell_result result) {
  switch (result) {
    case cell_result::holds:
      return colour::green;
    case cell_result::broken:
      return colour::red;
    case cell_result::unknown:
    case cell_result::witness:
      return colour::yellow;
    case cell_result::limit:
      return colour::cyan;
    case cell_result::unwitnessed:
    case cell_result::not_applicable:
      return colour::dim;
  }
  return colour::plain;
}

// A profile says something only where the worst is no good news.
std::string cell_text(const cell* one) {
  if (!one || one->result == cell_result::not_applicable) return "-";
  const std::string result(to_string(one->result));
  if (one->result == cell_result::holds) return result;
  return result + " " + one->profile;
}

// A provider's name in pieces that end at a dash or a colon: "release-", "then-", "acquire".
std::vector<std::string> pieces(const std::string& name, std::size_t width) {
  std::vector<std::string> out{""};
  for (std::size_t begin = 0; begin < name.size();) {
    const auto end = std::min(name.find_first_of("-:", begin), name.size() - 1) + 1;
    const std::string piece = name.substr(begin, end - begin);
    if (!out.back().empty() && out.back().size() + piece.size() > width) out.emplace_back();
    out.back() += piece;
    begin = end;
  }
  return out;
}

struct column {
  std::string provider;
  std::vector<const cell*> cells;  // a row each
  std::size_t width = 0;
  std::vector<std::string> head;
};

column make_column(const matrix& cells, const std::string& provider) {
  constexpr std::size_t narrowest = 9;
  column out{provider, {}, narrowest, {}};
  for (const auto& property : cells.properties()) {
    out.cells.push_back(cells.worst(provider, property));
    out.width = std::max(out.width, cell_text(out.cells.back()).size());
  }
  out.head = pieces(provider, out.width);
  for (const auto& piece : out.head) out.width = std::max(out.width, piece.size());
  return out;
}

// How many of the columns from `first` on fit beside the names of the rows; at least one.
std::size_t fitting(const std::vector<column>& columns, std::size_t first, std::size_t names,
                    int width) {
  std::size_t used = names;
  std::size_t count = 0;
  while (first + count < columns.size()) {
    used += columns[first + count].width + 2;
    if (width > 0 && count > 0 && used > static_cast<std::size_t>(width)) break;
    ++count;
  }
  return count;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string head_lines(const std::vector<column>& columns, std::size_t first, std::size_t count,
                       std::size_t names) {
  std::size_t height = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    height = std::max(height, columns[i].head.size());
  }
  std::string out;
  for (std::size_t row = 0; row < height; ++row) {
    std::string line(names, ' ');
    for (std::size_t i = first; i < first + count; ++i) {
      const auto& head = columns[i].head;
      const std::size_t skipped = height - head.size();  // names stand on the last line
      line += fmt::format("  {:<{}}", row < skipped ? "" : head[row - skipped], columns[i].width);
    }
    out += trimmed(line);
  }
  return out;
}

std::string row_line(const matrix& cells, const std::vector<column>& columns, std::size_t row,
                     std::size_t first, std::size_t count, std::size_t names, bool colours) {
  std::string line = fmt::format("{:<{}}", cells.properties()[row], names);
  for (std::size_t i = first; i < first + count; ++i) {
    const cell* const one = columns[i].cells[row];
    const std::string text = cell_text(one);
    const auto with = one ? colour_of(one->result) : colour::dim;
    line += "  " + painted(text, with, colours) + std::string(columns[i].width - text.size(), ' ');
  }
  return trimmed(line);
}

}  // namespace

std::string matrix_table(const matrix& cells, const table_style& style) {
  std::vector<column> columns;
  for (const auto& provider : cells.providers()) columns.push_back(make_column(cells, provider));
  std::size_t names = 0;
  for (const auto& property : cells.properties()) names = std::max(names, property.size());
  std::string out;
  for (std::size_t first = 0; first < columns.size();) {
    const std::size_t count = fitting(columns, first, names, style.width);
    if (first > 0) out += "\n";
    out += head_lines(columns, first, count, names);
    for (std::size_t row = 0; row < cells.properties().size(); ++row) {
      out += row_line(cells, columns, row, first, count, names, style.colour);
    }
    first += count;
  }
  return out;
}

}  // namespace leaselab::cli
