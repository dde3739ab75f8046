// Long histories of the shape of the recorded ones in properties/testdata: clients of one correct
// lease or lock, each with one call at a time, on integer ticks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

#include "properties/history_checker.hpp"

namespace leaselab::properties::testing {

struct long_history {
  std::size_t operations = 10'000;
  std::uint32_t clients = 10;
  std::int64_t ttl = 60;  // no_expiry: a lock
  std::uint32_t info_percent = 0;
  bool tokens = true;
  std::size_t bad_at = ~std::size_t{0};  // from this operation on, the next denial is a grant
  std::uint64_t seed = 1;
};

class long_history_maker {
 public:
  explicit long_history_maker(const long_history& shape) : shape_(shape), random_(shape.seed) {}

  std::vector<history_operation> make() {
    holds_.assign(shape_.clients + 1, false);
    for (lease_owner client = 1; client <= shape_.clients; ++client) call(client, draw(0, 20));
    while (!pending_.empty()) {
      const std::size_t next = std::get<2>(pending_.top());
      pending_.pop();
      take_effect(made_[next], instants_[next]);
      const auto& done = made_[next];
      if (made_.size() < shape_.operations) {
        const std::int64_t free =
            done.returned == never_returned ? instants_[next] + 30 : done.returned;
        call(done.call.owner, free + draw(1, 19));
      }
    }
    std::stable_sort(made_.begin(), made_.end(),
                     [](const auto& a, const auto& b) { return a.called < b.called; });
    return std::move(made_);
  }

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  void call(lease_owner client, std::int64_t at) {
    history_operation operation;
    operation.id = made_.size();
    operation.process = client;
    operation.call.owner = client;
    operation.call.ttl = shape_.ttl;
    const std::int64_t dice = draw(0, 99);
    operation.call.op = holds_[client] ? (dice < 65 ? lease_op::renew : lease_op::release)
                        : dice < 10    ? lease_op::get
                                       : lease_op::acquire;
    operation.called = operation.called_granule = at;
    operation.returned = operation.returned_granule = at + draw(2, 18);
    const std::int64_t effect = draw(at, operation.returned);
    pending_.emplace(effect, draw(0, 1000), made_.size());
    instants_.push_back(effect);
    made_.push_back(operation);
  }

  void take_effect(history_operation& operation, std::int64_t at) {
    auto step = apply(state_, operation.call, at, expiry_reading::at);
    if (!step.yes && operation.id >= shape_.bad_at && operation.call.op == lease_op::acquire) {
      shape_.bad_at = ~std::size_t{0};
      step.yes = true;
      step.next = {operation.call.owner, at + shape_.ttl, step.next.token + 1};
    }
    state_ = step.next;
    const lease_owner client = operation.call.owner;
    if (operation.call.op != lease_op::get) {
      holds_[client] = operation.call.op == lease_op::release ? false : step.yes;
    }
    if (operation.call.op != lease_op::get && draw(0, 99) < shape_.info_percent) {
      operation.returned = operation.returned_granule = never_returned;
      holds_[client] = false;
      return;
    }
    operation.ended = outcome::ok;
    if (operation.call.op != lease_op::get) {
      operation.answer = step.yes ? claim_of::yes : claim_of::no;
    }
    operation.claims_holder = true;
    operation.holder = state_.owner;
    operation.claims_token = shape_.tokens;
    operation.token = state_.token;
  }

  long_history shape_;
  std::mt19937_64 random_;
  std::priority_queue<std::tuple<std::int64_t, std::int64_t, std::size_t>,
                      std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>>,
                      std::greater<>>
      pending_;
  std::vector<history_operation> made_;
  std::vector<std::int64_t> instants_;  // of the effects, by id
  std::vector<bool> holds_;
  lease_state state_;
};

inline std::vector<history_operation> make_long_history(const long_history& shape) {
  return long_history_maker(shape).make();
}

}  // namespace leaselab::properties::testing
