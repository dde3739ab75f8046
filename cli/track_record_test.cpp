// The track record of scenarios/README.md is in step with the folder that it is about.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "cli/registry.hpp"
#include "cli/version.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;
using scenarios::scenario;
using words = std::vector<std::string>;

// The numbers that reports have; those in between were never given to one.
const std::set<int> reports{1,  2,  3,  4,  5,  6,  7,  8,  10, 11, 12, 14, 15, 17, 20, 21, 23,
                            24, 26, 28, 29, 30, 31, 33, 34, 36, 37, 39, 40, 41, 43, 44, 46, 47,
                            48, 50, 51, 53, 55, 56, 57, 58, 60, 61, 63, 64, 65, 67, 68, 69, 70,
                            72, 74, 75, 76, 78, 79, 81, 82, 84, 85, 86, 87, 89, 91, 93};

std::string readme() {
  std::ifstream file("scenarios/README.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The cells of a table's row.
words cells_of(const std::string& line) {
  words out;
  std::istringstream row(line);
  std::string cell;
  std::getline(row, cell, '|');
  while (std::getline(row, cell, '|')) out.push_back(trimmed(cell));
  return out;
}

// What stands in backquotes.
words backquoted(const std::string& text) {
  static const std::regex quote("`([^`]*)`");
  words out;
  for (std::sregex_iterator i(text.begin(), text.end(), quote), end; i != end; ++i)
    out.push_back((*i)[1]);
  return out;
}

struct told_row {
  int report = 0;
  std::string file, property, blame, search, first_met, seen_in;
};

const std::vector<words>& rows() {
  static const std::vector<words> all = [] {
    std::vector<words> out;
    std::istringstream text(readme());
    static const std::regex report("\\| B[0-9][0-9] \\|.*");
    for (std::string line; std::getline(text, line);)
      if (std::regex_match(line, report)) out.push_back(cells_of(line));
    return out;
  }();
  return all;
}

int number_of(const words& row) { return std::stoi(row[0].substr(1)); }

std::vector<told_row> told() {
  std::vector<told_row> out;
  for (const auto& row : rows()) {
    if (row.size() != 7) continue;
    out.push_back(
        {number_of(row), backquoted(row[1]).at(0), row[2], row[3], row[4], row[5], row[6]});
  }
  return out;
}

scenario incident(const std::string& name) {
  return scenarios::load("scenarios/incidents/" + name + ".toml", known_names()).front();
}

std::set<std::string> files() {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator("scenarios/incidents"))
    out.insert(entry.path().stem().string());
  return out;
}

// Properties that some provider which coordinates is expected to violate.
std::set<std::string> violated_in(const scenario& value) {
  std::set<std::string> out;
  for (const auto& [provider, expectation] : value.expect) {
    if (provider == "noop" || provider == "memory-per-process") continue;
    out.insert(expectation.properties.begin(), expectation.properties.end());
  }
  return out;
}

bool contains(const words& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(track_record, every_file_has_one_row_and_its_number) {
  std::set<std::string> named;
  for (const auto& row : told()) {
    EXPECT_TRUE(named.insert(row.file).second) << row.file << " has two rows";
    EXPECT_EQ(std::stoi(row.file.substr(0, 3)), row.report) << row.file;
  }
  EXPECT_EQ(named, files());
}

TEST(track_record, every_report_is_told_or_has_a_reason) {
  std::set<int> have_files, have_reasons;
  for (const auto& row : rows()) {
    ASSERT_TRUE(row.size() == 7 || row.size() == 3) << row[0];
    if (row.size() == 3) {
      EXPECT_GT(row[2].size(), 20U) << row[0] << " needs a reason";
    }
    (row.size() == 7 ? have_files : have_reasons).insert(number_of(row));
  }
  for (const int report : have_reasons) EXPECT_FALSE(have_files.contains(report)) << report;
  const std::size_t told_reports = have_files.size();
  std::set<int> all = have_files;
  all.insert(have_reasons.begin(), have_reasons.end());
  EXPECT_EQ(all, reports);
  EXPECT_GE(told_reports, 55U);
  const std::string sentence = "Of " + std::to_string(reports.size()) + " reports " +
                               std::to_string(told_reports) + " are told here, in " +
                               std::to_string(files().size()) + " files";
  EXPECT_NE(readme().find(sentence), std::string::npos) << "the README should say: " << sentence;
}

TEST(track_record, every_property_is_one_that_its_file_expects) {
  const auto known = known_names().properties;
  for (const auto& row : told()) {
    const auto value = incident(row.file);
    const auto violated = violated_in(value);
    const auto named = backquoted(row.property);
    for (const auto& property : named) {
      EXPECT_TRUE(contains(known, property)) << row.file << ": " << property;
      EXPECT_TRUE(violated.contains(property)) << row.file << " does not expect " << property;
    }
    const bool all_pass = row.property == "(answers)";
    EXPECT_EQ(all_pass, violated.empty()) << row.file << ": " << row.property;
    EXPECT_EQ(all_pass, row.blame == "nobody: all pass") << row.file;
    EXPECT_EQ(all_pass, row.search == "-") << row.file;
  }
}

// "redis-three-step, mutant M10, `acquire_error = fail_open`, the client"
void expect_blamed(const told_row& row, const scenario& value, const std::string& who) {
  if (who.starts_with('`')) {
    const auto policy = backquoted(who).at(0);
    const auto equals = policy.find(" = ");
    ASSERT_NE(equals, std::string::npos) << row.file << ": " << who;
    const auto& policies = value.workload.client.policies;
    const auto found = policies.find(policy.substr(0, equals));
    ASSERT_NE(found, policies.end()) << row.file << " has no policy " << policy;
    EXPECT_EQ(found->second, policy.substr(equals + 3)) << row.file;
  } else if (who == "the client" || who == "the environment") {
    EXPECT_EQ(scenarios::expectation_of(value, "default").kind, scenarios::expected::violates)
        << row.file;
    EXPECT_EQ(value.plan.faults.empty() && who == "the environment", false) << row.file;
  } else {
    const auto name = who.starts_with("mutant ") ? "mutant:" + who.substr(7) : who;
    const auto found = value.expect.find(name);
    ASSERT_NE(found, value.expect.end()) << row.file << " says nothing of " << name;
    EXPECT_FALSE(found->second.properties.empty()) << row.file << ": " << name;
  }
}

TEST(track_record, who_is_blamed_is_in_the_file) {
  for (const auto& row : told()) {
    if (row.blame == "nobody: all pass") continue;
    const auto value = incident(row.file);
    std::istringstream list(row.blame);
    std::set<std::string> policies;
    for (std::string who; std::getline(list, who, ',');) {
      expect_blamed(row, value, trimmed(who));
      for (const auto& policy : backquoted(who)) policies.insert(policy);
    }
    EXPECT_EQ(policies.size(), value.workload.client.policies.size()) << row.file;
  }
}

TEST(track_record, every_search_can_be_typed_and_every_row_was_seen) {
  static const std::regex number("[1-9][0-9,]*|not in 100,000");
  static const std::regex flags("-p ([^ ]+) -f ([^ ]+)( --(client|workload|processes) [^ ]+)?");
  for (const auto& row : told()) {
    EXPECT_EQ(row.seen_in, version) << row.file;
    if (row.search == "-") {
      EXPECT_EQ(row.first_met, "-") << row.file;
      continue;
    }
    EXPECT_TRUE(std::regex_match(row.first_met, number)) << row.file << ": " << row.first_met;
    std::smatch parts;
    const auto text = backquoted(row.search).at(0);
    ASSERT_TRUE(std::regex_match(text, parts, flags)) << row.file << ": " << text;
    EXPECT_NE(find_provider(parts[1]), nullptr) << row.file;
    EXPECT_TRUE(contains(known_names().profiles, parts[2])) << row.file;
    const std::string more = parts[3];
    const std::string client = " --client ";
    if (more.starts_with(client)) {
      EXPECT_NO_THROW(client_named(more.substr(client.size()))) << row.file;
    }
  }
}

}  // namespace
}  // namespace leaselab::cli
