// The search itself, for histories with at most 64·Words operations open at a time. Internal to
// the checker; history_checker.cpp tells the method.
#pragma once

#include <algorithm>
#include <vector>

#include "properties/checker_config.hpp"
#include "properties/history_checker.hpp"
#include "properties/history_items.hpp"
#include "properties/info_pool.hpp"

namespace leaselab::properties {

template <std::size_t Words>
class checker_engine {
 public:
  using config = checker_config<Words>;

  history_verdict run(std::span<const history_operation> operations, const history_items& history,
                      const checker_options& options) {
    // Nearly always few of the ways to spend info operations are enough. If they are not, and some
    // were left out, only the full search may say so.
    keep_of_each_ = 2;
    const auto quick = search(operations, history, options);
    if (!left_out_ || quick.value == verdict::holds) return quick;
    keep_of_each_ = ~std::size_t{0};
    auto full = search(operations, history, options);
    full.steps += quick.steps;
    return full;
  }

 private:
  history_verdict search(std::span<const history_operation> operations,
                         const history_items& history, const checker_options& options) {
    reset(history);
    step_limit_ = options.step_limit;
    lapse_ = options.deadlines ? 1 : 0;
    history_verdict result;
    std::size_t next_call = 0;
    for (std::size_t position = 0; position < history.returns.size(); ++position) {
      const std::uint32_t index = history.returns[position];
      const std::int64_t instant = operations[index].returned;
      // Equal instants are concurrent: whoever is called now is open when this one returns.
      while (next_call < history.calls.size() &&
             operations[history.calls[next_call]].called <= instant) {
        open(history, history.calls[next_call++]);
      }
      infos_.advance(static_cast<std::uint32_t>(position));
      explain(slot_of_[index]);
      result.steps = steps_;
      if (steps_ > step_limit_) return result;
      if (configs_.empty()) {
        result.value = verdict::violated;
        result.prefix = position + 1;
        result.last = index;
        return result;
      }
    }
    result.value = verdict::holds;
    return result;
  }

  // What an operation does where it changes the record.
  struct effect {
    lease_op op;
    lease_owner owner, result;
    std::int64_t reach, called;
    bool claims_token = false;
    std::int64_t token = 0;
  };

  static effect effect_of(const history_item& item) {
    return {item.op,     item.owner,        item.result, item.reach,
            item.called, item.claims_token, item.token};
  }

  void reset(const history_items& history) {
    infos_.reset(history);
    tokens_ = history.tokens;
    least_reach_ = history.least_reach;
    configs_.assign(1, {});
    slot_of_.assign(history.items.size(), 0);
    items_.clear();
    free_slots_.clear();
    open_ = pure_ = {};
    steps_ = 0;
    left_out_ = false;
  }

  void open(const history_items& history, std::uint32_t index) {
    const history_item& item = history.items[index];
    if (item.optional) return infos_.open(item);
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<std::uint32_t>(items_.size()));
      items_.push_back(nullptr);
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    slot_of_[index] = slot;
    items_[slot] = &item;
    open_.set(slot);
    if (item.may_no && !item.may_yes) pure_.set(slot);
  }

  // The operation in `slot` returns: from now on it is placed in every explanation.
  void explain(std::uint32_t slot) {
    returning_ = slot;
    goal_ = items_[slot];
    cap_ = goal_->returned;
    next_.clear();
    queue_.clear();
    for (const auto& c : configs_) {
      if (c.done.has(slot)) {
        finish(c);
      } else {
        queue_.push_back(c);
      }
    }
    for (std::size_t i = 0; i < queue_.size() && steps_ <= step_limit_; ++i) {
      explore(config(queue_[i]));
    }
    configs_.swap(next_);
    open_.clear(slot);
    pure_.clear(slot);
    free_slots_.push_back(slot);
    if (configs_.size() > few) thin_out();
    if (infos_.crowded()) compact();
  }

