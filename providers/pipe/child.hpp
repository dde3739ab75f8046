// A child process that is spoken to in lines, one for one, over its standard input and output. It
// leads a process group of its own, and what it starts ends with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab::pipe {

// What a shell is given for a command. A single program takes the shell's place: then its signals
// and its open files are its own.
std::string shell_words(const std::string& command);

class child {
 public:
  // Starts `command` as a shell would, in this folder and environment. It is killed with the thread
  // that started it. `patience`: real time that one answer may take.
  // `variables`: NAME=value, in front of those of this environment.
  child(std::string command, std::chrono::milliseconds patience,
        const std::vector<std::string>& variables = {});
  // Kills its process group and waits for it.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  // Writes `line` and reads the one that answers it, neither with its end. Throws host_failed, with
  // what the child wrote last on its standard error, when none comes in time, it is longer than
  // 16 MB, or the child ends or closes its output.
  std::string exchange(std::string_view line);

  // Throws host_failed that says so of this child.
  [[noreturn]] void fail(const std::string& what);

  pid_t id() const { return id_; }
  std::chrono::milliseconds patience() const { return patience_; }

 private:
  using deadline = std::chrono::steady_clock::time_point;

  void forget_errors();
  void write(std::string_view bytes, deadline until);
  std::string read_line(deadline until);
  void wait_for(short what, deadline until);
  [[noreturn]] void fail_ended();
  bool has_ended() const;
  std::string half_a_line() const;
  void end();
  std::string last_words() const;

  const std::string command_;
  const std::chrono::milliseconds patience_;
  pid_t id_ = -1;
  int socket_ = -1;
  int ended_ = -1;   // readable once it has ended; -1 on a machine that cannot tell
  int errors_ = -1;  // a file in memory: its standard error
  std::string unread_;
};

}  // namespace leaselab::pipe
