#include "cli/provider_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/registry.hpp"
#include "cli/traces.hpp"
#include "properties/foreign.hpp"
#include "properties/lock.hpp"
#include "properties/search/search.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

// An interpreter of a hundred megabytes is not what people change.
constexpr std::uintmax_t largest = 64 << 20;

std::string_view without(std::string_view prefix, std::string_view text) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

// As a shell would, but for what it would put in their place.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> out(1);
  char quote = 0;
  for (const char one : command) {
    if (quote == 0 && (one == '\'' || one == '"')) {
      quote = one;
    } else if (one == quote) {
      quote = 0;
    } else if (quote == 0 && std::string_view(" \t\n;&|()<>").find(one) != std::string_view::npos) {
      if (!out.back().empty()) out.emplace_back();
    } else {
      out.back() += one;
    }
  }
  return out;
}

std::vector<std::string> files_of(std::string_view provider) {
  provider = without(properties::lock_prefix, provider);
  if (properties::is_library(provider)) return {std::string(provider)};
  return words_of(
      without(properties::exec_prefix, without(properties::best_effort_prefix, provider)));
}

void fold(std::uint64_t& digest, std::ifstream& file) {
  char part[65536];
  do {
    file.read(part, sizeof(part));
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      digest = properties::fold_digest(digest, static_cast<unsigned char>(part[i]));
  } while (file);
}

}  // namespace

std::string files_digest(const std::string& provider, const std::string& folder) {
  if (!is_from_elsewhere(provider)) return "";
  std::uint64_t digest = 0;
  bool any = false;
  for (const auto& word : files_of(provider)) {
    const fs::path path = fs::path(folder) / word;
    std::error_code error;
    if (word.empty() || !fs::is_regular_file(path, error) || fs::file_size(path, error) > largest)
      continue;
    std::ifstream file(path, std::ios::binary);
    fold(digest, file);
    any = true;
  }
  return any ? sim::digest_text(digest) : "";
}

std::string change_since(const sim::trace_header& recorded) {
  if (recorded.files.empty()) return "";
  if (files_digest(recorded.provider, folder_for(recorded)) == recorded.files) return "";
  return recorded.provider + " has changed since this was recorded";
}

}  // namespace leaselab::cli
