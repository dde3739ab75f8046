#include <algorithm>

#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {
namespace {

namespace fs = std::filesystem;

bool below_live(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return std::find(folder.begin(), folder.end(), fs::path("live")) != folder.end();
}

found_file describe(const fs::path& path) {
  // A file given by its bare name belongs to the folder that one stands in.
  const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  return {path, folder.filename().string(), below_live(path)};
}

void collect_folder(const fs::path& folder, std::vector<found_file>& found) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".toml")
      files.push_back(entry.path());
  if (files.empty())
    throw scenario_error(folder.string(), "there is no scenario (*.toml) in this folder");
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) found.push_back(describe(file));
}

}  // namespace

std::vector<found_file> collect(const std::vector<fs::path>& paths) {
  std::vector<found_file> found;
  for (const fs::path& path : paths) {
    if (!fs::exists(path)) throw scenario_error(path.string(), "there is no such file or folder");
    if (fs::is_directory(path))
      collect_folder(path, found);
    else
      found.push_back(describe(path));
  }
  return found;
}

}  // namespace leaselab::scenarios
