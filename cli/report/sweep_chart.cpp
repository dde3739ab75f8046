// The safe region of two axes: what was measured as areas, the formula as lines.
#include <fmt/format.h>

#include <algorithm>

#include "cli/report/sweep_report.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

using properties::info_of;
using properties::sweep_edge;
using properties::sweep_line;

constexpr double panel = 320, left = 64, top = 40, bottom = 56, gap = 40;

class chart {
 public:
  chart(const sweep_report& report, const swept_provider& one, double offset)
      : x_axis_(info_of(report.axis)),
        y_axis_(info_of(*report.second)),
        second_(*report.second),
        one_(one),
        offset_(offset) {}

  std::string text() {
    const double x = offset_ + left;
    out_ = fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", x,
                       top - 14, escaped(one_.name));
    area(&sweep_line::belief, "#2a7", "belief");
    area(&sweep_line::effect, "#38c", "effect");
    analytic(&sweep_line::belief, "#2a7", "");
    analytic(&sweep_line::effect, "#38c", " stroke-dasharray=\"6 4\"");
    frame();
    return out_;
  }

 private:
  double x_of(double ppm) const {
    return offset_ + left +
           panel * (ppm - double(x_axis_.least_ppm)) / double(x_axis_.most_ppm - x_axis_.least_ppm);
  }
  double y_of(double ppm) const {
    return top + panel -
           panel * (ppm - double(y_axis_.least_ppm)) / double(y_axis_.most_ppm - y_axis_.least_ppm);
  }

  // From the safe end of the axis up to the last value that held, line by line.
  void area(sweep_edge sweep_line::*of, std::string_view paint, std::string_view name) {
    const double safe = double(x_axis_.safe_above ? x_axis_.most_ppm : x_axis_.least_ppm);
    std::string there, back;
    for (const auto& line : one_.result.lines) {
      const double y = y_of(double(line.at[second_]));
      const auto& edge = line.*of;
      const double end = edge.holds_ppm ? double(*edge.holds_ppm) : safe;
      there += fmt::format(" {:.1f},{:.1f}", x_of(end), y);
      back = fmt::format(" {:.1f},{:.1f}", x_of(safe), y) + back;
    }
    out_ += fmt::format(
        "<polygon points=\"{}{}\" fill=\"{}\" fill-opacity=\"0.25\"><title>{} holds</title>"
        "</polygon>\n",
        there.substr(1), back, paint, name);
  }

  void analytic(sweep_edge sweep_line::*of, std::string_view paint, std::string_view look) {
    std::string points;
    for (const auto& line : one_.result.lines) {
      const auto& edge = (line.*of).analytic_ppm;
      if (edge)
        points += fmt::format(" {:.1f},{:.1f}", x_of(*edge), y_of(double(line.at[second_])));
    }
    if (points.empty()) return;
    out_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    points.substr(1), paint, look);
  }

  void frame() {
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" "
        "stroke=\"#888\"/>\n",
        offset_ + left, top, panel, panel);
    for (int i = 0; i <= 4; ++i) {
      const auto at = [i](const auto& axis) {
        return double(axis.least_ppm) + double(axis.most_ppm - axis.least_ppm) * i / 4;
      };
      label(x_of(at(x_axis_)), top + panel + 18, "middle", tick(at(x_axis_)));
      label(offset_ + left - 8, y_of(at(y_axis_)) + 4, "end", tick(at(y_axis_)));
    }
    label(offset_ + left + panel / 2, top + panel + 40, "middle", std::string(x_axis_.name));
    label(offset_ + left, top - 26, "start", std::string(y_axis_.name) + " (upwards)");
  }

  static std::string tick(double ppm) { return fmt::format("{:.3g}", ppm / 1e6); }

  void label(double x, double y, std::string_view anchor, const std::string& words) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                        anchor, escaped(words));
  }

  const properties::sweep_axis_info& x_axis_;
  const properties::sweep_axis_info& y_axis_;
  properties::sweep_axis second_;
  const swept_provider& one_;
  double offset_;
  std::string out_;
};

}  // namespace

std::string sweep_svg(const sweep_report& report) {
  std::string body;
  double offset = 0;
  for (const auto& one : report.providers) {
    body += chart(report, one, offset).text();
    offset += left + panel + gap;
  }
  const double height = top + panel + bottom + 24;
  const double width = std::max(offset, 520.0);
  const std::string legend =
      "areas: where belief (green) and effect (blue) held; lines: the formula, effect dashed";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"ui-monospace,monospace\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}"
      "<text x=\"8\" y=\"{3:.0f}\">{4}</text>\n</svg>\n",
      width, height, body, height - 10, escaped(legend));
}

}  // namespace leaselab::cli
