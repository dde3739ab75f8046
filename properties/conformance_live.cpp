#include "properties/conformance_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <map>
#include <utility>

#include "properties/conformance_program.hpp"
#include "properties/conformance_text.hpp"

namespace leaselab::properties::conformance {
namespace {

using sim::verb;
using namespace std::chrono_literals;

constexpr std::size_t process_count = 3;
// A backend's clock counts whole milliseconds and may have read an instant a moment earlier.
constexpr nanoseconds granule_slack = 2ms;

answer ended_by(const lease_error& error) {
  answer out;
  out.ended = error.kind;
  out.code = error.code;
  out.text = error.text;
  return out;
}

answer ended_ok(bool yes = false) {
  answer out;
  out.ended = outcome::ok;
  out.yes = yes;
  return out;
}

awaitable<answer> acquire(any_lease_provider& provider, step asked) {
  const auto got =
      co_await provider.acquire_lease(asked.key, asked.owner, milliseconds(asked.ttl_ms));
  if (!got) co_return ended_by(got.error());
  answer out = ended_ok(got->acquired);
  out.named = got->owner;
  out.token = got->token;
  co_return out;
}

awaitable<answer> get(any_lease_provider& provider, step asked) {
  const auto got = co_await provider.get_lease_owner(asked.key);
  if (!got) co_return ended_by(got.error());
  answer out = ended_ok();
  out.named = *got;
  co_return out;
}

awaitable<answer> release(any_lease_provider& provider, step asked) {
  const auto got = co_await provider.release_lease(asked.key, asked.owner);
  co_return got ? ended_ok() : ended_by(got.error());
}

awaitable<answer> renew(any_lease_provider& provider, step asked) {
  const auto got =
      co_await provider.renew_lease(asked.key, asked.owner, milliseconds(asked.ttl_ms));
  co_return got ? ended_ok(*got) : ended_by(got.error());
}

awaitable<answer> transfer(any_lease_provider& provider, step asked) {
  const auto got = co_await provider.transfer_lease(asked.key, asked.owner, asked.to,
                                                    milliseconds(asked.ttl_ms));
  if (!got) co_return ended_by(got.error());
  answer out = ended_ok(got->moved);
  out.token = got->token;
  co_return out;
}

awaitable<answer> make_call(any_lease_provider& provider, step asked) {
  switch (asked.what) {
    case verb::acquire:
      co_return co_await acquire(provider, std::move(asked));
    case verb::get:
      co_return co_await get(provider, std::move(asked));
    case verb::release:
      co_return co_await release(provider, std::move(asked));
    case verb::renew:
      co_return co_await renew(provider, std::move(asked));
    case verb::transfer:
      co_return co_await transfer(provider, std::move(asked));
    default:
      provider.close();
      co_return ended_ok();
  }
}

// The backend could not be asked; that says nothing about what the provider promises.
bool unreachable(const answer& got) {
  if (got.ended == outcome::ok) return false;
  return got.code == errc::timed_out || got.code == errc::connection_refused ||
         got.code == errc::connection_lost || got.code == errc::loading || got.code == errc::busy;
}

// Where a lease that was set on real time ends.
struct window {
  monotonic_time earliest, latest;
};

monotonic_time later(monotonic_time from, std::int64_t ttl_ms) {
  const auto whole_day = milliseconds(24h).count();  // the largest ttl does not fit into ns
  return from + milliseconds(std::min<std::int64_t>(ttl_ms, whole_day));
}

bool sets_deadline(const step& asked, const answer& got) {
  const bool has_ttl =
      asked.what == verb::acquire || asked.what == verb::renew || asked.what == verb::transfer;
  return has_ttl && got.ended == outcome::ok && got.yes;
}

bool speaks_of_live_lease(const expectation& expected) {
  return expected.answer == wanted::denied || expected.answer == wanted::owner ||
         expected.answer == wanted::yes;
}

// One case, once, with providers of its own.
class attempt {
 public:
  attempt(const live_setup& setup, const conformance_case& about, std::string prefix, int stretch,
          std::array<std::unique_ptr<environment_asio>, process_count>& environments)
      : setup_(setup), about_(about), stretch_(stretch), clock_(*environments.front()) {
    for (std::size_t i = 0; i < process_count; ++i) {
      provider_options options;
      options.prefix = prefix;
      providers_[i] = setup.make(*environments[i], std::move(options));
    }
  }

