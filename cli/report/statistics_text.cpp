#include "cli/report/statistics_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

namespace json = boost::json;
using properties::coverage;
using properties::search_statistics;

struct totals {
  search_statistics counted;
  std::uint64_t distinct = 0;
  bool estimated = false;
};

totals sum_of(const std::vector<coverage>& covered) {
  totals out;
  for (const auto& one : covered) {
    out.counted.add(one.counted);
    out.distinct += one.distinct;
    out.estimated |= one.estimated;
  }
  return out;
}

double seconds_of(const search_statistics& counted) {
  return double(counted.simulated_us) / 1'000'000;
}

std::string length_text(double seconds) {
  if (seconds >= 7200) return grouped(std::uint64_t(seconds / 3600)) + " h";
  return seconds >= 120 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} s", seconds);
}

double mean_of(const search_statistics& counted) {
  return double(counted.steps) / double(counted.schedules);
}
double limit_share(const search_statistics& counted) {
  return double(counted.at_step_limit) / double(counted.schedules);
}

std::string distinct_text(std::uint64_t distinct, bool estimated) {
  return (estimated ? "about " : "") + grouped(distinct) + " distinct";
}

std::string steps_text(const search_statistics& counted) {
  auto out = fmt::format("{} to {} steps, {:.1f} on average", grouped(counted.fewest_steps),
                         grouped(counted.most_steps), mean_of(counted));
  if (counted.at_step_limit > 0)
    out += fmt::format(" ({:.2g} % at the limit)", 100 * limit_share(counted));
  return out;
}

std::string bound_line(const properties::pct_bound& bound) {
  return fmt::format(
      "a bug of depth {} shows in a schedule with at least 1/(n k^{}) = {:.2g} (n {}, k {}, for "
      "{:.4g} % of them)\n",
      bound.depth, bound.depth - 1, bound.probability, grouped(bound.threads), grouped(bound.steps),
      100 * bound.share_of_schedules);
}

json::object counted_json(const search_statistics& counted, std::uint64_t distinct,
                          bool estimated) {
  return {{"schedules", counted.schedules},
          {"distinct", distinct},
          {"distinct_estimated", estimated},
          {"steps", json::object{{"min", counted.fewest_steps},
                                 {"mean", mean_of(counted)},
                                 {"max", counted.most_steps}}},
          {"at_step_limit", limit_share(counted)},
          {"simulated_seconds", seconds_of(counted)}};
}

json::value bound_json(const std::optional<properties::pct_bound>& bound) {
  if (!bound) return nullptr;
  return json::object{{"depth", bound->depth},
                      {"threads", bound->threads},
                      {"steps", bound->steps},
                      {"probability", bound->probability},
                      {"share_of_schedules", bound->share_of_schedules}};
}

}  // namespace

std::string statistics_lines(const std::vector<coverage>& covered, const std::string& strategy,
                             double seconds) {
  if (covered.empty()) return "";
  const auto all = sum_of(covered);
  auto out = distinct_text(all.distinct, all.estimated) + "; " + steps_text(all.counted);
  const double simulated = seconds_of(all.counted);
  out += "; " + length_text(simulated) + " simulated";
  if (seconds > 0) out += fmt::format(" ({} : 1)", grouped(std::uint64_t(simulated / seconds)));
  out += "\n";
  if (const auto bound = bound_of(strategy, all.counted)) out += bound_line(*bound);
  return out;
}

std::string coverage_lines(const std::vector<coverage>& covered) {
  std::size_t provider = 0;
  std::size_t profile = 0;
  for (const auto& one : covered) {
    provider = std::max(provider, one.provider.size());
    profile = std::max(profile, one.profile.size());
  }
  std::string out;
  for (const auto& one : covered) {
    out += fmt::format("{:<{}}  {:<{}}  {} schedules, {}; {}; {} simulated\n", one.provider,
                       provider, one.profile, profile, grouped(one.counted.schedules),
                       distinct_text(one.distinct, one.estimated), steps_text(one.counted),
                       length_text(seconds_of(one.counted)));
  }
  return out;
}

std::string zero_in(std::uint64_t schedules, const std::string& strategy) {
  if (strategy != "random" || schedules == 0) return "";
  return fmt::format("0 in {} each: below {:.2g} a schedule at 95 %", grouped(schedules),
                     properties::rule_of_three(schedules));
}

json::object statistics_json(const std::vector<coverage>& covered, const std::string& strategy,
                             double seconds) {
  json::array each;
  for (const auto& one : covered) {
    auto value = counted_json(one.counted, one.distinct, one.estimated);
    value.insert({{"provider", one.provider}, {"profile", one.profile}});
    each.push_back(std::move(value));
  }
  if (covered.empty()) return {{"schedules", 0}, {"pct", nullptr}, {"covered", std::move(each)}};
  const auto all = sum_of(covered);
  auto out = counted_json(all.counted, all.distinct, all.estimated);
  out.emplace("simulated_per_real", seconds > 0 ? seconds_of(all.counted) / seconds : 0);
  out.emplace("pct", bound_json(bound_of(strategy, all.counted)));
  out.emplace("covered", std::move(each));
  return out;
}

}  // namespace leaselab::cli
