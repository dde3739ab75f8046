#include "cli/report/bench_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

constexpr double width = 460, label_width = 130, right_edge = width - 70;
constexpr double bar_height = 16, bar_step = 22;
constexpr double curve_height = 150, curve_left = 46, curve_bottom = curve_height - 20;

std::string whole(double value) { return grouped(static_cast<std::uint64_t>(value + 0.5)); }

std::string text(double x, double y, std::string_view anchor, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(words));
}

std::string stroke(double x1, double y1, double x2, double y2, std::string_view kind) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", kind, x1, y1, x2,
                     y2);
}

// What a pointer that rests on a row is told.
std::string title(const bench_row& row) {
  std::string words =
      fmt::format("{}: {} calls/s, {} to {}", row.provider, whole(row.calls_per_second.median),
                  whole(row.calls_per_second.least), whole(row.calls_per_second.most));
  if (row.ratio_to_redis_benchmark.median > 0) {
    words += fmt::format("; {:.2f} of redis-benchmark", row.ratio_to_redis_benchmark.median);
  }
  return "<title>" + escaped(words) + "</title>";
}

std::string bar(const bench_row& row, double top, double scale) {
  const auto x = [&](double rate) { return label_width + rate * scale; };
  const double middle = top + bar_height / 2;
  std::string out = "<g>" + title(row) + text(label_width - 6, middle + 4, "end", row.provider);
  out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>",
                     label_width, top, row.calls_per_second.median * scale, bar_height,
                     bench_colour(row.provider));
  out += stroke(x(row.calls_per_second.least), middle, x(row.calls_per_second.most), middle,
                "whisker");
  if (row.redis_benchmark.median > 0) {
    const double mark = x(row.redis_benchmark.median);
    out += stroke(mark, top - 2, mark, top + bar_height + 2, "yardstick");
  }
  const double end = std::max(row.calls_per_second.most, row.redis_benchmark.median);
  return out + text(x(end) + 6, middle + 4, "start", whole(row.calls_per_second.median)) + "</g>\n";
}

// The least and the most latency of all curves, as whole powers of ten.
std::pair<double, double> decades(std::span<const bench_row> rows) {
  double least = 1e12, most = 0;
  for (const bench_row& row : rows) {
    for (const bench_figure& figure : row.latency_us) {
      if (figure.median <= 0) continue;
      least = std::min(least, figure.median);
      most = std::max(most, figure.median);
    }
  }
  if (most <= 0) return {0, 1};
  const double low = std::floor(std::log10(least)), high = std::ceil(std::log10(most));
  return {low, std::max(high, low + 1)};
}

double quantile_x(std::size_t quantile) {
  constexpr auto steps = static_cast<double>(bench_quantiles.size() - 1);
  return curve_left + (right_edge - curve_left) * static_cast<double>(quantile) / steps;
}

std::string grid(double low, double high) {
  std::string out;
  for (double decade = low; decade <= high; ++decade) {
    const double y = curve_bottom - (curve_bottom - 8) * (decade - low) / (high - low);
    out += stroke(curve_left, y, right_edge, y, "grid");
    out += text(curve_left - 6, y + 4, "end", fmt::format("{:g}", std::pow(10, decade)));
  }
  for (std::size_t i = 0; i < bench_quantiles.size(); ++i) {
    out += text(quantile_x(i), curve_height - 4, "middle", bench_quantiles[i]);
  }
  return out + text(right_edge + 8, 12, "start", "µs");
}

std::string svg(double height, const std::string& inside) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\">{}</svg>\n", width,
                     height, width, height, inside);
}

}  // namespace

std::string_view bench_colour(std::string_view provider) {
  constexpr std::pair<std::string_view, std::string_view> all[] = {
      {"redis", "#c0392b"},
      {"redis-three-step", "#d68910"},
      {"release-then-acquire", "#9b59b6"},
      {"memory", "#1e8449"},
      {"noop", "#7f8c8d"},
  };
  for (const auto& [name, colour] : all) {
    if (name == provider) return colour;
  }
  return "#2471a3";
}

std::string bench_bars(std::span<const bench_row> rows) {
  double most = 1;
  for (const bench_row& row : rows) {
    most = std::max({most, row.calls_per_second.most, row.redis_benchmark.median});
  }
  const double scale = (right_edge - label_width) / most;
  std::string inside;
  double top = 4;
  for (const bench_row& row : rows) {
    inside += bar(row, top, scale);
    top += bar_step;
  }
  return svg(top + 2, inside);
}

std::string bench_curves(std::span<const bench_row> rows) {
  const auto [low, high] = decades(rows);
  std::string inside = grid(low, high);
  for (const bench_row& row : rows) {
    std::string points;
    for (std::size_t i = 0; i < bench_quantiles.size(); ++i) {
      if (row.latency_us[i].median <= 0) continue;
      const double up = (std::log10(row.latency_us[i].median) - low) / (high - low);
      points +=
          fmt::format("{:.1f},{:.1f} ", quantile_x(i), curve_bottom - (curve_bottom - 8) * up);
    }
    inside += fmt::format("<polyline points=\"{}\" stroke=\"{}\">{}</polyline>\n", points,
                          bench_colour(row.provider), title(row));
  }
  return svg(curve_height, inside);
}

}  // namespace leaselab::cli
