// Where a strict client's guarantees end: along a client's clock rate, a stop in which its clocks
// stand, the delay of messages, and its safety margin. Found by bisection over runs, and compared
// with what follows from the rules of client and lease.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "properties/search/check.hpp"

namespace leaselab::properties {

enum class sweep_axis : std::uint8_t { clock_rate, pause, delay, margin };
inline constexpr std::size_t sweep_axis_count = 4;

struct sweep_axis_info {
  std::string_view name;  // "clock.rate"
  std::string_view about;
  std::int64_t least_ppm = 0, most_ppm = 0;
  bool safe_above = false;  // else below
};
const sweep_axis_info& info_of(sweep_axis axis);
std::optional<sweep_axis> sweep_axis_named(std::string_view name);

// A value for each axis, in parts per million.
struct sweep_point {
  std::array<std::int64_t, sweep_axis_count> ppm{1'000'000, 0, 0, 100'000};
  std::int64_t& operator[](sweep_axis axis) { return ppm[static_cast<std::size_t>(axis)]; }
  std::int64_t operator[](sweep_axis axis) const { return ppm[static_cast<std::size_t>(axis)]; }
};

// belief: single_owner.belief; effect: single_owner.effect, on a local resource, or on one behind
// the network where messages take time.
enum class sweep_guarantee : std::uint8_t { belief, effect };

// The edge of the safe region on one line along an axis.
struct sweep_edge {
  std::optional<std::int64_t> holds_ppm;     // nothing: it holds nowhere on the line
  std::optional<std::int64_t> violated_ppm;  // nothing: it holds on all of it
  std::optional<double> analytic_ppm;        // nothing: by the formula, none within the axis
  // Halfway, where there is an edge.
  std::optional<double> measured_ppm() const;
  // Measured against analytic, as a share of the analytic; nothing unless both are there.
  std::optional<double> off_by() const;
};

struct sweep_line {
  sweep_point at;  // the other axes' values
  sweep_edge belief, effect;
};

struct sweep_options {
  const sim::variant* provider = nullptr;
  sweep_axis axis = sweep_axis::clock_rate;
  std::optional<sweep_axis> second;  // then one line for each of `lines` values of it
  std::size_t lines = 21;
  std::uint64_t seed = 1;
  std::uint64_t schedules = 16;  // random ones at each point, beside the worst case
  unsigned jobs = 1;
  engine_factory engine;
  const std::atomic<bool>* stop = nullptr;  // looked at between lines
  // Called after each line, never twice at once.
  std::function<void(std::size_t done, std::size_t of)> progress;
};

struct sweep_result {
  std::vector<sweep_line> lines;  // where it was stopped, those that were done until then
  bool vacuous = false;  // in some worst case the contender got no lease: nothing was shown
  std::uint64_t runs = 0;
  std::uint64_t digest = 0;  // of all runs, in the order of the lines
};

inline constexpr std::int64_t sweep_ttl_ms = 1000;
// Two values next to each other: an edge is not looked for more closely.
inline constexpr std::int64_t sweep_resolution_ppm = 50;

sweep_result sweep(const sweep_options& options);

// What the formula says of one point. A provider that promises nothing is safe nowhere.
bool safe_by_formula(const sweep_point& at, sweep_guarantee guarantee, const guarantees& declared);
// It ends where the formula says that it must not, even with a hundredth of the ttl (or of the
// rate) to spare.
bool ends_early(sweep_axis axis, const sweep_point& at, const sweep_edge& edge,
                sweep_guarantee guarantee, const guarantees& declared);

// The edge by the formula (docs/TESTING.md), in ppm of the axis; nothing where none lies within it.
std::optional<double> analytic_edge(sweep_axis axis, const sweep_point& at,
                                    sweep_guarantee guarantee, const guarantees& declared);

}  // namespace leaselab::properties
