#include "providers/plugin/call.hpp"

#include <fmt/format.h>

#include <exception>

#include "providers/call_rules.hpp"
#include "providers/plugin/entered.hpp"
#include "providers/plugin/host_functions.hpp"

namespace leaselab::plugin {
namespace {

lease_text text_of(const std::string& from) { return {from.data(), from.size()}; }

std::int32_t kind_of(reply_kind kind) {
  switch (kind) {
    case reply_kind::nil:
      return LEASE_REPLY_NIL;
    case reply_kind::integer:
      return LEASE_REPLY_INTEGER;
    case reply_kind::text:
      return LEASE_REPLY_TEXT;
    case reply_kind::status:
      return LEASE_REPLY_STATUS;
    case reply_kind::error:
      return LEASE_REPLY_ERROR;
    case reply_kind::array:
      break;
  }
  return LEASE_REPLY_ARRAY;
}

}  // namespace

void kept_reply::fill(lease_reply& to, const reply& from) {
  to.kind = kind_of(from.kind);
  to.integer = from.integer;
  to.text = text_of(from.text);
  to.count = from.items.size();
  if (from.items.empty()) return;
  auto& list = lists_.emplace_back(std::make_unique<const lease_reply*[]>(to.count));
  const lease_reply** const items = list.get();
  to.items = items;
  for (std::size_t i = 0; i < to.count; ++i) {
    auto& item = *items_.emplace_back(std::make_unique<lease_reply>());
    items[i] = &item;
    fill(item, from.items[i]);
  }
}

plugin_call::plugin_call(const surroundings& where, operation what, nanoseconds limit,
                         entrance enter, void* with)
    : where_(where),
      what_(what),
      deadline_(deadline_after(where.here.now(), limit)),
      enter_(enter),
      with_(with),
      stack_(where.stacks, run, this) {
  seen_.size = sizeof(lease_call);
  seen_.version = LEASE_PLUGIN_VERSION;
  seen_.host = &host_table();
  seen_.instance = where_.instance;
  seen_.prefix = where_.prefix;
  seen_.limit_ns = limit.count();
}

void plugin_call::run(void* self) noexcept {
  auto& call = *static_cast<plugin_call*>(self);
  try {
    call.said_.outcome = call.enter_(call.with_, &call.seen_);
    return;
  } catch (const std::exception& error) {
    call.asked_ = broken_rule{fmt::format("an exception left it: {}", error.what())};
  } catch (...) {
    call.asked_ = broken_rule{"an exception left it"};
  }
}

void plugin_call::go_on() {
  asked_ = std::monostate();
  const entered here({this, where_.of.path().c_str(), to_string(what_).data(), stack_.lower_end()});
  stack_.resume();
}

awaitable<void> plugin_call::grant() {
  refused_.reset();
  replied_ = nullptr;
  environment& here = where_.here;
  if (const auto* sleep = std::get_if<asked_sleep>(&asked_)) {
    co_await here.sleep_until(deadline_after(here.now(), sleep->length));
  } else if (std::holds_alternative<asked_step>(asked_)) {
    const auto made = co_await here.step(deadline_);
    if (!made) refused_ = made.error();
  } else if (auto* request = std::get_if<command>(&asked_)) {
    auto answer = co_await here.send(std::move(*request), deadline_);
    if (!answer) {
      refused_ = answer.error();
    } else {
      replied_ = replies_.emplace_back(std::make_unique<kept_reply>(std::move(*answer)))->shown();
    }
  } else {
    fail(std::get<broken_rule>(asked_).what);
  }
}

said plugin_call::take() {
  if (const auto* broken = std::get_if<broken_rule>(&asked_)) fail(broken->what);
  const auto outcome = said_.outcome;
  if (outcome < LEASE_NO || outcome > LEASE_INFO) fail(fmt::format("it returned {}", outcome));
  if (what_ == operation::get && outcome == LEASE_YES && !said_.owner) {
    fail("it returned LEASE_YES and named no owner");
  }
  said_.error.kind = outcome == LEASE_FAIL ? outcome::fail : outcome::info;
  return std::move(said_);
}

void plugin_call::ask(asked what) {
  asked_ = std::move(what);
  stack_.suspend();
}

void plugin_call::break_rule(std::string what) {
  ask(broken_rule{std::move(what)});
  std::terminate();  // nobody goes on with it
}

lease_outcome plugin_call::failed(const lease_error& error) {
  said_.error = error;
  return error.kind == outcome::fail ? LEASE_FAIL : LEASE_INFO;
}

void plugin_call::fail(const std::string& what) const {
  where_.of.fail(fmt::format("{}: {}", to_string(what_), what));
}

}  // namespace leaselab::plugin
