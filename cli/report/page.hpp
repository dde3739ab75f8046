// One HTML page that needs nothing else: no script, no file beside it, nothing from the network.
// It follows the reader's light or dark, and what is wider than the screen scrolls by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace leaselab::cli {

// `head`: the first line of the report, as it was typed. `body`: HTML.
std::string html_page(std::string_view title, std::string_view head, const std::string& body);

// A cell's HTML, and how it looks: holds, broken, witness, limit, unknown, quiet; number; wide, of
// much text; or nothing.
struct html_cell {
  std::string content;
  std::string look = {};
};
std::string html_row(const std::vector<html_cell>& cells);
// `heads` are text; `rows` are made of html_row().
std::string html_table(const std::vector<std::string>& heads, const std::string& rows);

// The command that replays a trace, as something to be copied; empty: there is no trace.
std::string html_replay(const std::string& trace);

}  // namespace leaselab::cli
