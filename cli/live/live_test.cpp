// `live` as a user meets it: real processes, a real server, and nothing left behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "providers/testing/redis_server.hpp"

namespace {

namespace fs = std::filesystem;
using leaselab::testing::redis_server;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> out;
  for (const auto& each : fs::directory_iterator("/proc")) {
    const std::string stat = text_of(each.path() / "stat");
    const auto name_end = stat.rfind(')');
    if (name_end == std::string::npos || name_end + 4 > stat.size()) continue;
    if (std::stol(stat.substr(name_end + 4)) == parent) out.insert(std::stoi(stat));
  }
  return out;
}

// Workers name themselves on their command line.
std::set<pid_t> workers_of(pid_t parent) {
  std::set<pid_t> out;
  for (const pid_t child : children_of(parent)) {
    const std::string words = text_of("/proc/" + std::to_string(child) + "/cmdline");
    if (words.find("live-worker") != std::string::npos) out.insert(child);
  }
  return out;
}

// Or dead and not yet reaped by whoever inherited it.
bool is_gone(pid_t id) {
  if (::kill(id, 0) != 0) return errno == ESRCH;
  const std::string stat = text_of("/proc/" + std::to_string(id) + "/stat");
  return stat.find(") Z ") != std::string::npos;
}

class live : public ::testing::Test {
 protected:
  live() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directory(folder_ / "tmp");
  }
  // What a run leaves in its TMPDIR (a server's folder, a socket) is a leftover.
  ~live() override {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "left in TMPDIR";
    fs::remove_all(folder_);
  }

  pid_t start(const std::string& words) {
    const std::string line = "cd '" + folder_.string() + "' && TMPDIR='" +
                             (folder_ / "tmp").string() + "' exec '" LEASELAB_PROGRAM "' live " +
                             words + " --json j.json >stdout.txt 2>stderr.txt";
    const pid_t id = ::fork();
    if (id == 0) {
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    return id;
  }
  int wait_for(pid_t id) {
    int status = 0;
    ::waitpid(id, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int run(const std::string& words) { return wait_for(start(words)); }

  // Whether a fault meets a holder at a moment that matters is up to the machine: a busy one makes
  // something else of a plan. So it gets further plans until one does.
  int run_until_violated(const std::string& words) {
    int status = 0;
    for (int seed = 7; seed < 27 && status == 0; ++seed)
      status = run(words + " --seed " + std::to_string(seed));
    return status;
  }

  // Until the run has started that many workers: all that it has had, to be looked for later. A
  // planned kill may end any of them in the meantime.
  std::set<pid_t> children_once_started(pid_t parent, std::size_t workers) {
    std::set<pid_t> seen, seen_workers;
    while (true) {
      seen.merge(children_of(parent));
      seen_workers.merge(workers_of(parent));
      if (seen_workers.size() >= workers || ::waitpid(parent, nullptr, WNOHANG) != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    seen.merge(seen_workers);
    return seen;
  }

  void expect_one_line(int status, const std::string& words, int expected) {
    const std::string error = text_of(folder_ / "stderr.txt");
    EXPECT_EQ(status, expected) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
  }
  std::string text() const {
    return text_of(folder_ / "stdout.txt") + text_of(folder_ / "stderr.txt");
  }
  boost::json::object json() const {
    return boost::json::parse(text_of(folder_ / "j.json")).as_object();
  }
  std::string verdict_of(const std::string& property) const {
    const auto report = json();
    for (const auto& each : report.at("verdicts").as_array()) {
      if (each.at("property").as_string() == property) {
        return std::string(each.at("verdict").as_string());
      }
    }
    return "missing";
  }
  fs::path kept(const std::string& name) const {
    return folder_ / "leaselab-out" / "latest" / name;
  }

  fs::path folder_;
};

TEST_F(live, the_lease_client_is_safe_under_its_own_plan) {
  EXPECT_EQ(run("--duration 3s --processes 4 --seed 7 --html l.html --junit l.xml"), 0) << text();
  EXPECT_NE(text_of(folder_ / "l.html").find("single_owner.belief"), std::string::npos);
  EXPECT_NE(text_of(folder_ / "l.xml").find("name=\"live.redis\" tests=\"4\" failures=\"0\""),
            std::string::npos);
  for (const char* property :
       {"lease.linearizable", "single_owner.grant", "single_owner.belief", "single_owner.effect"}) {
    EXPECT_EQ(verdict_of(property), "holds") << text();
  }
  EXPECT_EQ(text().rfind("leaselab ", 0), 0u);
  EXPECT_NE(text().find("\nagain: "), std::string::npos);
  for (const char* name : {"plan.jsonl", "events.jsonl", "clocks.jsonl", "history.jsonl",
                           "server.log", "work.k0", "w0.0.history.jsonl"}) {
    EXPECT_TRUE(fs::exists(kept(name))) << name;
  }
  const std::string judge = "'" LEASELAB_PROGRAM "' judge '" + kept("history.jsonl").string() + "'";
  EXPECT_EQ(std::system((judge + " >/dev/null").c_str()), 0);
}

// It knows no deadline: a process that was stopped for longer than a ttl works on as it wakes.
TEST_F(live, the_published_client_works_beside_its_successor) {
  EXPECT_EQ(run_until_violated("--client published --faults stop --duration 5s --processes 4"), 1)
      << text();
  EXPECT_EQ(verdict_of("single_owner.belief"), "violated") << text();
  EXPECT_EQ(verdict_of("single_owner.grant"), "holds") << text();
  EXPECT_EQ(verdict_of("lease.linearizable"), "holds") << text();
  EXPECT_EQ(json().at("client").as_string(), "published");
}

TEST_F(live, a_frozen_holder_is_named_with_its_overlap) {
  EXPECT_EQ(run_until_violated("--duration 4s --faults freeze"), 1) << text();
  EXPECT_EQ(verdict_of("single_owner.effect"), "violated") << text();
  EXPECT_EQ(verdict_of("single_owner.belief"), "violated") << text();
  // The backend did nothing wrong.
  EXPECT_EQ(verdict_of("lease.linearizable"), "holds") << text();
  EXPECT_EQ(verdict_of("single_owner.grant"), "holds") << text();
  EXPECT_NE(text().find(" ttl) from "), std::string::npos) << text();
}

TEST_F(live, leaves_no_key_on_a_server_of_others) {
  const redis_server server;
  server.ask({"SET", "theirs", "1"});
  EXPECT_EQ(run("--duration 2s --seed 3 --redis " + server.unix_url()), 0) << text();
  EXPECT_EQ(server.ask({"KEYS", "*"}).items.size(), 1u);
  EXPECT_EQ(run("--duration 2s --seed 3 -p redis-fenced --redis " + server.tcp_url()), 0) << text();
  EXPECT_EQ(server.ask({"KEYS", "*"}).items.size(), 1u);
}

TEST_F(live, leaves_nothing_after_ctrl_c) {
  const pid_t id = start("--duration 60s --processes 3 --seed 1");
  const auto children = children_once_started(id, 3);
  EXPECT_GE(children.size(), 4u) << "three workers and a server";
  ::kill(id, SIGINT);
  EXPECT_EQ(wait_for(id), 130) << text();
  EXPECT_NE(text().find("interrupted"), std::string::npos) << text();
  for (const pid_t child : children) EXPECT_TRUE(is_gone(child));
}

TEST_F(live, goes_on_when_somebody_kills_a_worker) {
  const pid_t id = start("--duration 3s --processes 3 --seed 1 --faults none");
  children_once_started(id, 3);
  const auto workers = workers_of(id);
  ASSERT_FALSE(workers.empty());
  ::kill(*workers.begin(), SIGKILL);
  EXPECT_EQ(wait_for(id), 0) << text();
  EXPECT_NE(text().find("ended unplanned (signal 9)"), std::string::npos) << text();
  EXPECT_EQ(json().at("incarnations").to_number<int>(), 4);
}

// Its children die with it; only the folder of its server can then be left.
TEST_F(live, no_child_survives_a_killed_parent) {
  const pid_t id = start("--duration 60s --processes 3 --seed 1");
  const auto children = children_once_started(id, 3);
  EXPECT_GE(children.size(), 4u);
  ::kill(id, SIGKILL);
  wait_for(id);
  for (const pid_t child : children) {
    while (!is_gone(child)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  fs::remove_all(folder_ / "tmp");
  fs::create_directory(folder_ / "tmp");
}

TEST_F(live, ends_when_its_server_is_killed_by_others) {
  const pid_t id = start("--duration 60s --processes 3 --seed 1 --faults none");
  children_once_started(id, 3);
  auto servers = children_of(id);
  for (const pid_t worker : workers_of(id)) servers.erase(worker);
  ASSERT_EQ(servers.size(), 1u);
  ::kill(*servers.begin(), SIGKILL);
  EXPECT_EQ(wait_for(id), 2) << text();
  EXPECT_NE(text().find("the server ended by itself"), std::string::npos) << text();
}

// Accepts one connection after the other and answers nonsense.
class garbage_server {
 public:
  explicit garbage_server(std::string path) : path_(std::move(path)) {
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof(address.sun_path) - 1);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    ::listen(listener_, 8);
    thread_ = std::thread([this] {
      for (int peer; (peer = ::accept(listener_, nullptr, nullptr)) >= 0;) {
        static_cast<void>(::write(peer, "what?\r\n", 7));
        ::close(peer);
      }
    });
  }
  ~garbage_server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

 private:
  std::string path_;
  int listener_;
  std::thread thread_;
};

TEST_F(live, a_server_that_is_none_is_told_in_one_line) {
  const auto port = std::to_string(leaselab::testing::free_port());
  expect_one_line(run("--duration 2s --redis redis://127.0.0.1:" + port), "refused", 2);
  expect_one_line(run("--duration 2s --redis http://h"), "not a Redis address", 3);
  expect_one_line(run("--duration 2s --redis unix:///tmp/" + std::string(120, 'x')),
                  "not a Redis address", 3);
  const auto path = (folder_ / "g").string();
  const garbage_server garbage(path);
  expect_one_line(run("--duration 2s --redis unix://" + path), "no connection to Redis", 2);
}

TEST_F(live, a_wrong_password_is_told_and_no_password_is_shown) {
  const redis_server server({.arguments = {"--requirepass", "right"}});
  const auto url = [&](const char* password) {
    return "redis://:" + std::string(password) + "@127.0.0.1:" + std::to_string(server.port());
  };
  expect_one_line(run("--duration 2s --redis " + url("wrong")), "WRONGPASS", 2);
  EXPECT_EQ(text().find("wrong@"), std::string::npos) << text();
  EXPECT_EQ(run("--duration 2s --seed 3 --faults none --redis " + url("right")), 0) << text();
  EXPECT_EQ(text().find("right"), std::string::npos) << text();
  EXPECT_NE(text().find(":***@"), std::string::npos) << text();
}

TEST_F(live, a_wrong_command_line_is_refused) {
  expect_one_line(run("--faults kil"), "did you mean `kill`?", 3);
  expect_one_line(run("--processes 0"), "--processes", 3);
  expect_one_line(run("--duration never"), "--duration", 3);
  expect_one_line(run("--client publish"), "did you mean `published`?", 3);
  expect_one_line(run("--client strict,offer=once"), "`offer` makes no difference live", 3);
  expect_one_line(run("--client strict,release=never"), "fire_and_forget", 3);
  expect_one_line(run("-p memory"), "redis-fenced", 3);
  expect_one_line(run("--out /dev/null/x --duration 1s"), "cannot write", 3);
}

}  // namespace
