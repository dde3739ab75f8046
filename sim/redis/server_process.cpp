#include "sim/redis/server_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "providers/child_start.hpp"

namespace leaselab::sim::redis {
namespace {

namespace fs = std::filesystem;

std::string system_error(const std::string& what) { return what + ": " + std::strerror(errno); }

std::string find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

// redis-tools brings no redis-server, but redis-check-rdb is the same binary and goes by the name
// it is started under.
std::string find_server() {
  for (const char* name : {"redis-server", "redis-check-rdb"}) {
    std::string found = find_in_path(name);
    if (!found.empty()) return found;
  }
  throw server_failed("no redis-server in PATH (the package redis-tools brings one)");
}

// Next to the program, as built; below lib, as installed; where the build put it.
std::string find_shim() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::string name = "libleaselab_clock_shim.so";
  for (const fs::path& candidate :
       {here / name, here / "../lib/leaselab" / name, fs::path(LEASELAB_CLOCK_SHIM)}) {
    if (fs::exists(candidate, ignored)) return fs::absolute(candidate).lexically_normal();
  }
  throw server_failed("the clock shim " + name + " is neither next to the program nor in " +
                      (here / "../lib/leaselab").lexically_normal().string());
}

// The parent's environment with the shim in front.
std::vector<std::string> child_environment(const std::string& shim, const std::string& page) {
  std::vector<std::string> variables = {"LD_PRELOAD=" + shim, "LEASELAB_CLOCK_PAGE=" + page};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("LEASELAB_CLOCK_PAGE=")) {
      variables.emplace_back(text);
    }
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void become_server(const char* program, char** arguments, char** environment,
                                pid_t parent, int log) {
  begin_child(parent);
  const int null = ::open("/dev/null", O_RDWR);
  take_files(null, log, log);
  close_files_from(3);
  ::execve(program, arguments, environment);
  ::_exit(127);
}

std::vector<std::string> server_arguments(const scratch_directory& directory) {
  // Flags are the design's. A slow cron and no resizing behind our back; the rest keeps a stray
  // configuration out.
  return {"redis-server",
          "--port",
          "0",
          "--unixsocket",
          directory.file("s"),
          "--dir",
          directory.path(),
          "--save",
          "",
          "--appendonly",
          "no",
          "--enable-debug-command",
          "yes",
          "--daemonize",
          "no",
          "--databases",
          "1",
          "--hz",
          "1",
          "--dynamic-hz",
          "no",
          "--maxclients",
          "32",
          "--activerehashing",
          "no"};
}

}  // namespace

clock_page::clock_page(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) throw server_failed(system_error(path));
  const bool sized = ::ftruncate(file, 4096) == 0;
  void* mapped =
      sized ? ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  if (mapped == MAP_FAILED) throw server_failed(system_error(path));
  microseconds_ = static_cast<std::int64_t*>(mapped);
}

clock_page::~clock_page() { ::munmap(microseconds_, 4096); }

scratch_directory::scratch_directory() {
  const char* base = std::getenv("TMPDIR");
  path_ = std::string(base == nullptr || *base == '\0' ? "/tmp" : base) + "/leaselab-XXXXXX";
  // The socket's path must fit, with its name and the final zero.
  if (path_.size() + 3 > sizeof(sockaddr_un::sun_path)) path_ = "/tmp/leaselab-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) throw server_failed(system_error(path_));
}

scratch_directory::~scratch_directory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

server_process::server_process(std::int64_t unix_ms) : clock_(directory_.file("clock")) {
  clock_.set_unix_ms(unix_ms);
  const std::string program = find_server();
  std::vector<std::string> arguments = server_arguments(directory_);
  std::vector<std::string> environment = child_environment(find_shim(), directory_.file("clock"));
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const int log =
      ::open(directory_.file("log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) throw server_failed(system_error(directory_.file("log")));
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) {
    become_server(program.c_str(), const_cast<char**>(argv.data()), const_cast<char**>(envp.data()),
                  parent, log);
  }
  ::close(log);
  if (id_ < 0) throw server_failed(system_error("fork"));
}

server_process::~server_process() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

bool server_process::alive() {
  if (id_ > 0 && ::waitpid(id_, nullptr, WNOHANG) == id_) id_ = -1;
  return id_ > 0;
}

std::string server_process::log_tail() const {
  constexpr std::size_t lines_shown = 8;
  std::ifstream log(directory_.file("log"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  std::string tail;
  const std::size_t first = lines.size() > lines_shown ? lines.size() - lines_shown : 0;
  for (std::size_t i = first; i < lines.size(); ++i) tail += "\n  " + lines[i];
  return tail.empty() ? "\n  (its log is empty)" : tail;
}

}  // namespace leaselab::sim::redis
