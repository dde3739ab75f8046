// The hidden mode in which the program is one worker of a live run. Its configuration comes on
// standard input, the shared page as descriptor 3.
#pragma once

#include <string_view>

namespace leaselab::cli::live {

inline constexpr std::string_view worker_word = "live-worker";
inline constexpr int page_descriptor = 3;

// The exit status: 0 when the run ended and the worker with it.
int run_worker();

}  // namespace leaselab::cli::live
