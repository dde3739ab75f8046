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

std::string of_call(const label& value, std::string_view rest) {
  return fmt::format("{} call {}{} {}", process_name(value.process), value.subject,
                     repetition(value), rest);
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
      return of_call(value, name_of(value.what));
    case event_label::request:
    case event_label::reply:
    case event_label::step:
    case event_label::wake:
    case event_label::copy:
      return of_trip(value, name_of(value.what));
    case event_label::work:
    case event_label::landing:
      return of_call(value, fmt::format("{} {}", name_of(value.what), value.trip));
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
