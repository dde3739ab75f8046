#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/output.hpp"
#include "cli/registry.hpp"
#include "cli/report/json.hpp"
#include "cli/shared_files.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::cli {
namespace {

// The files below scenarios/ in the current directory, or else those that came with the program.
std::vector<described> scenario_list() {
  std::filesystem::path folder = "scenarios";
  if (!std::filesystem::is_directory(folder)) folder = shared_files() / folder;
  if (!std::filesystem::is_directory(folder)) return {};
  std::vector<described> out;
  const auto known = known_names();
  for (const auto& file : scenarios::collect({folder})) {
    const auto loaded = scenarios::load(file.path, known);
    out.push_back({file.path.string(), loaded.empty() ? "" : loaded.front().title});
  }
  return out;
}

struct topic {
  std::string name;
  std::function<std::vector<described>()> entries;
};

const std::vector<topic>& topics() {
  static const std::vector<topic> all = {
      {"providers", provider_list},  {"properties", property_list}, {"profiles", profile_list},
      {"policies", policy_list},     {"workloads", workload_list},  {"scenarios", scenario_list},
      {"strategies", strategy_list}, {"mutants", mutant_list}};
  return all;
}

std::vector<topic> wanted_topics(const options& given) {
  if (given.arguments.empty()) return topics();
  std::vector<std::string> names;
  for (const auto& one : topics()) {
    if (one.name == given.arguments[0]) return {one};
    names.push_back(one.name);
  }
  throw usage_error(fmt::format("list: there are no `{}`{}", given.arguments[0],
                                scenarios::suggest(given.arguments[0], names)));
}

std::string lines_of(const std::vector<described>& entries) {
  std::size_t width = 0;
  for (const auto& one : entries) width = std::max(width, one.name.size());
  std::string out;
  for (const auto& one : entries) out += fmt::format("  {:<{}}  {}\n", one.name, width, one.about);
  return out;
}

boost::json::array values_of(const std::vector<described>& entries) {
  boost::json::array out;
  for (const auto& one : entries) {
    out.push_back(boost::json::object{{"name", one.name}, {"about", one.about}});
  }
  return out;
}

}  // namespace

int run_list(const options& given) {
  std::string text;
  boost::json::object json;
  for (const auto& one : wanted_topics(given)) {
    const auto entries = one.entries();
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", one.name, lines_of(entries));
    json.emplace(one.name, values_of(entries));
  }
  if (!given.json.empty()) write_file(given.json, to_lines(json));
  if (given.json != "-") std::fputs(text.c_str(), stdout);
  return as_expected;
}

}  // namespace leaselab::cli
