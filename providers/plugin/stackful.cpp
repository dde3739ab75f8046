#include "providers/plugin/stackful.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define LEASELAB_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEASELAB_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(LEASELAB_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace leaselab::plugin {
namespace {

namespace context = boost::context::detail;

#if defined(LEASELAB_ADDRESS_SANITIZER)
void leave_stack(void** frames, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(frames, bottom, size);
}
void reach_stack(void* frames, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(frames, bottom, size);
}
void forget_frames(std::byte* stack) { __asan_unpoison_memory_region(stack, stack_size); }
#else
void leave_stack(void**, const void*, std::size_t) {}
void reach_stack(void*, const void**, std::size_t*) {}
void forget_frames(std::byte*) {}
#endif

std::size_t guard_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

stack_pool::~stack_pool() {
  for (auto* const stack : idle_) ::munmap(stack - guard_size(), guard_size() + stack_size);
}

std::byte* stack_pool::take() {
  if (!idle_.empty()) {
    auto* const stack = idle_.back();
    idle_.pop_back();
    return stack;
  }
  const std::size_t size = guard_size() + stack_size;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::mprotect(memory, guard_size(), PROT_NONE);
  ++made_;
  idle_.reserve(made_);  // so that none is lost for want of memory
  return static_cast<std::byte*>(memory) + guard_size();
}

void stack_pool::give_back(std::byte* stack) {
  forget_frames(stack);
  idle_.push_back(stack);
}

stackful::stackful(stack_pool& from, body what, void* with)
    : pool_(from),
      stack_(from.take()),
      what_(what),
      with_(with),
      inside_(context::make_fcontext(stack_ + stack_size, stack_size, enter)) {}

stackful::~stackful() { pool_.give_back(stack_); }

void stackful::enter(context::transfer_t from) {
  auto& self = *static_cast<stackful*>(from.data);
  self.outside_ = from.fctx;
  reach_stack(nullptr, &self.host_stack_, &self.host_stack_size_);
  self.what_(self.with_);
  self.ended_ = true;
  leave_stack(nullptr, self.host_stack_, self.host_stack_size_);
  context::jump_fcontext(self.outside_, nullptr);
}

void stackful::resume() {
  swap_exceptions();
  leave_stack(&host_frames_, stack_, stack_size);
  inside_ = context::jump_fcontext(inside_, this).fctx;
  reach_stack(host_frames_, nullptr, nullptr);
  swap_exceptions();
}

void stackful::suspend() {
  leave_stack(&own_frames_, host_stack_, host_stack_size_);
  outside_ = context::jump_fcontext(outside_, nullptr).fctx;
  reach_stack(own_frames_, &host_stack_, &host_stack_size_);
}

void stackful::swap_exceptions() {
  exceptions of_thread;
  void* const where = abi::__cxa_get_globals();
  std::memcpy(&of_thread, where, sizeof of_thread);
  std::memcpy(where, &exceptions_, sizeof exceptions_);
  exceptions_ = of_thread;
}

}  // namespace leaselab::plugin
