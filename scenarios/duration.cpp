#include "scenarios/duration.hpp"

#include <array>
#include <limits>
#include <stdexcept>

namespace leaselab::scenarios {
namespace {

// A ttl of 2^53 ms has more nanoseconds than an int64 holds.
__extension__ using wide = __int128;
constexpr wide largest = wide{std::numeric_limits<std::int64_t>::max()} << 62;

constexpr std::string_view example =
    "a duration such as \"250ms\", \"1.5s\", \"0.5ttl\" or \"1ttl-1ms\"";

struct unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::array units{unit{"ns", 1},
                           unit{"us", 1'000},
                           unit{"ms", 1'000'000},
                           unit{"s", 1'000'000'000},
                           unit{"m", 60'000'000'000},
                           unit{"h", 3'600'000'000'000}};

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw std::invalid_argument("\"" + std::string(text) + "\" " + std::string(why));
}

// Reads "+1.5ttl-1ms" term by term.
class duration_text {
 public:
  duration_text(std::string_view text, std::int64_t ttl_ms) : text_(text), ttl_ms_(ttl_ms) {}

  wide nanoseconds() {
    wide sum = 0;
    do sum += term();
    while (next_ < text_.size());
    return sum;
  }

 private:
  wide term() {
    const bool minus = peek() == '-';
    if (minus || (next_ > 0 && peek() == '+')) ++next_;
    wide whole = 0, part = 0, scale = 1;
    digits(whole, nullptr);
    if (peek() == '.') {
      ++next_;
      digits(part, &scale);
    }
    const std::string_view name = word();
    const wide length = unit_length(name);
    // A part of a ttl is rounded down to the nanosecond; a part of a nanosecond is a slip.
    if (name != "ttl" && part * length % scale != 0) refuse(text_, "is finer than 1 ns");
    if (length != 0 && whole > largest / length) refuse(text_, "is too long");
    const wide value = whole * length + part * length / scale;
    return minus ? -value : value;
  }

  void digits(wide& value, wide* scale) {
    const std::size_t first = next_;
    while (peek() >= '0' && peek() <= '9') {
      // As many as an int64 has; of a fraction, as many as stay exact times the longest ttl.
      if (next_ - first >= (scale ? 12 : 19)) refuse(text_, "has too many digits");
      value = value * 10 + (text_[next_++] - '0');
      if (scale) *scale *= 10;
    }
    if (next_ == first) refuse(text_, "is not " + std::string(example));
  }

  std::string_view word() {
    const std::size_t first = next_;
    while (peek() >= 'a' && peek() <= 'z') ++next_;
    return text_.substr(first, next_ - first);
  }

  wide unit_length(std::string_view name) const {
    if (name == "ttl") return wide{ttl_ms_} * 1'000'000;
    for (const unit& known : units)
      if (known.name == name) return known.ns;
    if (name.empty()) refuse(text_, "has no unit (ns, us, ms, s, m, h, ttl)");
    refuse(text_, "has the unit \"" + std::string(name) + "\" (allowed: ns, us, ms, s, m, h, ttl)");
  }

  char peek() const { return next_ < text_.size() ? text_[next_] : '\0'; }

  std::string_view text_;
  std::int64_t ttl_ms_;
  std::size_t next_ = 0;
};

}  // namespace

sim::true_duration parse_duration(std::string_view text, std::int64_t ttl_ms) {
  const wide value = duration_text(text, ttl_ms).nanoseconds();
  if (value > longest || value < -wide{longest}) refuse(text, "is longer than 73 years");
  return static_cast<sim::true_duration>(value);
}

std::int64_t parse_milliseconds(std::string_view text, std::int64_t ttl_ms) {
  const wide value = duration_text(text, ttl_ms).nanoseconds();
  if (value % sim::ns_per_ms != 0) refuse(text, "is no whole number of milliseconds");
  const wide ms = value / sim::ns_per_ms;
  if (ms > std::numeric_limits<std::int64_t>::max() ||
      ms < std::numeric_limits<std::int64_t>::min())
    refuse(text, "does not fit into 64 bits");
  return static_cast<std::int64_t>(ms);
}

std::string format_duration(sim::true_duration value) {
  if (value == 0) return "0ms";
  std::size_t best = 0;
  for (std::size_t i = 0; i < units.size() && units[i].name != "m"; ++i)
    if (value % units[i].ns == 0) best = i;
  return std::to_string(value / units[best].ns) + std::string(units[best].name);
}

}  // namespace leaselab::scenarios
