#include "cli/report/page.hpp"

#include <fmt/format.h>

#include "cli/report/check_report.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

// Every colour of text has a contrast of at least 4.5 to 1 with what it stands on, in both modes.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --good: #176b45; --bad: #b3191f; --seen: #8a5200;
  --limit: #1b63a5; --doubt: #fff0b3; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd39b; --bad: #b3191f; --seen: #f0b04c;
  --limit: #7bb8f0; --doubt: #4d3d00; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em;
  max-width: 110em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; overflow-wrap: anywhere; }
p, small, td code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; }
th, td { padding: .25em .7em; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { white-space: nowrap; }
td.wide { overflow-wrap: anywhere; min-width: 14em; } th[colspan] { white-space: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
summary { white-space: nowrap; cursor: pointer; }
.holds { color: var(--good); } .witness { color: var(--seen); } .limit { color: var(--limit); }
.broken { color: #fff; background: var(--bad); font-weight: bold; padding: 0 .3em; }
.unknown { background: var(--doubt); }
.unwitnessed, .not_applicable, .quiet, small { color: color-mix(in srgb, CanvasText 68%, Canvas); }
section { margin: 2em 0; } svg { display: block; }
)";

}  // namespace

std::string html_page(std::string_view title, std::string_view head, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>leaselab: {0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p><code>{2}</code></p>\n{3}</body></html>\n",
      escaped(title), style, escaped(head), body);
}

std::string html_row(const std::vector<html_cell>& cells) {
  std::string out = "<tr>";
  for (const auto& one : cells) {
    if (one.look.empty()) {
      out += fmt::format("<td>{}</td>", one.content);
    } else if (one.look == "number" || one.look == "wide") {
      out += fmt::format("<td class=\"{}\">{}</td>", one.look, one.content);
    } else {
      out += fmt::format("<td><span class=\"{}\">{}</span></td>", one.look, one.content);
    }
  }
  return out + "</tr>\n";
}

std::string html_table(const std::vector<std::string>& heads, const std::string& rows) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto& one : heads) out += fmt::format("<th>{}</th>", escaped(one));
  return out + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string html_replay(const std::string& trace) {
  if (trace.empty()) return {};
  return fmt::format("<code>{}</code>", escaped(replay_command(trace)));
}

}  // namespace leaselab::cli
