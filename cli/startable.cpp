#include "cli/startable.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "cli/exit_status.hpp"
#include "properties/foreign.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

// Characters that mean something to a shell.
constexpr std::string_view special = "'\"\\$`|&;<>()*?[]#~=%{}!\n\t";

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw usage_error(fmt::format("{}: {}", name, why));
}

void expect_program(const std::string& name, const std::string& word, const fs::path& folder) {
  const fs::path path = folder / word;
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

}  // namespace

void expect_startable(const std::string& name, const std::string& folder) {
  if (!name.starts_with(properties::exec_prefix)) return;
  std::string command = name.substr(properties::exec_prefix.size());
  command.erase(0, command.find_first_not_of(' '));
  if (command.empty()) refuse(name, "a command is missing, as in exec:./my_adapter.py");
  const std::string word = command.substr(0, command.find(' '));
  const bool plain = word.find_first_of(special) == std::string::npos;
  if (plain && word.find('/') != std::string::npos) expect_program(name, word, folder);
}

}  // namespace leaselab::cli
