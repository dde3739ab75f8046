#include "cli/trace_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/exit_status.hpp"
#include "cli/registry.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view passing = ".passing";

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    out.push_back(each->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Profiles stand in the order of the list, in-model ones first; anything else after them.
std::size_t rank_of(const fs::path& trace) {
  static const auto profiles = names_of(profile_list());
  const auto found = std::find(profiles.begin(), profiles.end(), trace.stem().string());
  return static_cast<std::size_t>(found - profiles.begin());
}

bool is_trace(const fs::path& file) {
  return file.extension() == ".jsonl" && file.stem().extension() != passing;
}

// A run's worst trace, a cell's first, or, where there is neither, nothing.
fs::path trace_in(const fs::path& folder) {
  if (fs::exists(folder / "first.jsonl")) return folder / "first.jsonl";
  std::vector<fs::path> traces;
  for (const auto& each : entries_of(folder)) {
    if (is_trace(each)) traces.push_back(each);
  }
  const auto first = std::min_element(
      traces.begin(), traces.end(),
      [](const fs::path& a, const fs::path& b) { return rank_of(a) < rank_of(b); });
  return first == traces.end() ? fs::path() : *first;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& each : entries_of(folder)) {
    if (fs::is_directory(each)) out.push_back(each.filename().string());
    if (is_trace(each)) out.push_back(each.stem().string());
  }
  return out;
}

// The part of a path that does not exist, and what stands beside it.
[[noreturn]] void refuse(const std::string& argument, fs::path path) {
  std::string missing = path.filename().string();
  while (path.has_relative_path() && !fs::exists(path)) {
    missing = path.filename().string();
    path = path.parent_path();
  }
  const auto known = names_in(path.empty() ? fs::path(".") : path);
  throw usage_error(fmt::format("there is no trace {}: no `{}` in {}{}", argument, missing,
                                path.empty() ? "." : path.string(),
                                scenarios::suggest(missing, known)));
}

}  // namespace

fs::path trace_path(const std::string& argument, const fs::path& out) {
  const fs::path given(argument);
  if (fs::exists(given) && !fs::is_directory(given)) return given;
  const bool is_cell = !given.empty() && *given.begin() == "latest" && !fs::exists(given);
  const fs::path path = is_cell ? out / given : given;
  if (fs::path file = path.string() + ".jsonl"; fs::exists(file)) return file;
  if (!fs::is_directory(path)) refuse(argument, path);
  const fs::path found = trace_in(path);
  if (found.empty()) {
    throw usage_error(fmt::format("there is no trace in {}; it holds {}", path.string(),
                                  fmt::join(names_in(path), ", ")));
  }
  return found;
}

fs::path passing_path(const fs::path& trace, const fs::path& out, const std::string& digest) {
  std::error_code error;
  const fs::path below =
      fs::weakly_canonical(trace, error).lexically_relative(fs::weakly_canonical(out, error));
  if (error || below.empty() || *below.begin() == "..")
    return out / "passing" / (digest + ".jsonl");
  return out / below.parent_path() / (below.stem().string() + std::string(passing) + ".jsonl");
}

}  // namespace leaselab::cli
