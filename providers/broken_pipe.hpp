// hiredis writes without MSG_NOSIGNAL: where the server is gone, the write would end this program.
#pragma once

#include <signal.h>

namespace leaselab {

// SIGPIPE is ignored from then on, if nothing handles it, and such a write fails with EPIPE. For
// whoever opens a connection of hiredis, before it does.
inline void ignore_broken_pipes() {
  static const bool once = [] {
    struct sigaction now {};
    if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
      ::signal(SIGPIPE, SIG_IGN);
    }
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace leaselab
