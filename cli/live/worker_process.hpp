// One worker as the parent sees it: a child that is stopped, killed and reaped by its own id.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "cli/live/worker_config.hpp"

namespace leaselab::cli::live {

class worker_process {
 public:
  // Starts the program itself as a worker. Its messages go to "<folder>/workers.log". Dies with
  // the thread that started it. Throws std::runtime_error.
  worker_process(const worker_config& config, int page_file);
  ~worker_process();  // SIGKILL, and waits for its end
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;

  pid_t id() const { return id_; }
  bool alive() const { return id_ > 0; }

  void kill_hard();  // SIGKILL, and waits for its end
  void stop();       // SIGSTOP
  void go_on();      // SIGCONT
  // Has it ended by itself, or by somebody else's hand? Then how, once: "exit status 2",
  // "signal 9".
  std::optional<std::string> ended();
  bool ended_well() const { return ended_well_; }  // with exit status 0
  bool was_killed() const { return was_killed_; }  // by SIGKILL

 private:
  pid_t id_ = -1;
  bool ended_well_ = false;
  bool was_killed_ = false;
};

}  // namespace leaselab::cli::live
