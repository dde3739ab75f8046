#include "providers/plugin/host_functions.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "providers/plugin/call.hpp"
#include "providers/plugin/entered.hpp"

namespace leaselab::plugin {
namespace {

constexpr std::array<errc, LEASE_PROTOCOL + 1> codes = {
    errc::backend_error, errc::invalid_argument,   errc::closed,
    errc::timed_out,     errc::connection_refused, errc::connection_lost,
    errc::loading,       errc::read_only,          errc::out_of_memory,
    errc::busy,          errc::redirected,         errc::backend_error,
    errc::protocol};

std::string string_of(lease_text text) {
  return text.data == nullptr ? std::string() : std::string(text.data, text.size);
}

}  // namespace

// All of these are called from C: nothing may be thrown out of them.
struct host_functions {
  // A call that is over, or another thread's: there is no stack on which to go on.
  static plugin_call& under_way(lease_call* call) noexcept {
    auto* const found = entered::call();
    if (found != nullptr && call == &found->seen_) return *found;
    fmt::print(stderr, "leaselab: a plugin used a call that is not under way on this thread\n");
    std::fflush(stderr);
    std::_Exit(2);
  }

  static std::int64_t monotonic_ns(lease_call* call) noexcept {
    return under_way(call).where_.here.now().time_since_epoch().count();
  }
  static std::int64_t wall_ns(lease_call* call) noexcept {
    return under_way(call).where_.here.wall_now().time_since_epoch().count();
  }
  static std::int64_t host_ms(lease_call* call) noexcept {
    return under_way(call).where_.host_clock.now_granules();
  }
  static std::uint64_t random(lease_call* call) noexcept {
    return under_way(call).where_.here.random();
  }
  static void sleep(lease_call* call, std::int64_t ns) noexcept {
    under_way(call).ask(asked_sleep{nanoseconds(ns)});
  }

  static lease_outcome step(lease_call* call) noexcept {
    auto& self = under_way(call);
    self.ask(asked_step{});
    return self.refused_ ? self.failed(*self.refused_) : LEASE_YES;
  }

  static lease_outcome trip(lease_call* call, const lease_text* words, std::size_t count,
                            const lease_reply** reply) noexcept {
    auto& self = under_way(call);
    if (words == nullptr || count == 0 || reply == nullptr) {
      self.break_rule("a command without words, or without a place for its reply");
    }
    command request;
    for (std::size_t i = 0; i < count; ++i) request.words.push_back(string_of(words[i]));
    self.ask(std::move(request));
    *reply = self.replied_;
    return self.refused_ ? self.failed(*self.refused_) : LEASE_YES;
  }

  static void set_owner(lease_call* call, lease_text owner) noexcept {
    under_way(call).said_.owner = string_of(owner);
  }
  static void set_token(lease_call* call, std::uint64_t token) noexcept {
    under_way(call).said_.token = token;
  }
  static void set_error(lease_call* call, std::int32_t code, lease_text text) noexcept {
    auto& self = under_way(call);
    if (code < LEASE_INVALID_ARGUMENT || code > LEASE_PROTOCOL) {
      self.break_rule(fmt::format("there is no error {}; allowed: {} to {}", code,
                                  int(LEASE_INVALID_ARGUMENT), int(LEASE_PROTOCOL)));
    }
    self.said_.error = {outcome::info, codes[std::size_t(code)], string_of(text)};
  }

  static void* memory(lease_call* call, std::size_t size) noexcept {
    auto& self = under_way(call);
    try {
      return self.memory_.emplace_back(std::make_unique<std::byte[]>(size)).get();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
};

const lease_host& host_table() {
  static constexpr lease_host table = {
      sizeof(lease_host),        LEASE_PLUGIN_VERSION,      host_functions::monotonic_ns,
      host_functions::wall_ns,   host_functions::host_ms,   host_functions::random,
      host_functions::sleep,     host_functions::step,      host_functions::trip,
      host_functions::set_owner, host_functions::set_token, host_functions::set_error,
      host_functions::memory};
  return table;
}

}  // namespace leaselab::plugin
