#include "cli/live/shared_page.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace leaselab::cli::live {
namespace {

[[noreturn]] void fail() {
  throw std::runtime_error(std::string("no shared memory: ") + std::strerror(errno));
}

}  // namespace

shared_page::shared_page() : file_(::memfd_create("leaselab-live", MFD_CLOEXEC)) {
  if (file_ < 0 || ::ftruncate(file_, sizeof(shared_state)) != 0) fail();
  map();
  const auto now = true_now();
  for (auto& worker : state_->workers) {
    worker.clock[0] = {now, now, 1'000'000};
    worker.pieces.store(1, std::memory_order_release);
  }
}

shared_page::shared_page(int file) : file_(file) { map(); }

shared_page::~shared_page() {
  ::munmap(state_, sizeof(shared_state));
  ::close(file_);
}

void shared_page::map() {
  void* const memory =
      ::mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) fail();
  state_ = static_cast<shared_state*>(memory);  // zeros are a valid state
}

bool shared_page::set_rate(int worker, std::int64_t rate_ppm) {
  constexpr std::int64_t ahead = 3'000'000;
  auto& slot = state_->workers[static_cast<std::size_t>(worker)];
  const auto count = slot.pieces.load(std::memory_order_relaxed);
  if (count == most_segments) return false;
  const auto from = std::max(true_now() + ahead, slot.clock[count - 1].from_true);
  slot.clock[count] = {from, reading_at(slot.segments(), from), rate_ppm};
  slot.pieces.store(count + 1, std::memory_order_release);
  return true;
}

// Short, for the rate may change at any moment.
nanoseconds page_clock::real_wait(monotonic_time due) const {
  constexpr nanoseconds least = std::chrono::microseconds(200);
  constexpr nanoseconds most = milliseconds(10);
  return std::clamp<nanoseconds>(due - now(), least, most);
}

}  // namespace leaselab::cli::live
