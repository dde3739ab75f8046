// Which call into a library this thread is in: one at most, since a library cannot be entered from
// one. Should it crash or hang there, that takes the program along; one line then says whose fault
// it was.
#pragma once

#include <cstddef>

namespace leaselab::plugin {

class plugin_call;

// The texts outlive their use.
struct place {
  plugin_call* call = nullptr;  // null: one that cannot be put aside, such as to create
  const char* library = "";
  const char* function = "";
  const std::byte* stack = nullptr;  // its lower end; null: the thread's
};

class entered {
 public:
  explicit entered(const place& where);
  ~entered();
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;

  // Null: in none.
  static plugin_call* call();

 private:
  const place where_;
};

// Once for the program: a signal that ends it while it is in a library, or ten seconds of real time
// there, end it with status 2 and a line on standard error. Under a sanitizer, which has more to
// say, nothing happens.
void explain_ends();

}  // namespace leaselab::plugin
