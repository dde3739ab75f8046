// The program on providers that are programs themselves: what it says of those that work, of those
// that lack operations, and of those that cannot be started or break off.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace {

namespace fs = std::filesystem;

struct ended {
  int status = -1;
  std::string text, error;
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A lock in Redis: three of the five, and no word on who holds it.
constexpr const char* three_of_five = R"py(#!/usr/bin/env python3
import sys
sys.path.insert(0, "FOLDER/python")
from lease_adapter import LeaseError, serve

OWNED = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
ACQUIRE = """local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
RELEASE = OWNED + "return redis.call('DEL', KEYS[1])"
RENEW = OWNED + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"

class Lock:
    def __init__(self, host):
        self.host = host

    async def run(self, script, key, owner, ttl=1):
        if not key or not owner or not 1 <= ttl < 2**53:
            raise LeaseError("fail", "invalid_argument")
        reply = await self.host.command("EVAL", script, 1, self.host.prefix + ":lease:" + key,
                                        owner, ttl)
        if isinstance(reply, dict):
            raise LeaseError("fail", "backend_error", reply["error"])
        return reply

    async def acquire_lease(self, key, owner, ttl):
        return {"acquired": await self.run(ACQUIRE, key, owner, ttl) == 1}

    async def release_lease(self, key, owner):
        await self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return await self.run(RENEW, key, owner, ttl) == 1

serve(Lock, records="<prefix>:lease:<key>")
)py";

class foreign : public ::testing::Test {
 protected:
  foreign() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~foreign() override { fs::remove_all(folder_); }

  ended run(const std::string& words, const fs::path& below = "") const {
    const std::string line = "cd '" + (folder_ / below).string() + "' && '" LEASELAB_PROGRAM "' " +
                             words + " >'" + (folder_ / "stdout.txt").string() + "' 2>'" +
                             (folder_ / "stderr.txt").string() + "'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "stdout.txt"),
            text_of(folder_ / "stderr.txt")};
  }
  void write(const std::string& name, std::string text, bool may_run = true) const {
    const std::string word = "FOLDER";
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word))
      text.replace(at, word.size(), LEASELAB_PIPE_FOLDER);
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    if (may_run) fs::permissions(folder_ / name, fs::perms::owner_exec, fs::perm_options::add);
  }
  // The sample with its release made careless.
  void write_careless(const std::string& name) const {
    std::string text = text_of(LEASELAB_PIPE_FOLDER "/python/samples/script_lease.py");
    const auto replace = [&](const std::string& from, const std::string& to) {
      const auto at = text.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    };
    replace("RELEASE = OWNED + ", "RELEASE = ");
    replace("os.path.join(os.path.dirname(os.path.abspath(__file__)), \"..\")",
            "\"" LEASELAB_PIPE_FOLDER "/python\"");
    write(name, text);
  }
  boost::json::object json(const std::string& name) const {
    return boost::json::parse(text_of(folder_ / name)).as_object();
  }

  fs::path folder_;
};

void expect_one_line(const ended& got, int status, const std::string& words) {
  EXPECT_EQ(got.status, status) << got.error;
  EXPECT_NE(got.error.find(words), std::string::npos) << got.error;
  EXPECT_EQ(std::count(got.error.begin(), got.error.end(), '\n'), 1) << got.error;
}

const std::string sample = "exec:" LEASELAB_PIPE_FOLDER "/python/samples/script_lease.py";

TEST_F(foreign, a_program_that_keeps_the_contract_conforms) {
  const auto got = run("conform " + sample +
                       " --seed 1 --json c.json --junit c.xml --html c.html --markdown c.md");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  const auto report = json("c.json");
  EXPECT_EQ(report.at("summary").at("broken").to_number<int>(), 0);
  EXPECT_GE(report.at("summary").at("ok").to_number<int>(), 80);
  EXPECT_EQ(report.at("as"), "lease");
  EXPECT_TRUE(report.at("missing").as_array().empty());
  EXPECT_NE(text_of(folder_ / "c.xml").find("release_lease"), std::string::npos);
  EXPECT_NE(text_of(folder_ / "c.html").find("a free key"), std::string::npos);
  EXPECT_NE(text_of(folder_ / "c.md").find("| ok |"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "leaselab-out"));  // nothing is broken
}

// The first block of that language in the manual.
std::string from_manual(const std::string& language) {
  const std::string text = text_of("docs/PROVIDERS.md"), fence = "```" + language + "\n";
  const auto begin = text.find(fence);
  if (begin == std::string::npos) return "";
  const auto from = begin + fence.size();
  return text.substr(from, text.find("```\n", from) - from);
}

void expect_lines_below(const fs::path& file, std::ptrdiff_t most) {
  const auto text = text_of(file);
  EXPECT_FALSE(text.empty()) << file;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), most) << file;
}

TEST_F(foreign, the_manual_leads_to_a_matrix_in_python) {
  expect_lines_below(LEASELAB_PIPE_FOLDER "/python/lease_adapter.py", 80);
  fs::copy_file(LEASELAB_PIPE_FOLDER "/python/lease_adapter.py", folder_ / "lease_adapter.py");
  write("my_adapter.py", from_manual("python"));
  EXPECT_EQ(run("conform exec:./my_adapter.py").status, 0);
  const auto got = run("check -p exec:./my_adapter.py -f interleave --schedules 40 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find(", 0 broken, 0 witness, 0 unwitnessed, 0 limit, 0 unknown"),
            std::string::npos)
      << got.text;
}

#ifdef LEASELAB_NODE
TEST_F(foreign, the_manual_leads_to_a_matrix_in_node) {
  expect_lines_below(LEASELAB_PIPE_FOLDER "/node/lease_adapter.js", 80);
  fs::copy_file(LEASELAB_PIPE_FOLDER "/node/lease_adapter.js", folder_ / "lease_adapter.js");
  write("my_adapter.js", from_manual("js"));
  EXPECT_EQ(run("conform 'exec:" LEASELAB_NODE " ./my_adapter.js'").status, 0);
  const auto got = run("check -p 'exec:" LEASELAB_NODE
                       " ./my_adapter.js' -f interleave --schedules 40 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find(", 0 broken, 0 witness, 0 unwitnessed, 0 limit, 0 unknown"),
            std::string::npos)
      << got.text;
}
#endif

TEST_F(foreign, a_broken_promise_is_told_and_replays_from_any_folder) {
  write_careless("my adapters/careless.py");
  const auto got = run("conform \"exec:'./careless.py'\" --seed 1 --json c.json", "my adapters");
  EXPECT_EQ(got.status, 1) << got.text << got.error;
  EXPECT_NE(got.text.find("release.owner_only is promised"), std::string::npos) << got.text;
  EXPECT_NE(got.text.find("replay one: "), std::string::npos);
  for (const char* verb : {"replay", "explain", "shrink"}) {
    const auto again = run(std::string(verb) + " 'my adapters/leaselab-out/latest'");
    EXPECT_EQ(again.status, 0) << verb << again.text << again.error;
  }
  EXPECT_EQ(run("replay latest").status, 0);  // of what was shrunk here
}

TEST_F(foreign, three_of_five_fall_back_and_are_a_lock) {
  write("lock.py", three_of_five);
  const auto as_lease = run("conform exec:./lock.py --seed 1");
  EXPECT_EQ(as_lease.status, 1);
  EXPECT_NE(as_lease.text.find("3 of 5 operations (no get_lease_owner, transfer_lease): a runtime "
                               "falls back to no-op; try --as lock"),
            std::string::npos)
      << as_lease.text;
  const auto as_lock = run("conform exec:./lock.py --as lock --seed 1 --json c.json");
  EXPECT_EQ(as_lock.status, 0) << as_lock.text << as_lock.error;
  EXPECT_EQ(json("c.json").at("as"), "lock");
  const auto lease = run("check -p exec:./lock.py -f interleave --schedules 60 --seed 1");
  EXPECT_EQ(lease.status, 1);
  EXPECT_NE(lease.text.find("try --as lock"), std::string::npos) << lease.text;
  const auto lock =
      run("check -p exec:./lock.py --as lock -f interleave --schedules 100 --seed 1 --json m.json");
  EXPECT_EQ(lock.status, 0) << lock.text << lock.error;
  const auto matrix = json("m.json");
  for (const auto& one : matrix.at("cells").as_array()) {
    const auto& property = one.at("property").as_string();
    const bool aside = property.starts_with("handoff.") || property.starts_with("run.") ||
                       property == "acquire.honest_denial";
    const bool core = property == "single_owner.grant";
    if (aside || core) {
      EXPECT_EQ(one.at("result"), core ? "holds" : "not_applicable") << property;
    }
  }
}

TEST_F(foreign, a_lock_that_is_broken_is_recorded_as_one) {
  std::string text = three_of_five;
  const std::string owned = "RELEASE = OWNED + ";
  text.replace(text.find(owned), owned.size(), "RELEASE = ");
  write("bad_lock.py", text);
  const auto found =
      run("check -p exec:./bad_lock.py --as lock -f interleave -g release.owner_only "
          "--schedules 200 --seed 1");
  EXPECT_EQ(found.status, 1) << found.text << found.error;
  fs::create_directories(folder_ / "elsewhere");
  const auto again = run("replay ../leaselab-out/latest", "elsewhere");
  EXPECT_EQ(again.status, 0) << again.text << again.error;
  EXPECT_NE(again.text.find("lock:exec:./bad_lock.py"), std::string::npos) << again.text;
  EXPECT_NE(again.text.find("violated  release.owner_only"), std::string::npos) << again.text;
}

TEST_F(foreign, scenarios_run_on_a_program) {
  write("one.toml",
        "schema = 1\ntitle = \"A held key is refused\"\nttl = \"100ms\"\ncall = [\n"
        "  { at = \"0ms\", process = \"P1\", do = \"acquire\", owner = \"A\" },\n"
        "  { at = \"9ms\", process = \"P2\", do = \"release\", owner = \"B\" },\n"
        "]\n[expect]\ndefault = \"holds\"\n");
  const auto got = run("run one.toml -p " + sample + " --json r.json");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_EQ(json("r.json").at("runs").as_array().size(), 1u);
  write_careless("careless.py");
  EXPECT_EQ(run("run one.toml -p exec:./careless.py").status, 1);
  EXPECT_EQ(run("run one.toml -p exec:./careless.py --as lock").status, 1);
}

TEST_F(foreign, a_trace_says_that_its_program_is_gone_or_has_changed) {
  write_careless("care less.py");
  const std::string command = "\"exec:python3 -u './care less.py' --name 'it is' \\\"q'q\\\"\"";
  const auto found = run("check -p " + command + " -f calm -g release.owner_only --schedules 60");
  ASSERT_EQ(found.status, 1) << found.text << found.error;
  EXPECT_EQ(run("replay latest").status, 0);
  EXPECT_EQ(run("replay leaselab-out/latest").status, 0);
  fs::rename(folder_ / "care less.py", folder_ / "kept.py");
  const auto gone = run("replay latest");
  EXPECT_EQ(gone.status, 2);  // python3 is there, and says what is not
  EXPECT_NE(gone.error.find("care less.py"), std::string::npos) << gone.error;
  write("care less.py", text_of(folder_ / "kept.py") + "\n# As before.\n");
  EXPECT_EQ(run("replay latest").status, 0);  // changed, and the same
  std::string text = text_of(folder_ / "kept.py");
  const std::string careless = "RELEASE = ";
  text.replace(text.find(careless), careless.size(), "RELEASE = OWNED + ");
  write("care less.py", text);
  const auto changed = run("replay latest");
  EXPECT_EQ(changed.status, 4);
  EXPECT_NE(changed.text.find("has changed since this was recorded"), std::string::npos);

  write_careless("plain.py");
  ASSERT_EQ(run("conform exec:./plain.py").status, 1);
  fs::remove(folder_ / "plain.py");
  expect_one_line(run("replay latest"), 3, (folder_ / "plain.py").string());
  EXPECT_NE(text_of(folder_ / "stderr.txt").find("put it back there"), std::string::npos);
}

TEST_F(foreign, what_cannot_be_started_is_told_in_one_line) {
  write("plain.py", "print(1)\n", false);
  write("with space/it.py", "#!/bin/sh\n");
  expect_one_line(run("conform exec:"), 3, "a command is missing");
  expect_one_line(run("conform exec:./nowhere.py"), 3, "there is no file");
  expect_one_line(run("check -p exec:./nowhere.py"), 3, "there is no file");
  expect_one_line(run("run . -p exec:./nowhere.py"), 3, "");
  expect_one_line(run("conform exec:./plain.py"), 3, "may not be executed: chmod +x it, or say");
  expect_one_line(run("conform exec:plain.py"), 3, "as in exec:./plain.py");
  expect_one_line(run("conform plain.py"), 3, "of a program say exec:./plain.py");
  expect_one_line(run("check -p ./plain.py"), 3, "of a program say exec:./plain.py");
  expect_one_line(run("conform 'exec:./with spice'"), 3, "there is no file");
  expect_one_line(run("conform 'exec:./with space/it.py'"), 3, "quote it");
  expect_one_line(run("conform exec:./"), 3, "is a folder");
  expect_one_line(run("conform exec:no-such-program-anywhere"), 2, "status 127");
  expect_one_line(run("conform 'exec:python3 ./nowhere.py'"), 2, "No such file");
  expect_one_line(run("conform redis --as look"), 3, "did you mean `lock`?");
  expect_one_line(run("check --as lock --client strict"), 3, "leave --client out");
  expect_one_line(run("conform noop --as lock"), 3, "cannot be tested as a lock");
}

TEST_F(foreign, one_that_breaks_off_is_status_2_and_one_line) {
  const std::string hello =
      "#!/bin/sh\nread a\necho '{\"hello\":1,\"operations\":[\"acquire_lease\",\"get_lease_owner\","
      "\"release_lease\",\"renew_lease\",\"transfer_lease\"]}'\nread a\necho '{\"do\":[]}'\nread "
      "a\n";
  write("dies.sh", hello + "kill -9 $$\n");
  write("talks.sh", hello + "echo nonsense\nsleep 1000 &\nwait\n");
  expect_one_line(run("conform exec:./dies.sh"), 2, "the case was acquire_lease, a free key");
  expect_one_line(run("check -p exec:./dies.sh --schedules 50"), 2, "ended by signal 9");
  expect_one_line(run("conform exec:./talks.sh"), 2, "no JSON: nonsense");
  expect_one_line(run("sweep clock.rate -p exec:./talks.sh"), 2, "no JSON: nonsense");
}

// Gone, or waiting for init to reap it.
bool has_ended(pid_t id) {
  const auto stat = text_of("/proc/" + std::to_string(id) + "/stat");
  const auto name_ends = stat.rfind(") ");
  const char state = name_ends == std::string::npos ? 'X' : stat[name_ends + 2];
  return ::kill(id, 0) != 0 || state == 'Z' || state == 'X';
}

class interrupted : public foreign {
 protected:
  // An adapter that runs `before` first, which may write the numbers of processes into `pids`.
  void write_slow(const std::string& before, const std::string& file = "slow.py") const {
    std::string text = text_of(LEASELAB_PIPE_FOLDER "/python/samples/script_lease.py");
    const std::string path = "os.path.join(os.path.dirname(os.path.abspath(__file__)), \"..\")";
    text.replace(text.find(path), path.size(), "\"" LEASELAB_PIPE_FOLDER "/python\"");
    text.insert(text.find("serve("),
                "import signal, subprocess, sys\n"
                "def note(*pids):\n"
                "    open(\"pids\", \"a\").write(\"\".join(f\"{one}\\n\" for one in pids))\n" +
                    before + "\n");
    write(file, text);
  }
  std::vector<pid_t> noted() const {
    std::vector<pid_t> out;
    std::istringstream file(text_of(folder_ / "pids"));
    for (pid_t one = 0; file >> one;) out.push_back(one);
    return out;
  }
  // Starts a check that would take hours, and sends it `signal` when `count` are noted. How it
  // ended, as of waitpid.
  int check_until(const std::string& provider, std::size_t count, int signal) const {
    const pid_t id = ::fork();
    if (id == 0) {
      if (::chdir(folder_.c_str()) != 0) ::_exit(99);
      std::freopen("stdout.txt", "w", stdout);
      std::freopen("stderr.txt", "w", stderr);
      ::execl(LEASELAB_PROGRAM, "leaselab", "check", "-p", provider.c_str(), "--schedules",
              "1000000", "--jobs", "2", nullptr);
      ::_exit(99);
    }
    int status = 0;
    while (noted().size() < count) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (::waitpid(id, &status, WNOHANG) == 0) continue;
      ADD_FAILURE() << "it has ended: " << text_of(folder_ / "stderr.txt");
      return status;
    }
    ::kill(id, signal);
    ::waitpid(id, &status, 0);
    return status;
  }
  void expect_all_end() const {  // one that does not hangs the test
    for (const pid_t one : noted())
      while (!has_ended(one)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
};

// The one that was asked what it has, and some that serve; each with one of its own.
TEST_F(interrupted, check_leaves_no_child) {
  for (const int signal : {SIGINT, SIGTERM}) {
    write_slow("note(os.getpid(), subprocess.Popen([\"sleep\", \"1000\"]).pid)");
    const int status = check_until("exec:./slow.py", 6, signal);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130) << text_of(folder_ / "stderr.txt");
    expect_all_end();
    fs::remove(folder_ / "pids");
  }
}

// Nothing can be done then: a child dies with its parent, and one behind a shell, whose parent that
// is not, reads the end of its input.
TEST_F(interrupted, a_check_that_is_killed_leaves_no_child) {
  write_slow("note(os.getpid())");
  check_until("exec:cd . && ./slow.py; true", 4, SIGKILL);
  expect_all_end();
  fs::remove(folder_ / "pids");
  write_slow(
      "note(os.getpid())\n"
      "import time\n"
      "def deaf(read):\n"
      "    yield from read\n"
      "    time.sleep(1000)  # at the end of its input\n"
      "sys.stdin = deaf(sys.stdin)",
      "deaf.py");  // not slow.py: one of the first check may still be on its way to read that
  check_until("exec:./deaf.py", 4, SIGKILL);
  expect_all_end();
}

}  // namespace