  // Of configurations that differ only in the info operations they used, a few are kept: those
  // that used the least.
  void thin_out() {
    next_.clear();
    std::stable_sort(configs_.begin(), configs_.end(), [&](const config& a, const config& b) {
      return infos_.weight(a.uses) < infos_.weight(b.uses);
    });
    for (const auto& c : configs_) {
      const auto alike = std::count_if(next_.begin(), next_.end(), [&](const config& kept) {
        return kept.same_shape(c) && same_zone(kept, c) && kept.high == c.high &&
               kept.done == c.done;
      });
      steps_ += 1 + next_.size() / 16;
      if (static_cast<std::size_t>(alike) < keep_of_each_) {
        next_.push_back(c);
      } else {
        left_out_ = true;
      }
    }
    configs_.swap(next_);
  }

  void compact() {
    std::vector<std::uint32_t*> held;
    std::vector<lease_owner> owners;
    for (auto& c : configs_) {
      held.push_back(&c.uses);
      owners.push_back(c.owner);
    }
    infos_.compact(held, owners);
  }

  // --- keeping configurations

  void keep(std::vector<config>& list, config c) {
    c.normalise(least_reach_);
    steps_ += 1 + list.size() / 16;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].covers(c, pure_, infos_)) return;
    }
    std::erase_if(list, [&](const config& other) { return c.covers(other, pure_, infos_); });
    for (auto& other : list) {
      if (other.join(c)) return;
    }
    list.push_back(c);
  }

  void finish(config c) {
    c.done.clear(returning_);
    keep(next_, c);
  }

  // The queue is walked by index, so nothing leaves it.
  void enqueue(config c) {
    if (goal_->claims_token && goal_->token < c.token) return;
    c.normalise(least_reach_);
    steps_ += 1 + queue_.size() / 16;
    for (const auto& other : queue_) {
      if (other.covers(c, pure_, infos_)) return;
    }
    queue_.push_back(c);
  }

  // --- what an operation may do in a configuration

  static bool needs_live(no_needs need) {
    return need == no_needs::someone || need == no_needs::this_owner;
  }

  static bool owner_says_no(const config& c, const history_item& item) {
    switch (item.need) {
      case no_needs::anything:
        return true;
      case no_needs::not_self:
        return c.owner != item.owner;
      case no_needs::someone:
        return c.owner != 0 && c.owner != item.owner;
      case no_needs::this_owner:
        return c.owner == item.no_owner;
      case no_needs::free:
        return c.owner == 0;
    }
    return false;
  }

  static bool token_fits(const config& c, bool claims, std::int64_t token) {
    return !claims || (c.token_known ? token == c.token : token >= c.token);
  }

  static void pin(config& c, bool claims, std::int64_t token) {
    if (!claims) return;
    c.token = token;
    c.token_known = true;
  }

  static bool says_no(const config& c, const history_item& item) {
    return item.may_no && owner_says_no(c, item) && token_fits(c, item.claims_token, item.token);
  }

  bool undone(const config& c, std::uint32_t slot) const {
    return open_.has(slot) && !c.done.has(slot);
  }

  // Could an operation called by now still make `owner` the owner?
  bool can_become(const config& c, lease_owner owner, const history_item& except) const {
    if (infos_.can_make(owner)) return true;
    return !open_.each_without(c.done, [&](std::uint32_t slot) {
      const auto& item = *items_[slot];
      const bool makes = item.may_yes && item.result == owner && &item != &except &&
                         (item.op == lease_op::acquire || item.op == lease_op::transfer);
      return !makes;
    });
  }

  // Places an operation as one that changed nothing. False: it cannot be.
  bool place_no(config& c, const history_item& item) const {
    if (!says_no(c, item)) return false;
    bool orders = item.claims_token || item.need == no_needs::free;
    if (needs_live(item.need)) {
      c.low = std::max(c.low, item.called - c.reach);
      if (c.low > c.high) return false;
      c.need = std::max(c.need, item.called);
      orders = true;
    }
    // "Not live" of somebody who is not the owner and cannot become it orders nothing.
    if (item.need == no_needs::not_self) orders |= can_become(c, item.owner, item);
    if (orders) c.now = std::max(c.now, item.called);
    pin(c, item.claims_token, item.token);
    return true;
  }

  // Calls `emit(config)` for each way in which the record may be changed by `e`.
  template <class Emit>
  void take_yes(const config& c, const effect& e, Emit&& emit) {
    if (e.op == lease_op::acquire && c.owner == 0) return create(c, e, emit);
    if (c.owner == 0 || c.owner != e.owner) return;
    if (e.result == c.owner) return refresh(c, e, emit);
    end_tenure(c, e, emit);
  }

  template <class Emit>
  void refresh(config c, const effect& e, Emit&& emit) {
    if (!token_fits(c, e.claims_token, e.token)) return;
    pin(c, e.claims_token, e.token);
    c.low = std::max({c.low, e.called, c.need - e.reach});
    c.high = std::min(c.high + c.reach, cap_);
    c.reach = e.reach;
    if (c.low <= c.high) emit(c);
  }

  // The record after a change of owner; its zone is set by the caller. False: the token forbids it.
  bool turn(config& c, const effect& e) const {
    if (e.result == 0) {
      if (!token_fits(c, e.claims_token, e.token)) return false;
      pin(c, e.claims_token, e.token);
    } else if (tokens_) {
      if (e.claims_token && e.token <= c.token) return false;
      c.token_known = e.claims_token;
      c.token = e.claims_token ? e.token : c.token + 1;
    }
    c.owner = e.result;
    c.reach = e.reach;
    c.need = no_need;
    return true;
  }

  template <class Emit>
  void create(const config& c, const effect& e, Emit&& emit) {
    leave(c, e, std::max(c.now, e.called), cap_, [&](config next, std::int64_t from) {
      next.low = next.now = from;
      next.high = cap_;
      emit(next);
    });
  }

  template <class Emit>
  void end_tenure(const config& c, const effect& e, Emit&& emit) {
    const std::int64_t last = std::min(c.high + c.reach, cap_);
    leave(c, e, std::max({c.now, e.called, c.low}), last, [&](config next, std::int64_t from) {
      next.low = next.now = from;
      next.high = last;
      emit(next);
    });
  }

  // Time passes: the record is dead.
  template <class Emit>
  void expire(const config& c, Emit&& emit) {
    if (c.owner == 0 || c.reach >= no_expiry) return;
    const std::int64_t dies = c.low + c.reach;  // the earliest last live granule
    const std::int64_t last = c.high + c.reach;
    const effect gone{lease_op::release, c.owner, 0, 0, 0};
    leave(c, gone, std::max(dies, std::min(c.now - lapse_, last)), std::min(last, cap_ - lapse_),
          [&](config next, std::int64_t from) {
            next.now = std::max(c.now, from + lapse_);
            if (next.now <= cap_) emit(next);
          });
  }

  // The tenure of c's owner (or a time without one) ends by `e` at granule `from` or later, for
  // each `from` that makes a difference: the later it ends, the more of the open operations that
  // need it can be placed before.
  template <class Emit>
  void leave(const config& c, const effect& e, std::int64_t from, std::int64_t last, Emit&& emit) {
    if (from > last) return;
    leave_pinned(c, e, from, last, emit);
    if (!tokens_ || c.token_known) return;
    std::vector<std::int64_t> pins;
    open_.each_without(c.done, [&](std::uint32_t slot) {
      if (items_[slot]->claims_token && says_no(c, *items_[slot])) {
        pins.push_back(items_[slot]->token);
      }
      return true;
    });
    std::sort(pins.begin(), pins.end());
    pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
    for (std::int64_t token : pins) {
      config pinned = c;
      pin(pinned, true, token);
      leave_pinned(pinned, e, from, last, emit);
    }
  }

  template <class Emit>
  void leave_pinned(const config& c, const effect& e, std::int64_t from, std::int64_t last,
                    Emit&& emit) {
    config next = c;
    if (!turn(next, e)) return;
    std::vector<std::uint32_t> reads, unsure;
    open_.each_without(c.done, [&](std::uint32_t slot) {
      const auto& item = *items_[slot];
      // The goal is placed where it stands: an order in which it comes later can wait for it.
      if (slot == returning_) return true;
      if (!says_no(c, item) || says_no(next, item)) return true;
      if (item.claims_token && !c.token_known) return true;
      (item.may_yes ? unsure : reads).push_back(slot);
      return true;
    });
    std::sort(reads.begin(), reads.end(), [&](std::uint32_t a, std::uint32_t b) {
      return items_[a]->called < items_[b]->called;
    });
    unsure.resize(std::min<std::size_t>(unsure.size(), 16));
    // What may also change something later is a choice; what never does is placed if it can be.
    for (std::uint32_t chosen = 0; chosen < (1u << unsure.size()); ++chosen) {
      config some = next;
      std::int64_t base = from;
      for (std::size_t i = 0; i < unsure.size(); ++i) {
        if (!((chosen >> i) & 1)) continue;
        some.done.set(unsure[i]);
        base = std::max(base, items_[unsure[i]]->called);
      }
      if (base <= last) leave_at(some, reads, base, last, emit);
    }
  }

  template <class Emit>
  void leave_at(config next, const std::vector<std::uint32_t>& reads, std::int64_t from,
                std::int64_t last, Emit&& emit) {
    std::size_t i = 0;
    for (;;) {
      while (i < reads.size() && items_[reads[i]]->called <= from) next.done.set(reads[i++]);
      ++steps_;
      emit(next, from);
      if (i == reads.size() || items_[reads[i]]->called > last) return;
      from = items_[reads[i]]->called;
    }
  }

  // --- the search at one return

  void explore(const config& c) {
    ++steps_;
    bool placed_here = false;
    const auto place = [&](const config& placed) {
      finish(placed);
      placed_here = true;
    };
    if (goal_->may_no) {
      config placed = c;
      if (place_no(placed, *goal_)) {
        place(placed);
        if (!goal_->may_yes && same_zone(placed, c)) return;
      }
    }
    if (goal_->may_yes) take_yes(c, effect_of(*goal_), place);
    if (placed_here && settled(c)) return;
    others_first(c);
    expire(c, [&](const config& n) { enqueue(n); });
    if (!infos_.empty()) infos_first(c);
  }

  static bool same_zone(const config& a, const config& b) {
    return a.low == b.low && a.now == b.now && a.need == b.need && a.token == b.token &&
           a.token_known == b.token_known;
  }

  // Whether no explanation is lost by placing the goal right here, before everything that is open.
  bool settled(const config& c) {
    const auto& goal = *goal_;
    if ((tokens_ && !c.token_known) || lapse_ == 0) return false;
    const bool changes =
        goal.may_yes && (goal.op != lease_op::acquire ? c.owner == goal.owner : true);
    if (changes ? !settled_yes(c, goal) : !settled_no(c, goal)) return false;
    const bool turns = changes && goal.result != c.owner;
    return open_.each_without(c.done, [&](std::uint32_t slot) {
      return slot == returning_ || at_home(c, *items_[slot], turns);
    });
  }

  bool settled_no(const config& c, const history_item& goal) {
    if (!says_no(c, goal)) return false;
    if (goal.may_yes && (goal.op != lease_op::release || can_become(c, goal.owner, goal)))
      return false;
    if (needs_live(goal.need) && goal.called > c.low + c.reach) return false;
    if (infos_.empty()) return true;
    if (infos_.any_transfer()) return false;
    if (goal.need == no_needs::this_owner)
      return !tokens_ || goal.claims_token || !infos_.can_make(c.owner);
    if (goal.need == no_needs::free) return goal.claims_token || !infos_.token_unexplained();
    for (class_id id : infos_.acquires()) {
      if (useful(c, id)) return false;
    }
    return true;
  }

  bool settled_yes(const config& c, const history_item& goal) {
    if (goal.may_no && goal.op != lease_op::release) return false;
    if (!infos_.empty() && infos_.any_transfer()) return false;
    if (c.owner == 0) return goal.op == lease_op::acquire;
    if (c.owner != goal.owner || cap_ > c.low + c.reach) return false;
    if (goal.result != c.owner) return true;
    if (tokens_ && !goal.claims_token && infos_.can_make(c.owner)) return false;
    return goal.reach == c.reach && token_fits(c, goal.claims_token, goal.token);
  }

  // An open operation that this tenure serves, whenever in it.
  bool at_home(const config& c, const history_item& item, bool turns) const {
    if (item.may_no && !item.may_yes) return says_no(c, item);
    if (turns || c.owner == 0) return false;
    if (item.op == lease_op::release && item.owner != c.owner)
      return says_no(c, item) && !can_become(c, item.owner, item);
    return !item.may_no && item.result == c.owner && item.owner == c.owner &&
           item.reach == c.reach && token_fits(c, item.claims_token, item.token);
  }

  void others_first(const config& c) {
    open_.each_without(c.done, [&](std::uint32_t slot) {
      if (slot == returning_ || !items_[slot]->may_yes) return true;
      config placed = c;
      placed.done.set(slot);
      take_yes(placed, effect_of(*items_[slot]), [&](const config& n) { enqueue(n); });
      return true;
    });
  }

  // --- info operations

  bool useful(const config& c, class_id id) {
    const auto& of = infos_.classes()[id];
    return infos_.next_call(c.uses, id) <= cap_ && infos_.observed(of.result, cap_ + of.reach);
  }

  void use(const config& c, class_id id) {
    const auto& of = infos_.classes()[id];
    const std::int64_t called = infos_.next_call(c.uses, id);
    if (called > cap_) return;
    config placed = c;
    placed.uses = infos_.add_use(c.uses, id);
    take_yes(placed, {of.op, of.owner, of.result, of.reach, called},
             [&](const config& n) { enqueue(n); });
  }

  void infos_first(const config& c) {
    if (c.owner == 0) {
      for (class_id id : infos_.acquires()) {
        if (useful(c, id)) use(c, id);
      }
      return;
    }
    for (class_id id : infos_.on(c.owner)) {
      const auto& of = infos_.classes()[id];
      const bool refreshes = of.result == c.owner;
      if (!refreshes || (refresh_helps(c, of) && !renewal_serves(c, id))) use(c, id);
    }
  }

  // A refresh helps only where the record's own reach does not do, or is too long.
  bool refresh_helps(const config& c, const info_class& of) const {
    return cap_ > c.low + c.reach || of.reach < c.reach;
  }

  // Is `id` an acquire, and a renewal there to do the same refresh? Whatever the renewal might have
  // done later the acquire can do then, and more.
  bool renewal_serves(const config& c, class_id id) const {
    const auto& of = infos_.classes()[id];
    if (of.op != lease_op::acquire) return false;
    const std::int64_t from = std::max(c.low, infos_.next_call(c.uses, id));
    for (class_id other : infos_.on(c.owner)) {
      const auto& renewal = infos_.classes()[other];
      if (renewal.op == lease_op::renew && renewal.reach == of.reach &&
          infos_.next_call(c.uses, other) <= from)
        return true;
    }
    return false;
  }

  static constexpr std::size_t few = 12;

  info_pool infos_;
  std::vector<config> configs_, next_, queue_;
  std::vector<const history_item*> items_;  // by slot
  std::vector<std::uint32_t> free_slots_, slot_of_;
  slot_set<Words> open_, pure_;
  const history_item* goal_ = nullptr;
  std::uint32_t returning_ = 0;
  std::int64_t cap_ = 0;
  std::int64_t least_reach_ = no_expiry;
  std::int64_t lapse_ = 1;  // granules from the last live one to the first dead one
  std::uint64_t steps_ = 0, step_limit_ = 0;
  bool tokens_ = false;
  std::size_t keep_of_each_ = 2;
  bool left_out_ = false;
};

}  // namespace leaselab::properties
