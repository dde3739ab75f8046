// The `info` operations of a history: whoever explains it may let each of them take effect once,
// at any instant from its call on, or never. Internal to the checker.
//
// Two with the same effect (operation, owners, ttl) are interchangeable, and the one called first
// serves every purpose of the other: a class of them is a sorted list, and what has been used of
// it is a number. And an effect that nobody can have observed need not be tried.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "properties/history_items.hpp"

namespace leaselab::properties {

struct info_class {
  lease_op op = lease_op::acquire;
  lease_owner owner = 0;
  lease_owner result = 0;
  std::int64_t reach = 0;
  std::vector<std::int64_t> called;  // granules, in the order of the calls
  std::uint32_t stronger = 0;        // of a renewal: 1 + the acquire that can do all it can
  std::uint32_t spent = 0;           // used up in every explanation that is still alive
};

using class_id = std::uint32_t;

// How many of each class one explanation has used, beyond `spent`. Sorted by class.
struct info_use {
  class_id of = 0;
  std::uint32_t count = 0;
  bool operator==(const info_use&) const = default;
};
using info_uses = std::vector<info_use>;

class info_pool {
 public:
  void reset(const history_items& history);
  void open(const history_item& item);
  // Operations before this position (in the order of returns) are explained.
  void advance(std::uint32_t return_position) { position_ = return_position; }

  bool empty() const { return classes_.empty(); }
  bool any_transfer() const { return any_transfer_; }
  const std::vector<info_class>& classes() const { return classes_; }
  // Classes that can make somebody owner of a free record; those that change a record of `owner`.
  const std::vector<class_id>& acquires() const { return acquires_; }
  const std::vector<class_id>& on(lease_owner owner) const;
  // Could an open info operation still make `owner` the owner?
  bool can_make(lease_owner owner) const;
  // May an operation that is not explained yet, called by granule `last`, have found `owner` live?
  bool observed(lease_owner owner, std::int64_t last);
  // Is there one whose token only a record that nobody names can have brought?
  bool token_unexplained() { return seen(hidden_, never_returned); }

  // Sets of uses are numbered; 0 is the empty one.
  std::uint32_t add_use(std::uint32_t uses, class_id of);
  // The call granule of the next unused one of that class, or never_returned.
  std::int64_t next_call(std::uint32_t uses, class_id of) const;
  // Has `a` left over all that `b` has? A spent acquire leaves less than a spent renewal.
  bool no_more(std::uint32_t a, std::uint32_t b) const;
  // How much a set of uses spends; an acquire serves more purposes than the others.
  std::uint32_t weight(std::uint32_t uses) const;
  bool crowded() const { return table_.size() > limit_; }
  // Forgets sets nobody holds, takes what all of them share as spent, and what nobody can observe
  // any more out of them. `held` are rewritten.
  void compact(const std::vector<std::uint32_t*>& held, const std::vector<lease_owner>& owners);

 private:
  struct observer_list {
    std::vector<std::uint32_t> position;   // in the order of returns
    std::vector<std::int64_t> first_call;  // the least call granule from here on
    std::size_t at = 0;
  };
  std::uint32_t intern(info_uses uses);
  std::uint32_t count(std::uint32_t uses, class_id of) const;
  void find_stronger(class_id added);
  void find_observers(const history_items& history);
  std::uint32_t mentioned_last(lease_owner owner) const;
  bool retired(const info_class& of, const std::vector<lease_owner>& owners) const;
  bool seen(observer_list& list, std::int64_t last) const;

  std::vector<info_class> classes_;
  std::vector<class_id> acquires_;
  std::unordered_map<lease_owner, std::vector<class_id>> on_, to_;
  std::unordered_map<lease_owner, observer_list> observers_;
  observer_list anonymous_, hidden_;
  std::unordered_map<lease_owner, std::uint32_t> mentioned_;
  std::vector<info_uses> table_;
  std::size_t limit_ = 0;
  std::uint32_t position_ = 0;
  bool any_transfer_ = false;
};

}  // namespace leaselab::properties
