#include "scenarios/runtime_calls.hpp"

#include <charconv>

#include "sim/decision.hpp"

namespace leaselab::scenarios {
namespace {

struct errand_name {
  std::string_view name;
  unsigned kind;
};
// The calls by their verbs, and the two messages of sim::errand.
constexpr errand_name errands[] = {{"acquire", 0},  {"get", 1},    {"release", 2}, {"renew", 3},
                                   {"transfer", 4}, {"offer", 14}, {"verdict", 15}};

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const char* last = text.data() + text.size();
  const auto end = std::from_chars(text.data(), last, value);
  if (end.ec != std::errc() || end.ptr != last || value < 1 || value > 254) return std::nullopt;
  return value;
}

// "renew:2" of "s1:renew:2".
std::optional<std::uint32_t> errand_of(std::uint32_t signal, std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto nth = colon == text.size() ? 1U : number(text.substr(colon + 1));
  for (const auto& one : errands)
    if (one.name == text.substr(0, colon) && nth)
      return sim::runtime_subject(signal, one.kind, *nth);
  return std::nullopt;
}

}  // namespace

// A signal's own name may hold a colon, so the longest one that fits counts.
std::optional<std::uint32_t> runtime_call(const std::vector<signal>& signals,
                                          std::string_view text) {
  std::optional<std::uint32_t> found;
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < signals.size(); ++i) {
    const std::string front = signals[i].id + ":";
    if (!text.starts_with(front) || front.size() <= longest) continue;
    const auto subject = errand_of(i, text.substr(front.size()));
    if (!subject) continue;
    found = subject;
    longest = front.size();
  }
  return found;
}

std::string runtime_call_name(const sim::plan& plan, std::uint32_t subject) {
  const auto id = sim::signal_of_subject(subject);
  std::string name = std::to_string(id);
  for (const auto& signal : plan.signals)
    if (signal.id == id && !signal.name.empty()) name = signal.name;
  for (const auto& one : errands)
    if (one.kind == sim::kind_of_subject(subject)) (name += ':') += one.name;
  const unsigned nth = subject & 255;
  return nth == 1 ? name : name + ":" + std::to_string(nth);
}

std::vector<std::string> runtime_call_names(const std::vector<signal>& signals) {
  std::vector<std::string> names;
  if (signals.empty()) return names;
  for (const auto& one : errands) names.push_back(signals.front().id + ":" + std::string(one.name));
  return names;
}

}  // namespace leaselab::scenarios
