#include "cli/report/bench_html.hpp"

#include <fmt/format.h>

#include "cli/report/bench_chart.hpp"
#include "cli/report/page.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

constexpr std::string_view style = R"(<style>
.panels { display: flex; flex-wrap: wrap; gap: 1.5em; }
figure { margin: 0; max-width: 100%; overflow-x: auto; } figcaption { font-weight: 600; }
svg text { font: 11px system-ui, sans-serif; fill: CanvasText; }
path { fill: none; stroke: CanvasText; } path.grid { stroke: var(--line); }
path.whisker { stroke-width: 2; } path.yardstick { stroke-width: 3; stroke: #38c; }
polyline { fill: none; stroke-width: 2; }
.swatch { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
</style>
)";

using rows_of = std::span<const bench_row>;

// Calls `take` with each run of rows that `same` holds for.
template <class Same, class Take>
void by_group(rows_of rows, Same same, Take take) {
  while (!rows.empty()) {
    std::size_t size = 1;
    while (size < rows.size() && same(rows[0], rows[size])) ++size;
    take(rows.first(size));
    rows = rows.subspan(size);
  }
}

bool same_section(const bench_row& one, const bench_row& other) {
  return one.operation == other.operation && one.transport == other.transport;
}
bool same_shape(const bench_row& one, const bench_row& other) { return one.shape == other.shape; }

std::string legend() {
  std::string out = "<p>";
  for (const auto provider :
       {"redis", "redis-three-step", "release-then-acquire", "memory", "noop"}) {
    out += fmt::format("<span class=\"swatch\" style=\"background:{}\"></span>{}",
                       bench_colour(provider), provider);
  }
  return out +
         "<span class=\"swatch\" style=\"background:#38c;width:.25em\"></span>"
         "redis-benchmark, with the command of <code>redis</code>; the figure is the bar's</p>\n";
}

std::string panel(rows_of rows) {
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}{}</figure>\n",
                     escaped(rows.front().shape), bench_bars(rows), bench_curves(rows));
}

std::string section(rows_of rows) {
  std::string out = fmt::format("<section><h2>{} <small>{}</small></h2><div class=\"panels\">\n",
                                escaped(rows.front().operation), escaped(rows.front().transport));
  by_group(rows, same_shape, [&](rows_of group) { out += panel(group); });
  return out + "</div></section>\n";
}

html_cell cell(const bench_figure& of, int digits) {
  if (of.median <= 0) return {"-", "number"};
  return {fmt::format("<span title=\"{:.{}f} to {:.{}f}\">{:.{}f}</span>", of.least, digits,
                      of.most, digits, of.median, digits),
          "number"};
}

std::string table_row(const bench_row& row) {
  std::vector<html_cell> cells{
      {fmt::format("{}/{}/{}/{}", escaped(row.provider), escaped(row.operation),
                   escaped(row.transport), escaped(row.shape))}};
  cells.push_back(cell(row.calls_per_second, 0));
  for (const bench_figure& figure : row.latency_us) cells.push_back(cell(figure, 2));
  cells.push_back(cell(row.cpu_us, 2));
  cells.push_back(cell(row.redis_benchmark, 0));
  cells.push_back(cell(row.ratio_to_redis_benchmark, 2));
  cells.push_back(cell(row.ratio_to_hiredis, 2));
  cells.push_back(cell(row.ratio_to_mutex_map, 2));
  return html_row(cells);
}

std::string table(rows_of rows) {
  std::vector<std::string> heads{"row", "calls/s"};
  for (const auto quantile : bench_quantiles) heads.push_back(fmt::format("{} µs", quantile));
  for (const char* more :
       {"CPU µs", "redis-benchmark/s", "× redis-benchmark", "× hiredis", "× map"})
    heads.emplace_back(more);
  std::string body;
  for (const bench_row& row : rows) body += table_row(row);
  return "<h2>All figures</h2>\n" + html_table(heads, body);
}

}  // namespace

std::string bench_html(const bench_report& report) {
  std::string body = std::string(style);
  body += fmt::format(
      "<p>{}; medians of {}</p>\n"
      "<p>Bars: calls a second, with the least and the most of the repetitions. Curves: what share "
      "of the calls ended within that time.</p>\n",
      escaped(report.machine), counted(report.repetitions, "repetition", "repetitions"));
  body += legend();
  by_group(report.rows, same_section, [&](rows_of rows) { body += section(rows); });
  for (const auto& complaint : report.complaints)
    body += fmt::format("<p>not measured: {}</p>\n", escaped(complaint));
  return html_page("Throughput and latency", report.head, body + table(report.rows));
}

}  // namespace leaselab::cli
