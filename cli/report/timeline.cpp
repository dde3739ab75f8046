#include "cli/report/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "cli/report/text.hpp"
#include "sim/names.hpp"

namespace leaselab::cli {
namespace {

using sim::event_kind;

constexpr int row_height = 20;
constexpr int top = 34;
constexpr int least_lane_width = 130;
// Of the font that the picture asks for; one that is wider still finds the gap between lanes.
constexpr double letter_width = 7.3;
constexpr int gap = 26;

// More rows than this are no story; shrunk runs have a dozen or two.
constexpr std::size_t most_rows = 400;

struct row {
  const sim::event* event;
  std::size_t lane;
  std::string text;
};

int width_of(const std::string& text) {
  return static_cast<int>(double(text.size()) * letter_width);
}

std::string instant_of(const sim::event& one) {
  return fmt::format("{:.3f} ms", static_cast<double>(one.at) / 1e6);
}

class drawing {
 public:
  drawing(const sim::run_record& run, const sim::plan& value) : run_(run) {
    for (const auto& one : run.events) {
      if (worth(one) && rows_.size() < most_rows)
        rows_.push_back({&one, lane_of(one), event_phrase(run, value, one)});
    }
    place_lanes();
  }

  std::string svg() {
    lanes();
    for (std::size_t i = 0; i < rows_.size(); ++i) draw(i);
    open_calls();
    const int height = top + static_cast<int>(rows_.size() + 1) * row_height;
    return fmt::format(
        "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
        "font-family=\"ui-monospace,monospace\" font-size=\"12\" fill=\"currentColor\" "
        "stroke=\"none\">\n{2}</svg>\n",
        width_, height, body_);
  }

 private:
  // The first start of a process says nothing, and neither does the end of the world.
  static bool worth(const sim::event& one) {
    const bool first_start = one.kind == event_kind::start && one.at == 0;
    return !first_start && one.kind != event_kind::end;
  }

  std::size_t backend() const { return run_.processes.size(); }

  std::size_t lane_of(const sim::event& one) const {
    switch (one.kind) {
      case event_kind::step:
      case event_kind::change:
      case event_kind::fault:
      case event_kind::heal:
      case event_kind::quiet:
        return backend();
      default:
        return std::min<std::size_t>(one.process, backend());
    }
  }

  // Each as wide as what it says; a process that does nothing is no part of the story.
  void place_lanes() {
    std::vector<int> widths(backend() + 1, -1);
    widths[backend()] = least_lane_width;
    int instants = 0;
    for (const row& one : rows_) {
      int& width = widths[one.lane];
      width = std::max({width, least_lane_width, width_of(one.text) + gap});
      instants = std::max(instants, width_of(instant_of(*one.event)));
    }
    left_ = width_ = instants + gap;
    for (const int width : widths) {
      places_.push_back(width < 0 ? -1 : width_);
      width_ += std::max(width, 0);
    }
  }

  int x_of(std::size_t lane) const { return places_[lane] + 8; }
  static int y_of(std::size_t row) { return top + static_cast<int>(row) * row_height + 12; }

  void line(int x1, int y1, int x2, int y2, std::string_view look) {
    body_ +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", x1, y1, x2, y2, look);
  }

  void text(int x, int y, std::string_view content, std::string_view look = "") {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", x, y, look, escaped(content));
  }

  void lanes() {
    const int bottom = y_of(rows_.size());
    for (std::size_t lane = 0; lane <= backend(); ++lane) {
      if (places_[lane] < 0) continue;
      const std::string name = lane < backend() ? run_.processes[lane] : "backend";
      text(x_of(lane) - 4, 16, name, "font-weight=\"bold\"");
      line(x_of(lane), top - 10, x_of(lane), bottom, "stroke=\"currentColor\" opacity=\"0.3\"");
    }
  }

  void draw(std::size_t index) {
    const sim::event& one = *rows_[index].event;
    const int y = y_of(index);
    if (index == 0 || rows_[index - 1].event->at != one.at) {
      text(left_ - 12, y + 4, instant_of(one), "text-anchor=\"end\" opacity=\"0.75\"");
    }
    connect(one, y);
    mark(one, index, y);
    text(x_of(rows_[index].lane) + 12, y + 4, rows_[index].text, look_of(one.kind));
  }

  // A step hangs on the call that made it; a fault cuts across everything.
  void connect(const sim::event& one, int y) {
    if (one.kind == event_kind::step && one.call < run_.calls.size()) {
      line(x_of(run_.calls[one.call].process), y, x_of(backend()), y,
           "stroke=\"currentColor\" opacity=\"0.25\" stroke-dasharray=\"2 3\"");
    }
    const bool across = one.kind == event_kind::fault || one.kind == event_kind::heal ||
                        one.kind == event_kind::quiet;
    if (across) {
      line(left_ - 6, y, x_of(backend()), y,
           "stroke=\"#c60\" opacity=\"0.5\" stroke-dasharray=\"6 3\"");
    }
  }

  void mark(const sim::event& one, std::size_t index, int y) {
    if (one.kind == event_kind::invoke) open_[one.call] = index;
    if (one.kind == event_kind::complete) bar(one.call, y);
    body_ +=
        fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", x_of(rows_[index].lane),
                    y, one.kind == event_kind::step ? 5 : 3, paint_of(one.kind));
  }

  void bar(sim::call_index call, int y) {
    const auto found = open_.find(call);
    if (found == open_.end()) return;
    const int x = x_of(rows_[found->second].lane);
    line(x, y_of(found->second), x, y, "stroke=\"#38c\" stroke-width=\"4\" opacity=\"0.5\"");
    open_.erase(found);
  }

  // Calls that nobody answered go on to the end of the picture.
  void open_calls() {
    const auto left = open_;
    for (const auto& [call, ignored] : left) bar(call, y_of(rows_.size()));
  }

  static std::string_view paint_of(event_kind kind) {
    switch (kind) {
      case event_kind::step:
        return "#38c";
      case event_kind::change:
      case event_kind::fault:
      case event_kind::heal:
      case event_kind::crash:
      case event_kind::pause:
        return "#c60";
      case event_kind::work:
      case event_kind::believe:
        return "#2a7";
      default:
        return "currentColor";
    }
  }

  static std::string_view look_of(event_kind kind) {
    return kind == event_kind::believe || kind == event_kind::disbelieve ? "opacity=\"0.7\"" : "";
  }

  const sim::run_record& run_;
  std::vector<row> rows_;
  std::vector<int> places_;  // where each lane begins; below 0: it is left out
  int left_ = 0, width_ = 0;
  std::map<sim::call_index, std::size_t> open_;  // row of the invocation
  std::string body_;
};

}  // namespace

std::string timeline_svg(const sim::run_record& run, const sim::plan& value) {
  return drawing(run, value).svg();
}

}  // namespace leaselab::cli
