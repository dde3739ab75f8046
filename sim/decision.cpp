#include "sim/decision.hpp"

#include <fmt/format.h>

#include "sim/fault.hpp"
#include "sim/names.hpp"

namespace leaselab::sim {
namespace {

std::string process_name(std::uint8_t process) {
  if (process == backend_process) return "backend";
  return fmt::format("P{}", process + 1);
}

std::string repetition(const label& value) {
  return value.repetition == 0 ? "" : fmt::format(" repetition {}", value.repetition);
}

// Calls and timers of a runtime are known by the signal that they are for.
std::string subject(const label& value) {
  if (!is_runtime_subject(value.subject)) return fmt::format("call {}", value.subject);
  constexpr std::string_view errands[] = {
      "acquire", "get",  "release", "renew",  "transfer", "write", "close", "work",
      "renewal", "rest", "poll",    "repeat", "again",    "clean", "offer", "verdict"};
  return fmt::format("signal {} {}", signal_of_subject(value.subject),
                     errands[kind_of_subject(value.subject)]);
}

std::string of_call(const label& value, std::string_view rest) {
  return fmt::format("{} {}{} {}", process_name(value.process), subject(value), repetition(value),
                     rest);
}

std::string of_trip(const label& value, std::string_view rest) {
  return of_call(value, fmt::format("trip {} {}", value.trip, rest));
}

std::string of_fault(const label& value, std::string_view rest) {
  return fmt::format("fault {}{} {}", value.subject, repetition(value), rest);
}

}  // namespace

std::string to_string(const label& value) {
  switch (value.what) {
    case event_label::start:
    case event_label::limit:
    case event_label::publish:
    case event_label::deliver:
    case event_label::timer:
      return of_call(value, name_of(value.what));
    case event_label::request:
    case event_label::reply:
    case event_label::step:
    case event_label::wake:
    case event_label::copy:
    case event_label::unblock:
      return of_trip(value, name_of(value.what));
    case event_label::work:
    case event_label::landing:
      return of_call(value, fmt::format("{} {}", name_of(value.what), value.trip));
    case event_label::signal:
      return fmt::format("{} signal {} {}", process_name(value.process),
                         signal_of_subject(value.subject), value.trip == 0 ? "arrives" : "resumes");
    case event_label::begin:
      return of_fault(value, "begins");
    case event_label::heal:
      return of_fault(value, "ends");
    case event_label::restart:
      return of_fault(value, fmt::format("restarts {}", process_name(value.process)));
    case event_label::quiet:
      return "quiet phase begins";
  }
  return "?";
}

}  // namespace leaselab::sim
