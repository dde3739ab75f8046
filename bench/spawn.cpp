#include "bench/spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "bench/callers.hpp"

namespace leaselab::bench {
namespace {

[[noreturn]] void become(char** arguments, pid_t parent, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(output, 1);
  ::dup2(null, 2);
  ::close_range(3, ~0U, 0);
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

// False: the time is up.
bool read_all(int from, steady::time_point end, std::string& text) {
  char part[4096];
  while (steady::now() < end && !stopping()) {
    pollfd one{from, POLLIN, 0};
    if (::poll(&one, 1, 50) <= 0) continue;
    const auto count = ::read(from, part, sizeof(part));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(part, static_cast<std::size_t>(count));
  }
  return false;
}

}  // namespace

std::string output_of(std::vector<std::string> words, std::chrono::seconds limit) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return {};
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), parent, pipe[1]);
  ::close(pipe[1]);
  std::string text;
  const bool ended = child > 0 && read_all(pipe[0], steady::now() + limit, text);
  ::close(pipe[0]);
  if (child <= 0) return {};
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : std::string();
}

}  // namespace leaselab::bench
