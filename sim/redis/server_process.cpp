#include "sim/redis/server_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "providers/child_start.hpp"
#include "sim/redis/clock_shim.hpp"

namespace leaselab::sim::redis {
namespace {

// The shim as a file that needs no place: the child keeps it open under a number of its own.
constexpr int shim_descriptor = 3;

int open_shim() {
  const int file = ::memfd_create("leaselab-clock-shim", MFD_CLOEXEC);
  if (file < 0) throw server_failed(system_error("the clock shim"));
  for (std::string_view rest = clock_shim(); !rest.empty();) {
    const auto written = ::write(file, rest.data(), rest.size());
    if (written <= 0) {
      ::close(file);
      throw server_failed(system_error("the clock shim"));
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

// The parent's environment with the shim in front.
std::vector<std::string> child_environment(const std::string& page) {
  std::vector<std::string> variables = {
      "LD_PRELOAD=/proc/self/fd/" + std::to_string(shim_descriptor), "LEASELAB_CLOCK_PAGE=" + page};
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
                                pid_t parent, int log, int shim) {
  begin_child(parent);
  const int null = ::open("/dev/null", O_RDWR);
  take_files(null, log, log);
  // dup2 to itself would leave the close-on-exec flag.
  shim == shim_descriptor ? ::fcntl(shim, F_SETFD, 0) : ::dup2(shim, shim_descriptor);
  close_files_from(shim_descriptor + 1);
  ::execve(program, arguments, environment);
  ::_exit(127);
}

std::vector<std::string> server_arguments(const server_folder& directory) {
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

server_process::server_process(std::int64_t unix_ms) : clock_(directory_.file("clock")) {
  clock_.set_unix_ms(unix_ms);
  const std::string program = find_redis_server();
  std::vector<std::string> arguments = server_arguments(directory_);
  std::vector<std::string> environment = child_environment(directory_.file("clock"));
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const int log =
      ::open(directory_.file("log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) throw server_failed(system_error(directory_.file("log")));
  const int shim = open_shim();
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) {
    become_server(program.c_str(), const_cast<char**>(argv.data()), const_cast<char**>(envp.data()),
                  parent, log, shim);
  }
  ::close(shim);
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

std::string server_process::log_tail() const { return leaselab::log_tail(directory_.file("log")); }

}  // namespace leaselab::sim::redis