  // Empty: all calls were made in time. Otherwise what came between.
  awaitable<std::string> run() {
    const auto begin = clock_.now();
    for (const step& asked : about_.steps) {
      step stretched = asked;
      if (!asked.exact_ttl) stretched.ttl_ms *= stretch_;
      co_await clock_.sleep_until(due(asked, begin));
      const auto invoked = clock_.now();
      const answer got = co_await make_call(*providers_[asked.process], stretched);
      const auto completed = clock_.now();
      if (unreachable(got)) co_return describe(asked, got);
      if (came_late(asked, completed)) co_return "the machine was too slow to be sure";
      if (sets_deadline(asked, got)) {
        windows_[asked.key] = {later(invoked, stretched.ttl_ms),
                               later(completed, stretched.ttl_ms)};
      }
      answers_.push_back(got);
    }
    co_return "";
  }

  const std::vector<answer>& answers() const { return answers_; }

 private:
  monotonic_time due(const step& asked, monotonic_time begin) const {
    const auto stretched = begin + asked.at * stretch_;
    const auto known = windows_.find(asked.key);
    if (asked.lease != lease_time::over || known == windows_.end()) return stretched;
    return std::max(stretched, known->second.latest + 2 * granule_slack);
  }

  bool came_late(const step& asked, monotonic_time completed) const {
    const auto* const expected = expected_of(asked, setup_.declared);
    const auto known = windows_.find(asked.key);
    if (!expected || known == windows_.end() || asked.lease == lease_time::over) return false;
    if (asked.lease != lease_time::alive && !speaks_of_live_lease(*expected)) return false;
    return completed + granule_slack >= known->second.earliest;
  }

  const live_setup& setup_;
  const conformance_case& about_;
  const int stretch_;
  environment& clock_;
  std::array<std::unique_ptr<any_lease_provider>, process_count> providers_;
  std::map<std::string, window> windows_;
  std::vector<answer> answers_;
};

class suite {
 public:
  explicit suite(const live_setup& setup) : setup_(setup), held_to_(setup.declared) {
    for (auto& one : environments_) {
      one = std::make_unique<environment_asio>(context_.get_executor(), setup.where);
    }
  }

  std::vector<row> run() {
    rows_.resize(cases().size());
    left_ = rows_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      asio::co_spawn(context_, run_case(i), [this](std::exception_ptr thrown) {
        if (thrown && !thrown_) thrown_ = thrown;
        if (--left_ == 0) asio::co_spawn(context_, close(), [](std::exception_ptr) {});
      });
    }
    context_.run();
    if (thrown_) std::rethrow_exception(thrown_);
    return std::move(rows_);
  }

 private:
  awaitable<void> run_case(std::size_t index) {
    const conformance_case& about = cases()[index];
    row& out = rows_[index];
    out = not_run(about, inapplicable(about, setup_.declared));
    if (out.why.empty() && about.exact) out.why = "needs exact instants: in the simulator only";
    if (!out.why.empty()) co_return;
    int stretch = setup_.stretch;
    for (int i = 0; i < setup_.attempts; ++i, stretch *= 2) {
      auto prefix = fmt::format("{}-{}-{}", setup_.prefix, index, i);
      attempt one(setup_, about, std::move(prefix), stretch, environments_);
      auto why = co_await one.run();
      out = why.empty() ? judge(about, held_to_, one.answers()) : not_run(about, std::move(why));
      if (out.ended != row_end::not_run) co_return;
    }
  }

  awaitable<void> close() {
    for (auto& one : environments_) co_await one->close();
  }

  const live_setup& setup_;
  promises held_to_;
  asio::io_context context_{1};
  std::array<std::unique_ptr<environment_asio>, process_count> environments_;
  std::vector<row> rows_;
  std::size_t left_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace

std::vector<row> run_live(const live_setup& setup) { return suite(setup).run(); }

}  // namespace leaselab::properties::conformance
