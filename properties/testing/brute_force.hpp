// The checker's reference: every order and every instant of a tiny history, one after the other.
// It knows nothing of zones, windows or classes.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "properties/history_checker.hpp"

namespace leaselab::properties::testing {

class brute_force {
 public:
  // Instants are whole numbers and so are the bounds of granules: then whole instants suffice,
  // since rounding all of them down changes neither order nor granule.
  brute_force(std::span<const history_operation> operations, std::int64_t granule,
              std::int64_t phase, expiry_reading reading)
      : operations_(operations), granule_(granule), phase_(phase), reading_(reading) {}

  // How many answered operations the shortest unexplainable prefix holds; 0: all is explained.
  std::size_t shortest_bad_prefix() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (answered(operations_[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return operations_[a].returned < operations_[b].returned;
    });
    std::uint32_t required = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      // A get that claims nothing explains itself; the checker does not count it.
      required |= 1u << order[k];
      end_ = operations_[order[k]].returned;
      visited_.clear();
      if (!explain(required, 0, start(), {}, {})) return count(required);
    }
    return 0;
  }

 private:
  struct tokens {
    std::int64_t least = -1;
    bool known = false;
  };

  static bool answered(const history_operation& operation) {
    return operation.ended == outcome::ok && operation.returned != never_returned;
  }

  std::size_t count(std::uint32_t required) const {
    std::size_t counted = 0;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const auto& o = operations_[i];
      const bool idle = o.call.op == lease_op::get && !o.claims_holder && !o.claims_token;
      counted += ((required >> i) & 1) && !idle;
    }
    return counted;
  }

  std::int64_t start() const {
    std::int64_t first = end_;
    for (const auto& operation : operations_) first = std::min(first, operation.called);
    return first;
  }

  std::int64_t granule_at(std::int64_t t) const {
    const std::int64_t n = t + phase_;
    return n >= 0 ? n / granule_ : -((-n + granule_ - 1) / granule_);
  }

  bool explain(std::uint32_t required, std::uint32_t placed, std::int64_t now, lease_state state,
               tokens token) {
    if ((required & ~placed) == 0) return true;
    if (!visited_.emplace(placed, now, state.owner, state.deadline, token.least, token.known)
             .second)
      return false;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((placed >> i) & 1) continue;
      const auto& operation = operations_[i];
      if (operation.ended == outcome::fail) continue;
      const std::int64_t last = std::min(end_, answered(operation) ? operation.returned : end_);
      for (std::int64_t t = std::max(now, operation.called); t <= last; ++t) {
        if (too_late(required & ~placed, t)) break;
        lease_state next = state;
        tokens next_token = token;
        if (!place(operation, t, next, next_token)) continue;
        if (explain(required, placed | (1u << i), t, next, next_token)) return true;
      }
    }
    return false;
  }

  bool too_late(std::uint32_t waiting, std::int64_t t) const {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (((waiting >> i) & 1) && operations_[i].returned < t) return true;
    }
    return false;
  }

  bool place(const history_operation& operation, std::int64_t t, lease_state& state,
             tokens& token) const {
    const auto step = apply(state, operation.call, granule_at(t), reading_);
    state = step.next;
    const bool turned = step.yes && state.owner != 0 && state.owner != step.holder_before;
    const bool claims = answered(operation) && operation.claims_token;
    const auto claimed = static_cast<std::int64_t>(operation.token);
    if (turned) {
      if (claims && claimed <= token.least) return false;
      token = {claims ? claimed : token.least + 1, claims};
    } else if (claims) {
      if (token.known ? claimed != token.least : claimed < token.least) return false;
      token = {claimed, true};
    }
    if (!answered(operation)) return true;
    if (operation.call.op != lease_op::get && operation.answer != claim_of::nothing &&
        (operation.answer == claim_of::yes) != step.yes)
      return false;
    return !operation.claims_holder || operation.holder == state.owner;
  }

  std::span<const history_operation> operations_;
  std::int64_t granule_, phase_;
  expiry_reading reading_;
  std::int64_t end_ = 0;
  std::set<std::tuple<std::uint32_t, std::int64_t, lease_owner, std::int64_t, std::int64_t, bool>>
      visited_;
};

}  // namespace leaselab::properties::testing
