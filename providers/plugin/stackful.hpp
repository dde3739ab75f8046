// A function on a stack of its own, so that C code that blocks can be put aside and gone on with.
//
// Frames of C cannot be unwound. What is dropped in the middle is never resumed: its stack is used
// again, and whatever lay on it is forgotten.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace leaselab::plugin {

inline constexpr std::size_t stack_size = 256 << 10;

// Stacks with a guard page below each, kept for the next. For one thread at a time.
class stack_pool {
 public:
  stack_pool() = default;
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  std::byte* take();  // the lower end
  void give_back(std::byte* stack);
  std::size_t made() const { return made_; }

 private:
  std::vector<std::byte*> idle_;
  std::size_t made_ = 0;
};

class stackful {
 public:
  using body = void (*)(void* with) noexcept;

  // `from` outlives it.
  stackful(stack_pool& from, body what, void* with);
  ~stackful();
  stackful(const stackful&) = delete;
  stackful& operator=(const stackful&) = delete;

  // Runs the body until it suspends or ends.
  void resume();
  bool ended() const { return ended_; }
  const std::byte* lower_end() const { return stack_; }
  // Only from inside the body.
  void suspend();

 private:
  // The exceptions that are being handled: the C++ runtime keeps them for each thread, and those
  // of a body that suspends in a handler must not be taken for the host's.
  struct exceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  static void enter(boost::context::detail::transfer_t from);
  void swap_exceptions();

  stack_pool& pool_;
  std::byte* const stack_;
  const body what_;
  void* const with_;
  bool ended_ = false;
  boost::context::detail::fcontext_t inside_;
  boost::context::detail::fcontext_t outside_ = nullptr;
  exceptions exceptions_;
  // What the address sanitizer has to know of the stack that is left.
  const void* host_stack_ = nullptr;
  std::size_t host_stack_size_ = 0;
  void* host_frames_ = nullptr;
  void* own_frames_ = nullptr;
};

}  // namespace leaselab::plugin
