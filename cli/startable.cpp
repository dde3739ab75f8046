#include "cli/startable.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "cli/exit_status.hpp"
#include "properties/foreign.hpp"
#include "sim/json_text.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

// Characters that mean something to a shell.
constexpr std::string_view special = "'\"\\$`|&;<>()*?[]#~=%{}!\n\t";

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw usage_error(fmt::format("{}: {}", name, why));
}

void expect_program(const std::string& name, const std::string& word, const fs::path& folder) {
  const fs::path path = fs::absolute(folder / word).lexically_normal();
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) {
    const std::string rest = name.substr(properties::exec_prefix.size());
    if (rest != word && fs::exists(folder / rest, error))
      refuse(name, fmt::format("the path has spaces: quote it, as in \"exec:'{}'\"", rest));
    refuse(name, fmt::format("there is no file {}", path.string()));
  }
  if (fs::is_directory(status)) refuse(name, fmt::format("{} is a folder", word));
  if (::access(path.c_str(), X_OK) != 0) {
    refuse(name, fmt::format("{} may not be executed: chmod +x it, or say by what it is run, as in "
                             "\"exec:python3 {}\"",
                             word, word));
  }
}

bool is_in_path(const std::string& word) {
  const char* const path = std::getenv("PATH");
  std::stringstream folders(path != nullptr ? path : "");
  for (std::string each; std::getline(folders, each, ':');)
    if (::access((fs::path(each) / word).c_str(), X_OK) == 0) return true;
  return false;
}

// What a shell looks for elsewhere.
void expect_not_here(const std::string& name, const std::string& word, const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder / word, error) || is_in_path(word)) return;
  refuse(name, fmt::format("a file in this folder is named with ./, as in exec:./{}", word));
}

// Reports and traces are text, and a report is lines.
void expect_text(const std::string& name) {
  if (!sim::is_utf8(name)) throw usage_error("the name of a provider is no UTF-8: rename the file");
  const auto is_control = [](unsigned char each) { return each < ' ' || each == 0x7f; };
  if (properties::is_library(name) && std::any_of(name.begin(), name.end(), is_control))
    throw usage_error("the path of a library has a control character in it: rename the file");
}

}  // namespace

void expect_startable(const std::string& given, const std::string& folder) {
  expect_text(given);
  std::string name = given;
  if (properties::is_best_effort(name)) name.erase(0, properties::best_effort_prefix.size());
  if (!name.starts_with(properties::exec_prefix)) return;
  std::string command = name.substr(properties::exec_prefix.size());
  command.erase(0, command.find_first_not_of(' '));
  if (command.empty()) refuse(name, "a command is missing, as in exec:./my_adapter.py");
  const std::string word = command.substr(0, command.find(' '));
  const bool plain = word.find_first_of(special) == std::string::npos;
  if (!plain) return;
  const bool is_path = word.find('/') != std::string::npos;
  is_path ? expect_program(name, word, folder) : expect_not_here(name, word, folder);
}

}  // namespace leaselab::cli
