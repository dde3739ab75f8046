#include "cli/report/bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <map>
#include <stdexcept>

namespace leaselab::cli {
namespace {

namespace json = boost::json;

std::string text_at(const json::object& from, std::string_view name) {
  const auto* const found = from.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

// Numbers may be written as 3 or 3.0; what is missing is 0.
double number_at(const json::object& from, std::string_view name) {
  const auto* const found = from.if_contains(name);
  return found != nullptr && found->is_number() ? found->to_number<double>() : 0;
}

std::string machine_of(const json::object& context) {
  std::string out = text_at(context, "cpu");
  const auto cores = number_at(context, "num_cpus");
  out += fmt::format(", {} x {} MHz", cores, number_at(context, "mhz_per_cpu"));
  const auto* const load = context.if_contains("load_avg");
  if (load != nullptr && load->is_array() && !load->as_array().empty()) {
    out += fmt::format(", load {:.1f}", load->as_array().front().to_number<double>());
  }
  for (const auto& [name, shown] :
       {std::pair("redis_server", "redis-server"), std::pair("redis_benchmark", "redis-benchmark"),
        std::pair("hiredis", "hiredis")}) {
    const std::string version = text_at(context, name);
    if (!version.empty()) out += fmt::format("; {} {}", shown, version);
  }
  const std::string redis = text_at(context, "redis");
  if (!redis.empty()) out += "; server: " + redis;
  return out + "; " + text_at(context, "compiler") + " " + text_at(context, "build_type");
}

bench_figure figure_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double upper = values[half];
  const double median = values.size() % 2 == 1 ? upper : (values[half - 1] + upper) / 2;
  return {median, values.front(), values.back()};
}

// The repetitions of one benchmark.
using repetitions = std::vector<const json::object*>;

bench_figure figure_of(const repetitions& all, std::string_view name) {
  std::vector<double> values;
  for (const json::object* one : all) {
    if (one->if_contains(name) != nullptr) values.push_back(number_at(*one, name));
  }
  return figure_of(std::move(values));
}

// "provider/redis/renew/tcp/clients:50/depth:1".
void set_name(bench_row& row, std::string_view name) {
  std::string* const parts[] = {nullptr, &row.provider, &row.operation, &row.transport};
  for (std::string* const part : parts) {
    const auto slash = std::min(name.find('/'), name.size());
    if (part != nullptr) *part = name.substr(0, slash);
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  row.shape = name;
}

bench_row row_of(const std::string& name, const repetitions& all) {
  bench_row row;
  set_name(row, name);
  row.calls_per_second = figure_of(all, "items_per_second");
  constexpr std::string_view counters[] = {"p50_us", "p90_us", "p99_us", "p999_us"};
  for (std::size_t i = 0; i < bench_quantiles.size(); ++i) {
    row.latency_us[i] = figure_of(all, counters[i]);
  }
  row.cpu_us = figure_of(all, "cpu_us");
  row.redis_benchmark = figure_of(all, "redis_benchmark_per_second");
  row.ratio_to_redis_benchmark = figure_of(all, "ratio_to_redis_benchmark");
  row.ratio_to_hiredis = figure_of(all, "ratio_to_hiredis");
  row.ratio_to_mutex_map = figure_of(all, "ratio_to_mutex_map");
  return row;
}

// Side by side what competes: by operation, transport and shape, each in the order of the file.
void put_side_by_side(std::vector<bench_row>& rows) {
  std::map<std::string, std::size_t> seen;
  const auto place = [&](const std::string& text) {
    return seen.emplace(text, seen.size()).first->second;
  };
  std::vector<std::pair<std::array<std::size_t, 3>, bench_row>> placed;
  for (const bench_row& row : rows) {
    const auto operation = place(row.operation);
    const auto transport = place(row.transport);
    const auto shape = place(row.shape);
    placed.push_back({{operation, transport, shape}, row});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::move(placed[i].second);
}

}  // namespace

bench_report read_bench(const std::string& head, const std::string& text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error || !document.is_object() || !document.as_object().contains("benchmarks")) {
    throw std::runtime_error("the benchmark program wrote no report");
  }
  const json::object& all = document.as_object();
  bench_report report;
  report.head = head;
  report.machine = machine_of(all.at("context").as_object());
  std::vector<std::pair<std::string, repetitions>> by_name;
  for (const json::value& value : all.at("benchmarks").as_array()) {
    const json::object& one = value.as_object();
    if (text_at(one, "run_type") != "iteration") continue;
    const std::string name = text_at(one, "run_name");
    const std::string complaint = text_at(one, "error_message");
    if (complaint == "interrupted") continue;
    if (!complaint.empty()) {
      report.complaints.push_back(name + ": " + complaint);
      continue;
    }
    if (by_name.empty() || by_name.back().first != name) by_name.push_back({name, {}});
    by_name.back().second.push_back(&one);
  }
  for (const auto& [name, measured] : by_name) {
    report.rows.push_back(row_of(name, measured));
    report.repetitions = std::max(report.repetitions, measured.size());
  }
  put_side_by_side(report.rows);
  return report;
}

}  // namespace leaselab::cli
