// One call into a shared library: it runs on a stack of its own, and what it asks of its host is
// granted by a coroutine while it is put aside.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "providers/environment.hpp"
#include "providers/plugin/lease_plugin.h"
#include "providers/plugin/library.hpp"
#include "providers/plugin/stackful.hpp"

namespace leaselab::plugin {

// A reply as the library sees it. It is referred to: it stays where it is.
class kept_reply {
 public:
  explicit kept_reply(reply value) : value_(std::move(value)) { fill(shown_, value_); }
  kept_reply(const kept_reply&) = delete;
  const lease_reply* shown() const { return &shown_; }

 private:
  void fill(lease_reply& to, const reply& from);

  const reply value_;
  lease_reply shown_{};
  std::vector<std::unique_ptr<lease_reply>> items_;
  std::vector<std::unique_ptr<const lease_reply*[]>> lists_;
};

struct asked_step {};
struct asked_sleep {
  nanoseconds length;
};
// It broke the rules of lease_plugin.h, and is not gone on with.
struct broken_rule {
  std::string what;
};

using asked = std::variant<std::monostate, asked_step, asked_sleep, command, broken_rule>;

// Where a call happens. All of it outlives the call.
struct surroundings {
  const library& of;
  environment& here;
  granule_clock& host_clock;
  stack_pool& stacks;
  void* instance = nullptr;
  lease_text prefix{};
};

// What the library said before it returned.
struct said {
  lease_outcome outcome = LEASE_INFO;
  std::optional<std::string> owner;
  std::optional<std::uint64_t> token;
  lease_error error{outcome::info, errc::backend_error, {}};
};

class plugin_call {
 public:
  // `enter` calls the library; it outlives this.
  template <class Enter>
  plugin_call(const surroundings& where, operation what, nanoseconds limit, Enter& enter)
      : plugin_call(
            where, what, limit,
            [](void* with, lease_call* call) { return (*static_cast<Enter*>(with))(call); },
            const_cast<std::remove_const_t<Enter>*>(&enter)) {}
  plugin_call(const plugin_call&) = delete;
  plugin_call& operator=(const plugin_call&) = delete;

  // Until it returns it has to be gone on with, after what it asked for has been granted.
  void go_on();
  bool returned() const { return stack_.ended(); }
  // Throws host_failed where it broke a rule.
  awaitable<void> grant();
  // Throws host_failed where it broke a rule in what it returned.
  said take();

 private:
  friend struct host_functions;
  using entrance = lease_outcome (*)(void* with, lease_call* call);

  plugin_call(const surroundings& where, operation what, nanoseconds limit, entrance enter,
              void* with);
  static void run(void* self) noexcept;
  // Of the library's side.
  void ask(asked what);
  [[noreturn]] void break_rule(std::string what);
  lease_outcome failed(const lease_error& error);
  [[noreturn]] void fail(const std::string& what) const;

  lease_call seen_{};  // what the library holds
  const surroundings where_;
  const operation what_;
  const monotonic_time deadline_;
  const entrance enter_;
  void* const with_;
  asked asked_;
  std::optional<lease_error> refused_;  // how the last step or trip failed
  const lease_reply* replied_ = nullptr;
  std::vector<std::unique_ptr<kept_reply>> replies_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  said said_;
  stackful stack_;
};

}  // namespace leaselab::plugin
