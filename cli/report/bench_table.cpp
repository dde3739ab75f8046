#include "cli/report/bench_table.hpp"

#include <fmt/format.h>

#include "cli/report/text.hpp"
#include "cli/terminal.hpp"

namespace leaselab::cli {
namespace {

std::string rate(const bench_figure& of) {
  return grouped(static_cast<std::uint64_t>(of.median + 0.5));
}

// Half of what lies between the least and the most, as a share of the median.
std::string spread(const bench_figure& of) {
  if (of.median <= 0) return "-";
  return fmt::format("{:.0f}%", 50 * (of.most - of.least) / of.median);
}

std::string latency(const bench_figure& of) {
  return of.median < 10 ? fmt::format("{:.2f}", of.median) : fmt::format("{:.0f}", of.median);
}

std::string ratio(const bench_figure& of) {
  return of.median > 0 ? fmt::format("{:.2f}", of.median) : "-";
}

std::string line(const std::string& first, const std::string& provider,
                 const std::array<std::string, 8>& cells) {
  const std::string names = fmt::format("{:<19} {}", first, provider);
  std::string out = fmt::format("  {:<40}", names);
  constexpr int widths[] = {11, 6, 8, 8, 8, 10, 10, 8};
  for (std::size_t i = 0; i < cells.size(); ++i) out += fmt::format("{:>{}}", cells[i], widths[i]);
  return out + "\n";
}

std::string head_of(const bench_row& row, bool colours) {
  std::string text =
      line(row.operation + " " + row.transport, "",
           {"calls/s", "+-", "p50 us", "p99 us", "p99.9", "x r-bench", "x hiredis", "x map"});
  text.pop_back();
  return "\n" + painted(text, colour::bold, colours) + "\n";
}

std::string line_of(const bench_row& row, bool first_of_shape) {
  return line(
      first_of_shape ? row.shape : "", row.provider,
      {rate(row.calls_per_second), spread(row.calls_per_second), latency(row.latency_us[0]),
       latency(row.latency_us[2]), latency(row.latency_us[3]), ratio(row.ratio_to_redis_benchmark),
       ratio(row.ratio_to_hiredis), ratio(row.ratio_to_mutex_map)});
}

}  // namespace

std::string bench_text(const bench_report& report, bool colours) {
  std::string out = report.machine + "\n";
  const bench_row* before = nullptr;
  for (const bench_row& row : report.rows) {
    const bool together = before != nullptr && before->operation == row.operation &&
                          before->transport == row.transport;
    if (!together) out += head_of(row, colours);
    out += line_of(row, !together || before->shape != row.shape);
    before = &row;
  }
  out += fmt::format(
      "\n{}, medians of {}. +-: half the distance from the least to the most.\n"
      "x r-bench: over redis-benchmark with the command of `redis`, the same connections and "
      "depth,\n"
      "in the same second; x hiredis: over a blocking loop; x map: over a std::map under a "
      "mutex.\n",
      counted(report.rows.size(), "row", "rows"),
      counted(report.repetitions, "repetition", "repetitions"));
  for (const auto& complaint : report.complaints) {
    out += painted("not measured: " + complaint, colour::red, colours) + "\n";
  }
  return out;
}

}  // namespace leaselab::cli
