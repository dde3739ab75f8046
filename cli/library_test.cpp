// A shared library as a provider, from outside: what a user types, from the check to the story.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

struct ended {
  int status = -1;
  std::string text, error;
};

class library : public ::testing::Test {
 protected:
  library() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~library() override { fs::remove_all(folder_); }

  void put(const std::string& plugin, const std::string& as) const {
    fs::copy_file(LEASELAB_PLUGINS + plugin + ".so", folder_ / as);
  }
  ended run(const std::string& words) const {
    const std::string line = "cd '" + folder_.string() + "' && '" LEASELAB_PROGRAM "' " + words +
                             " >stdout.txt 2>stderr.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of("stdout.txt"),
            text_of("stderr.txt")};
  }
  std::string text_of(const char* name) const {
    std::ifstream file(folder_ / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  fs::path folder_;
};

void expect_words(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST_F(library, a_correct_one_fills_the_matrix) {
  put("script_lease", "libmine.so");
  const auto got = run("check -p ./libmine.so -f interleave -f crash --schedules 200 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  expect_words(got.text, "single_owner.grant     holds");
  EXPECT_EQ(run("conform libmine.so").status, 0);
}

TEST_F(library, a_fault_is_found_replayed_and_told) {
  put("careless_lease", "libmine.so");
  const auto got =
      run("check -p ./libmine.so -f interleave -g release.owner_only --schedules 200 --seed 1");
  EXPECT_EQ(got.status, 1) << got.text << got.error;
  expect_words(got.text, "broken  release.owner_only of ./libmine.so");
  for (int i = 0; i < 3; ++i) {
    const auto again = run("replay latest/libmine.so/release.owner_only");
    EXPECT_EQ(again.status, 0) << again.text << again.error;
    expect_words(again.text, "same digest");
  }
  EXPECT_EQ(run("shrink latest").status, 0);
  expect_words(run("explain latest").text, "release");
  EXPECT_EQ(run("conform ./libmine.so").status, 1);
}

// The lines that docs/PROVIDERS.md has a user type, in an empty folder.
TEST_F(library, the_walk_of_the_docs_works) {
  std::ifstream docs(LEASELAB_SOURCE "/docs/PROVIDERS.md");
  std::ofstream script(folder_ / "walk.sh");
  script << "set -e\nLEASELAB='" LEASELAB_SOURCE "'\nleaselab() { '" LEASELAB_PROGRAM
            "' \"$@\"; }\n";
  bool here = false;
  int lines = 0;
  for (std::string line; std::getline(docs, line);) {
    if (line.starts_with("#")) here = line == "### A shared library";
    if (!here || !line.starts_with("    $ ")) continue;
    script << line.substr(6) << "\n";
    ++lines;
  }
  script.close();
  EXPECT_EQ(lines, 4);
  const std::string line = "cd '" + folder_.string() + "' && sh walk.sh >out.txt 2>&1";
  EXPECT_EQ(std::system(line.c_str()), 0) << text_of("out.txt");
  expect_words(text_of("out.txt"), "handoff.no_gap         holds");
}

TEST_F(library, what_is_missing_is_said) {
  put("lock_lease", "libmine.so");
  const auto got = run("check -p ./libmine.so -f calm -g single_owner.grant --schedules 50");
  expect_words(got.text, "./libmine.so: 3 of 5 operations (no get_lease_owner, transfer_lease)");
}

TEST_F(library, what_cannot_be_hosted_is_one_line) {
  put("other_version", "other.so");
  put("nothing", "nothing.so");
  std::ofstream(folder_ / "text.so") << "no library\n";
  for (const char* name : {"./absent.so", "./text.so", "./other.so", "./nothing.so"}) {
    const auto got = run(std::string("check -p ") + name);
    EXPECT_TRUE(got.status == 2 || got.status == 3) << name << " " << got.status;
    expect_words(got.error, name);
    EXPECT_EQ(std::count(got.error.begin(), got.error.end(), '\n'), 1) << got.error;
  }
}

}  // namespace
