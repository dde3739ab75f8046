// Files that the program leaves behind. Each appears whole or not at all: it is written under
// another name and then renamed. What cannot be written is a usage_error of one line.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace leaselab::cli {

// Makes the folder above it where that is missing. "-" is standard output. A file that is there
// already is replaced; a device or a pipe is written into.
void write_file(const std::filesystem::path& path, std::string_view text);

// Before long work: that a file could be written there.
void expect_writable(const std::filesystem::path& file);

// Text for people goes where no report for machines goes.
std::FILE* text_stream(const options& given);

// One run's folder below --out: made when the first file is written, and then `latest` leads to it.
class output_folder {
 public:
  // Checks that `out` can be written to. `name` is what the run is called: "check-seed-1".
  output_folder(std::filesystem::path out, std::string name);

  // Writes below the run's folder and returns where: leaselab-out/0007-check-seed-1/<relative>.
  std::filesystem::path write(const std::filesystem::path& relative, std::string_view text);
  // Makes the run's `first.jsonl` lead to one of its traces, for `latest` alone.
  void set_first(const std::filesystem::path& trace);

  bool used() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  void open();
  void link(const std::filesystem::path& target, const std::filesystem::path& name);

  std::filesystem::path out_;
  std::string name_;
  std::filesystem::path folder_;  // empty until something is written
};

}  // namespace leaselab::cli
