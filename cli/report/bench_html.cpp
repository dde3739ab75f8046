#include "cli/report/bench_html.hpp"

#include <fmt/format.h>

#include "cli/report/bench_chart.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em; max-width: 110em; }
.panels { display: flex; flex-wrap: wrap; gap: 1.5em; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { display: block; max-width: 100%; } svg text { font: 11px system-ui, sans-serif; fill: CanvasText; }
path { fill: none; stroke: CanvasText; } path.grid { stroke: #8884; }
path.whisker { stroke-width: 2; } path.yardstick { stroke-width: 3; stroke: #38c; }
polyline { fill: none; stroke-width: 2; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; }
.swatch { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
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
         "redis-benchmark, with the command of <code>redis</code></p>\n";
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

std::string cell(const bench_figure& of, int digits) {
  if (of.median <= 0) return "<td>-</td>";
  return fmt::format("<td title=\"{:.{}f} to {:.{}f}\">{:.{}f}</td>", of.least, digits, of.most,
                     digits, of.median, digits);
}

std::string table_row(const bench_row& row) {
  std::string out = fmt::format("<tr><td>{}/{}/{}/{}</td>", escaped(row.provider),
                                escaped(row.operation), escaped(row.transport), escaped(row.shape));
  out += cell(row.calls_per_second, 0);
  for (const bench_figure& figure : row.latency_us) out += cell(figure, 2);
  out += cell(row.cpu_us, 2) + cell(row.redis_benchmark, 0);
  return out + cell(row.ratio_to_redis_benchmark, 2) + cell(row.ratio_to_hiredis, 2) +
         cell(row.ratio_to_mutex_map, 2) + "</tr>\n";
}

std::string table(rows_of rows) {
  std::string out = "<h2>All figures</h2><table><thead><tr><th>row</th><th>calls/s</th>";
  for (const auto quantile : bench_quantiles) out += fmt::format("<th>{} µs</th>", quantile);
  out +=
      "<th>CPU µs</th><th>redis-benchmark/s</th><th>× redis-benchmark</th><th>× hiredis</th>"
      "<th>× map</th></tr></thead><tbody>\n";
  for (const bench_row& row : rows) out += table_row(row);
  return out + "</tbody></table>\n";
}

}  // namespace

std::string bench_html(const bench_report& report) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>leaselab: throughput</title><style>{}</style></head><body>\n"
      "<h1>Throughput and latency</h1>\n<p><code>{}</code></p>\n<p>{}; medians of {}</p>\n"
      "<p>Bars: calls a second, with the least and the most of the repetitions. Curves: what share "
      "of the calls ended within that time.</p>\n",
      style, escaped(report.head), escaped(report.machine),
      counted(report.repetitions, "repetition", "repetitions"));
  out += legend();
  by_group(report.rows, same_section, [&](rows_of rows) { out += section(rows); });
  for (const auto& complaint : report.complaints) {
    out += fmt::format("<p>not measured: {}</p>\n", escaped(complaint));
  }
  return out + table(report.rows) + "</body></html>\n";
}

}  // namespace leaselab::cli
