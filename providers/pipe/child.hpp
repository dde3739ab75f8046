// A child process that is spoken to in lines, one for one, over its standard input and output.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

namespace leaselab::pipe {

class child {
 public:
  // Starts `command` as a shell would, in this folder and environment. It is killed with the thread
  // that started it. `patience`: real time that one answer may take.
  child(std::string command, std::chrono::milliseconds patience);
  // Kills it by its process id and waits for it.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  // Writes `line` and reads the one that answers it, neither with its end. Throws host_failed, with
  // what the child wrote last on its standard error, when none comes in time, it is longer than
  // 16 MB, or the child ends.
  std::string exchange(std::string_view line);

  // Throws host_failed that says so of this child.
  [[noreturn]] void fail(const std::string& what);

  pid_t id() const { return id_; }

 private:
  using deadline = std::chrono::steady_clock::time_point;

  void write(std::string_view bytes, deadline until);
  std::string read_line(deadline until);
  void wait_for(short what, deadline until);
  [[noreturn]] void fail_ended();
  void end();
  std::string last_words() const;

  const std::string command_;
  const std::chrono::milliseconds patience_;
  pid_t id_ = -1;
  int socket_ = -1;
  int errors_ = -1;  // a file in memory: its standard error
  std::string unread_;
};

}  // namespace leaselab::pipe
