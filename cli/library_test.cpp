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
  ended run(const std::string& words, const fs::path& below = "") const {
    const auto quoted = [&](const fs::path& name) { return "'" + (folder_ / name).string() + "'"; };
    const std::string line = "cd " + quoted(below) + " && '" LEASELAB_PROGRAM "' " + words + " >" +
                             quoted("stdout.txt") + " 2>" + quoted("stderr.txt");
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

TEST_F(library, what_is_missing_is_said) {
  put("lock_lease", "libmine.so");
  const std::string told = "./libmine.so: 3 of 5 operations (no get_lease_owner, transfer_lease)";
  for (const char* verb : {"check -f calm -g single_owner.grant --schedules 50 --json r.json -p",
                           "conform --json r.json", "run one.toml --json r.json -p"}) {
    std::ofstream(folder_ / "one.toml")
        << "schema = 1\ntitle = \"A free key\"\nttl = \"100ms\"\ncall = [\n"
           "  { at = \"0ms\", process = \"P1\", do = \"acquire\", owner = \"A\" },\n]\n"
           "[expect]\ndefault = \"holds\"\n";
    expect_words(run(std::string(verb) + " ./libmine.so").text, told);
    expect_words(text_of("r.json"), "\"transfer_lease\"");
  }
  for (const char* verb : {"check -f calm --schedules 20 --html r.html --markdown r.md -p",
                           "conform --html r.html --markdown r.md"}) {
    EXPECT_EQ(run(std::string(verb) + " ./libmine.so").status, 1);
    expect_words(text_of("r.html"), told);
    expect_words(text_of("r.md"), "3 of 5 operations (no get\\_lease\\_owner, transfer\\_lease)");
  }
  EXPECT_EQ(run("conform ./libmine.so --as lock").status, 0);
  const auto lock = run("check -p ./libmine.so --as lock -f interleave --schedules 100 --seed 1");
  EXPECT_EQ(lock.status, 0) << lock.text << lock.error;
  expect_words(lock.text, "lock:./libmine.so: as a lock, without get_lease_owner, transfer_lease");
}

TEST_F(library, what_cannot_be_hosted_is_one_line) {
  put("other_version", "other.so");
  put("nothing", "nothing.so");
  put("stranger", "stranger.so");
  std::ofstream(folder_ / "text.so") << "no library\n";
  fs::create_symlink("nowhere", folder_ / "link.so");
  fs::create_directory(folder_ / "folder.so");
  put("script_lease", "short.so");
  fs::resize_file(folder_ / "short.so", fs::file_size(folder_ / "short.so") / 2);
  for (const char* name : {"./absent.so", "./text.so", "./other.so", "./nothing.so",
                           "./stranger.so", "./link.so", "./folder.so", "./short.so"}) {
    for (const char* verb : {"check -p ", "conform ", "sweep margin -p "}) {
      const auto got = run(std::string(verb) + name);
      EXPECT_EQ(got.status, 3) << name << " " << got.error;
      expect_words(got.error, name);
      EXPECT_EQ(std::count(got.error.begin(), got.error.end(), '\n'), 1) << got.error;
    }
  }
}

const char* const careless = " -f interleave -g release.owner_only --schedules 200 --seed 1";

TEST_F(library, a_path_leads_there_as_it_is_written) {
  fs::create_directories(folder_ / "a b");
  put("careless_lease", "libmine.so");
  put("careless_lease", "a b/lib mine.so");
  fs::create_symlink("libmine.so", folder_ / "link.so");
  fs::permissions(folder_ / "libmine.so", fs::perms::owner_read, fs::perm_options::replace);
  for (const std::string name : {"./libmine.so", "libmine.so", "link.so", "'a b/lib mine.so'",
                                 "'./a b/../libmine.so'", "\"$PWD/libmine.so\""}) {
    const auto got = run("check -p " + name + careless);
    EXPECT_EQ(got.status, 1) << name << got.text << got.error;
    EXPECT_EQ(run("replay latest").status, 0) << name;
  }
}

bool is_safe(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](unsigned char one) {
    return std::isalnum(one) || std::string_view("._-+=,@:/").find(one) != std::string_view::npos;
  });
}

