// The program with a terminal as its standard error, where it shows how far it is. So a test can
// wait for what the program has done, however long that takes, and then interrupt it.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

namespace leaselab::cli::testing {

class terminal_run {
 public:
  // `words` as a shell reads them. Standard output goes to stdout.txt in `folder`.
  terminal_run(const std::filesystem::path& folder, const std::string& words) {
    const std::string line =
        "cd '" + folder.string() + "' && exec '" LEASELAB_PROGRAM "' " + words + " >stdout.txt";
    master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const int terminal = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(terminal, STDERR_FILENO);
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(terminal);
  }
  ~terminal_run() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    if (master_ >= 0) ::close(master_);
  }
  terminal_run(const terminal_run&) = delete;
  terminal_run& operator=(const terminal_run&) = delete;

  // Reads what is shown until `words` are among it. False: the program has ended before.
  bool shows(const std::string& words) {
    while (shown_.find(words) == std::string::npos)
      if (!read_more()) return false;
    return true;
  }
  void interrupt() const { ::kill(child_, SIGINT); }
  // The exit status; below 0 where a signal ended it.
  int wait() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  const std::string& shown() const { return shown_; }

 private:
  // False once the program has ended: nobody has the other side open any more.
  bool read_more() {
    char buffer[4096];
    const auto count = ::read(master_, buffer, sizeof buffer);
    if (count <= 0) return false;
    shown_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  int master_ = -1;
  pid_t child_ = -1;
  std::string shown_;
};

}  // namespace leaselab::cli::testing
