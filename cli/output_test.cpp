#include "cli/output.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cli/exit_status.hpp"
#include "cli/trace_path.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

class output : public ::testing::Test {
 protected:
  output() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~output() override { fs::remove_all(folder_); }

  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  template <class Action>
  static std::string error_of(Action action) {
    try {
      action();
    } catch (const usage_error& error) {
      return error.what();
    }
    return "accepted";
  }

  fs::path folder_;
};

TEST_F(output, a_file_appears_whole_and_replaces_what_was_there) {
  write_file(folder_ / "deep" / "a.txt", "one");
  write_file(folder_ / "deep" / "a.txt", "two");
  EXPECT_EQ(text_of(folder_ / "deep" / "a.txt"), "two");
  EXPECT_EQ(files(), 1u);
}

TEST_F(output, what_cannot_be_written_is_one_line) {
  EXPECT_EQ(error_of([] { write_file("/dev/full", "text"); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_EQ(error_of([&] { write_file(folder_, "text"); }),
            "cannot write " + folder_.string() + ": Is a directory");
  write_file(folder_ / "file", "text");
  EXPECT_EQ(error_of([&] { write_file(folder_ / "file" / "below", "text"); }),
            "cannot write " + (folder_ / "file").string() + ": Not a directory");
  EXPECT_EQ(files(), 1u);
}

TEST_F(output, a_device_is_written_into) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(output, each_run_has_its_folder_and_latest_leads_to_the_last) {
  const fs::path out = folder_ / "out";
  output_folder first(out, "check-seed-1");
  EXPECT_TRUE(fs::is_empty(out));  // nothing found, nothing left behind
  EXPECT_EQ(first.write("redis/p/f.jsonl", "1"), out / "0001-check-seed-1/redis/p/f.jsonl");
  output_folder second(out, "run");
  second.write("a.jsonl", "2");
  EXPECT_EQ(fs::read_symlink(out / "latest"), "0002-run");
  EXPECT_EQ(text_of(out / "latest" / "a.jsonl"), "2");
}

TEST_F(output, a_trace_is_a_file_a_cell_or_the_latest) {
  const fs::path out = folder_ / "out";
  output_folder run(out, "check-seed-1");
  run.write("redis/p.q/lossy.jsonl", "");
  const fs::path chaos = run.write("redis/p.q/chaos.jsonl", "");
  EXPECT_EQ(trace_path(chaos.string(), out), chaos);
  EXPECT_EQ(trace_path("latest/redis/p.q", out), out / "latest/redis/p.q/lossy.jsonl");
  EXPECT_EQ(trace_path("latest/redis/p.q/chaos", out), out / "latest/redis/p.q/chaos.jsonl");
  EXPECT_NE(error_of([&] { trace_path("latest", out); }).find("it holds redis"), std::string::npos);
  run.set_first(chaos);
  EXPECT_EQ(trace_path("latest", out), out / "latest/first.jsonl");
  EXPECT_EQ(text_of(out / "latest/first.jsonl"), "");
}

TEST_F(output, a_passing_run_stands_beside_its_trace_and_is_not_taken_for_one) {
  const fs::path out = folder_ / "out";
  output_folder run(out, "check-seed-1");
  const fs::path trace = run.write("redis/p.q/lossy.jsonl", "");
  const fs::path passing = out / "0001-check-seed-1/redis/p.q/lossy.passing.jsonl";
  EXPECT_EQ(passing_path(trace, out, "77"), passing);
  EXPECT_EQ(passing_path(out / "latest/redis/p.q/lossy.jsonl", out, "77"), passing);
  EXPECT_EQ(passing_path(folder_ / "other.jsonl", out, "77"), out / "passing/77.jsonl");
  write_file(passing, "");
  EXPECT_EQ(trace_path("latest/redis/p.q", out), out / "latest/redis/p.q/lossy.jsonl");
  fs::remove(trace);
  EXPECT_NE(error_of([&] { trace_path("latest/redis/p.q", out); }).find("there is no trace in"),
            std::string::npos);
}

TEST_F(output, a_trace_that_is_not_there_is_named) {
  const fs::path out = folder_ / "out";
  output_folder run(out, "check-seed-1");
  run.write("redis/p.q/lossy.jsonl", "");
  EXPECT_NE(error_of([&] {
              trace_path("latest/rediss/p.q", out);
            }).find("no `rediss` in " + (out / "latest").string() + "; did you mean `redis`?"),
            std::string::npos);
  EXPECT_NE(error_of([&] { trace_path("absent.jsonl", out); }).find("absent.jsonl"),
            std::string::npos);
}

}  // namespace
}  // namespace leaselab::cli
