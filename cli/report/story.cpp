// Of too many lines those go that weigh least, earliest first.
#include "cli/report/story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/story_beats.hpp"

namespace leaselab::cli {

std::string local_words(const sim::run_record& run, std::optional<sim::process_id> process,
                        sim::true_time at) {
  if (!process || *process >= run.monotonic.size())
    return fmt::format("{}", run.backend.read(at) / sim::ns_per_ms);
  return fmt::format("{:.3f}", static_cast<double>(run.monotonic[*process].read(at)) / 1e6);
}

told_story tell_story(const sim::run_record& run, const sim::plan& value,
                      const guarantees& declared, const std::optional<story_point>& point,
                      std::size_t length) {
  told_story out;
  if (run.events.empty()) return out;
  auto beats = story_beats(run, value, declared, point);
  std::size_t room = length;
  if (point) {
    out.ending = fmt::format("{} is violated: {}", point->property, point->text);
    --room;
  }
  if (beats.size() > room) --room;
  while (beats.size() > room) {
    const auto least =
        std::min_element(beats.begin(), beats.end(),
                         [](const auto& a, const auto& b) { return a.weight < b.weight; });
    beats.erase(least);
    ++out.left_out;
  }
  for (auto& one : beats) out.lines.push_back(std::move(one.line));
  return out;
}

std::string story_text(const told_story& story) {
  std::size_t who = 0;
  for (const auto& line : story.lines) who = std::max(who, line.who.size());
  std::string out;
  for (const auto& line : story.lines) {
    out += fmt::format("{:>12.3f} ms  {:<{}}  (its clock {:>9})  {}\n",
                       static_cast<double>(line.at) / 1e6, line.who, who, line.local, line.text);
  }
  if (story.left_out > 0)
    out += fmt::format("  (left out, of less weight: {} lines)\n", story.left_out);
  if (!story.ending.empty()) out += fmt::format("  => {}\n", story.ending);
  return out;
}

}  // namespace leaselab::cli
