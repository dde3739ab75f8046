#include "providers/plugin/entered.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "providers/plugin/watch.hpp"

namespace leaselab::plugin {
namespace {

thread_local const place* current = nullptr;

struct cause {
  int number;
  const char* text;
};
constexpr std::array causes = {
    cause{SIGSEGV, "it touched memory that is not there"},
    cause{SIGBUS, "it touched memory that is not there"}, cause{SIGFPE, "it divided by zero"},
    cause{SIGILL, "it ran into no instruction"}, cause{SIGABRT, "it called abort()"}};
std::array<struct sigaction, causes.size()> before;

// A handler has to have a stack of its own, or it could not tell that one is full.
class signal_stack {
 public:
  signal_stack() {
    stack_t use{};
    use.ss_sp = memory_.get();
    use.ss_size = size;
    ::sigaltstack(&use, nullptr);
  }
  ~signal_stack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t size = 64 << 10;
  const std::unique_ptr<std::byte[]> memory_ = std::make_unique<std::byte[]>(size);
};

bool below(const std::byte* stack, const void* touched) {
  const auto* const at = static_cast<const std::byte*>(touched);
  return stack != nullptr && at < stack && at >= stack - ::sysconf(_SC_PAGESIZE);
}

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(2);
}

void end_program(int number, siginfo_t* about, void*) {
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].number != number) continue;
    if (current == nullptr) {  // not in a library: as if this had never been here
      ::sigaction(number, &before[i], nullptr);
      return;
    }
    say("leaselab: ");
    say(current->library);
    say(": ");
    say(current->function);
    say(": ");
    const bool full = number == SIGSEGV && below(current->stack, about->si_addr);
    say(full ? "its stack of 256 KiB is full" : causes[i].text);
    say("\n");
    ::_exit(2);
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

}  // namespace

entered::entered(const place& where) : where_(where) {
  current = &where_;
  if (sanitized) return;
  stay_of_this_thread().begin(where_.library, where_.function);
  static thread_local const signal_stack stack;
  static_cast<void>(stack);
}

entered::~entered() {
  current = nullptr;
  if (!sanitized) stay_of_this_thread().end();
}

plugin_call* entered::call() { return current != nullptr ? current->call : nullptr; }

void explain_ends() {
  static std::once_flag once;
  if (sanitized) return;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = end_program;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < causes.size(); ++i) {
      ::sigaction(causes[i].number, &action, &before[i]);
    }
    watch_stays(std::chrono::seconds(10));
  });
}

}  // namespace leaselab::plugin
