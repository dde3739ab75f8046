#include "cli/live/worker_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "cli/live/worker.hpp"
#include "providers/child_start.hpp"

namespace leaselab::cli::live {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// Closes what it holds.
struct descriptor {
  int number = -1;
  ~descriptor() { reset(); }
  void reset() {
    if (number >= 0) ::close(number);
    number = -1;
  }
};

// The whole configuration fits into the pipe, so nobody waits for anybody.
void fill(int pipe, const std::string& text) {
  if (::write(pipe, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail("a pipe");
}

[[noreturn]] void become_worker(pid_t parent, int input, int page, int log) {
  begin_child(parent);
  take_files(input, log, log);
  ::dup2(page, page_descriptor);
  close_files_from(page_descriptor + 1);
  char word[worker_word.size() + 1] = {};
  for (std::size_t i = 0; i < worker_word.size(); ++i) word[i] = worker_word[i];
  char name[] = "leaselab";
  char* arguments[] = {name, word, nullptr};
  ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

}  // namespace

worker_process::worker_process(const worker_config& config, int page_file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("a pipe");
  descriptor input{ends[0]}, output{ends[1]};
  fill(output.number, to_json(config));
  output.reset();
  const std::string log_path = config.folder + "/workers.log";
  // None of the child's three may be the descriptor that the page is to have.
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const descriptor opened{::open(log_path.c_str(), flags, 0666)};
  const descriptor log{::fcntl(opened.number, F_DUPFD_CLOEXEC, 10)};
  const descriptor page{::fcntl(page_file, F_DUPFD_CLOEXEC, 10)};
  const descriptor high_input{::fcntl(input.number, F_DUPFD_CLOEXEC, 10)};
  if (log.number < 0 || page.number < 0 || high_input.number < 0) fail(log_path);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become_worker(parent, high_input.number, page.number, log.number);
  if (id_ < 0) fail("fork");
}

worker_process::~worker_process() { kill_hard(); }

void worker_process::kill_hard() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
  id_ = -1;
}

void worker_process::stop() {
  if (id_ > 0) ::kill(id_, SIGSTOP);
}

void worker_process::go_on() {
  if (id_ > 0) ::kill(id_, SIGCONT);
}

std::optional<std::string> worker_process::ended() {
  int status = 0;
  if (id_ <= 0 || ::waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = -1;
  ended_well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  was_killed_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace leaselab::cli::live
