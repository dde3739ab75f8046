// What a child of a program with threads does between fork and exec, where little may be called.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <initializer_list>

namespace leaselab {

// It is killed when the thread that forked it ends, stands apart from Ctrl-C, which is for its
// parent to handle, and takes every signal as programs expect.
inline void begin_child(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  ::setpgid(0, 0);
  for (const int each : {SIGINT, SIGTERM, SIGPIPE}) ::signal(each, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

inline void take_files(int input, int output, int errors) {
  ::dup2(input, 0);
  ::dup2(output, 1);
  ::dup2(errors, 2);
}

// Those of the parent, other children's among them.
inline void close_files_from(int first) { ::close_range(static_cast<unsigned>(first), ~0U, 0); }

}  // namespace leaselab
