// The program from outside, in a folder of the test's own: what it says, where, and with which exit
// status.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace leaselab::cli::testing {

namespace fs = std::filesystem;

struct ended {
  int status = -1;
  std::string text;   // standard output
  std::string error;  // standard error
};

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class program_run : public ::testing::Test {
 protected:
  program_run() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~program_run() override { fs::remove_all(folder_); }

  // `words` as a shell reads them; relative paths are those of a folder of the test's own.
  ended run(const std::string& words) const {
    const std::string line = "cd '" + folder_.string() + "' && '" LEASELAB_PROGRAM "' " + words +
                             " >stdout.txt 2>stderr.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "stdout.txt"),
            text_of(folder_ / "stderr.txt")};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // A check of a moment that finds a witness.
  ended small_check(const std::string& more = "") const {
    return run(
        "check -p release-then-acquire -f interleave -g handoff.no_gap --schedules 200 --seed 3 " +
        more);
  }

  fs::path folder_;
};

inline void expect_refused(const ended& got, const std::string& words) {
  EXPECT_EQ(got.status, 3) << got.error;
  EXPECT_NE(got.error.find(words), std::string::npos) << got.error;
  EXPECT_EQ(std::count(got.error.begin(), got.error.end(), '\n'), 1) << got.error;
}

}  // namespace leaselab::cli::testing