TEST_F(library, files_have_names_that_no_shell_takes_for_more) {
  put("careless_lease", "we ird*?\"'$x;&|\xc3\xa9.so");
  const auto got = run("check -p \"we ird*?\\\"'\\$x;&|\xc3\xa9.so\" -p 'exec:' ");
  EXPECT_EQ(got.status, 3);  // of the command that is missing
  const auto found = run("check -p we*.so --markdown m.md" + std::string(careless));
  EXPECT_EQ(found.status, 1) << found.text << found.error;
  for (const auto& each : fs::recursive_directory_iterator(folder_ / "leaselab-out"))
    EXPECT_TRUE(is_safe(each.path().lexically_relative(folder_).string())) << each.path();
  EXPECT_EQ(run("replay latest").status, 0);
  expect_words(text_of("m.md"), "| we ird\\*?&quot;'$x;&amp;\\|\xc3\xa9.so |");
  put("careless_lease", "bad\xff.so");
  put("careless_lease", "two\nlines.so");
  for (const char* name : {"bad*.so", "two*.so"}) {
    const auto refused = run(std::string("check -p ") + name);
    EXPECT_EQ(refused.status, 3) << refused.text;
    expect_words(refused.error, "rename the file");
    EXPECT_EQ(std::count(refused.error.begin(), refused.error.end(), '\n'), 1) << refused.error;
  }
}

// Two at once, and two whose folders would have one name.
TEST_F(library, two_have_a_column_and_a_folder_each) {
  fs::create_directories(folder_ / "a");
  put("careless_lease", "a/b.so");
  put("careless_lease", "a_b.so");
  const auto got = run("check -p a/b.so -p ./a_b.so" + std::string(careless));
  EXPECT_EQ(got.status, 1) << got.text << got.error;
  expect_words(got.text, "of a/b.so in");
  expect_words(got.text, "of ./a_b.so in");
  expect_words(run("replay latest/a_b.so/release.owner_only").text, "with a/b.so in");
  expect_words(run("replay latest/a_b.so-2/release.owner_only").text, "with ./a_b.so in");
}

TEST_F(library, a_trace_says_that_its_library_is_gone_or_has_changed) {
  fs::create_directories(folder_ / "there");
  fs::create_directories(folder_ / "here");
  put("careless_lease", "there/libmine.so");
  const std::string trace = "'" + (folder_ / "there/leaselab-out/latest").string() + "'";
  ASSERT_EQ(run("check -p ./libmine.so" + std::string(careless), "there").status, 1);
  const auto in_here = [&](const std::string& verb) { return run(verb + " " + trace, "here"); };
  expect_words(in_here("replay").text, "same digest");

  fs::rename(folder_ / "there/libmine.so", folder_ / "kept.so");
  for (const char* verb : {"replay", "explain", "shrink"}) {
    const auto gone = in_here(verb);
    EXPECT_EQ(gone.status, 3) << gone.text;
    expect_words(gone.error, "there is no file " + (folder_ / "there/libmine.so").string());
    expect_words(gone.error, "put it back there");
    EXPECT_EQ(std::count(gone.error.begin(), gone.error.end(), '\n'), 1) << gone.error;
  }
  put("script_lease", "there/libmine.so");
  const std::string changed = "./libmine.so has changed since this was recorded";
  const auto replayed = in_here("replay");
  EXPECT_EQ(replayed.status, 4);
  expect_words(replayed.text, changed);
  expect_words(in_here("explain").text, changed);
  const auto shrunk = in_here("shrink");
  EXPECT_EQ(shrunk.status, 3);
  expect_words(shrunk.error, changed);

  fs::rename(folder_ / "there", folder_ / "moved");
  const std::string moved = "replay '" + (folder_ / "moved/leaselab-out/latest").string() + "'";
  const auto lost = run(moved);
  EXPECT_EQ(lost.status, 3);
  expect_words(lost.error, "which is gone: call this where the provider is now");
  fs::rename(folder_ / "kept.so", folder_ / "libmine.so");
  expect_words(run(moved).text, "same digest");
}

}  // namespace
