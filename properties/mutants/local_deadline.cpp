// Clients that believe for longer than their lease lasts, or work for longer than they believe.
#include <algorithm>

#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {

// ---- N01
// A's acquire takes effect at 1 ms, its answer comes at 20 ms. The lease ends at 101 ms; A, which
// counts from the answer, believes up to 109 ms.

namespace {

class counts_from_answers final : public sim::client {
 public:
  using sim::client::client;

 protected:
  std::int64_t counted_from(sim::call_index call) const override {
    return world_.reading(*world_.processes[world_.record.run.calls[call].process]);
  }
};

}  // namespace

mutant deadline_from_answer() {
  return of_clients(
      {"N01", "the local deadline is counted from the answer",
       "the client counts its ttl from the answer instead of from before the request: a slow "
       "reply makes it believe beyond the end of the lease",
       and_what_follows({"single_owner.belief", "run.covered"})},
      "redis", std::make_shared<with_client<counts_from_answers>>());
}

// ---- N03
// A's wall clock steps ahead by 50 ms. Its next answer comes, the deadline is noted by that clock,
// and 50 ms after the lease has ended the monotonic clock still stands before it.

namespace {

class reads_the_wall_clock final : public sim::client {
 public:
  using sim::client::client;

  void sending(sim::call_index call) override {
    if (asked_at_.size() <= call) asked_at_.resize(call + 1U);
    const auto process = world_.record.run.calls[call].process;
    asked_at_[call] = world_.processes[process]->wall.read(world_.now);
    sim::client::sending(call);
  }

 protected:
  std::int64_t counted_from(sim::call_index call) const override { return asked_at_.at(call); }

 private:
  std::vector<std::int64_t> asked_at_;  // by call
};

}  // namespace

mutant deadline_on_two_clocks() {
  return of_clients(
      {"N03", "a deadline of the wall clock, checked on the monotonic one",
       "the client notes its local deadline on its wall clock and compares the monotonic one with "
       "it: where the wall clock is ahead or steps, it believes beyond the end of the lease",
       and_what_follows({"single_owner.belief", "single_owner.effect", "run.covered"})},
      "redis", std::make_shared<with_client<reads_the_wall_clock>>());
}

// ---- N04
// A's monotonic clock runs at 0.95. Its local deadline is the whole ttl away: 105 ms.

namespace {

class leaves_no_margin final : public sim::client {
 public:
  using sim::client::client;

 protected:
  std::int64_t margin_ppm() const override { return 0; }
};

}  // namespace

mutant deadline_without_margin() {
  return of_clients(
      {"N04", "no margin for the clock's rate",
       "the client believes for the whole ttl by its own clock: where that runs slow, though "
       "within the declared margin, it believes beyond the end of the lease",
       and_what_follows({"single_owner.belief", "run.covered"})},
      "redis", std::make_shared<with_client<leaves_no_margin>>());
}

// ---- N08
// A's renewals are lost. At 90 ms its local deadline passes, but it is still trying to renew, and
// works on. At 110 ms B acquires and works.

namespace {

class works_while_it_retries final : public sim::client {
 public:
  using sim::client::client;

  void sending(sim::call_index index) override {
    const auto& call = world_.record.run.calls[index];
    if (call.what == sim::verb::release || call.what == sim::verb::transfer)
      forget(call, call.owner);
    sim::client::sending(index);
  }
  void answered(sim::call_index index) override {
    const auto& call = world_.record.run.calls[index];
    if (call.what == sim::verb::renew) {
      forget(call, call.owner);
      if (call.ended == outcome::info)
        retrying_.push_back({call.process, call.incarnation, call.key, call.owner});
    }
    sim::client::answered(index);
  }
  bool holds(sim::process_slot& process, sim::key_id key, sim::owner_id owner) override {
    if (sim::client::holds(process, key, owner)) return true;
    return std::find(retrying_.begin(), retrying_.end(),
                     token{process.id, process.incarnation, key, owner}) != retrying_.end();
  }
  void begin() override { retrying_.clear(); }

 private:
  struct token {
    sim::process_id process = 0;
    std::uint8_t incarnation = 0;
    sim::key_id key = 0;
    sim::owner_id owner = sim::nobody;
    bool operator==(const token&) const = default;
  };

  void forget(const sim::call_record& call, sim::owner_id owner) {
    std::erase(retrying_, token{call.process, call.incarnation, call.key, owner});
  }

  std::vector<token> retrying_;  // whose last renewal failed
};

}  // namespace

mutant works_past_its_deadline() {
  return of_clients(
      {"N08", "work goes on while a failed renewal is retried",
       "past its local deadline the client works on as long as it retries a renewal that was "
       "not answered; only a denial stops it",
       and_what_follows({"single_owner.effect", "run.covered"})},
      "redis", std::make_shared<with_client<works_while_it_retries>>());
}

}  // namespace leaselab::properties::mutations
