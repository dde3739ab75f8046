#include "properties/info_pool.hpp"

#include <algorithm>
#include <unordered_set>

namespace leaselab::properties {
namespace {

constexpr std::size_t table_limit = 64;

bool same_effect(const info_class& a, const history_item& b) {
  return a.op == b.op && a.owner == b.owner && a.result == b.result && a.reach == b.reach;
}

// A yes of it needs a live record of its own owner. A granted acquire does so only where a token
// tells a refreshed record from a new one.
bool yes_observes(const history_item& item) {
  return item.may_yes && (item.op != lease_op::acquire || item.claims_token);
}

// Its token is that of a record whose owner it names, whatever it did.
bool names_a_record(const history_item& item) {
  const bool yes_names = !item.may_yes || item.result != 0;
  const bool no_names = !item.may_no || item.need == no_needs::this_owner;
  return (item.may_yes || item.may_no) && yes_names && no_names;
}

void suffix_minima(std::vector<std::int64_t>& values) {
  for (std::size_t i = values.size(); i-- > 1;) values[i - 1] = std::min(values[i - 1], values[i]);
}

}  // namespace

void info_pool::reset(const history_items& history) {
  classes_.clear();
  acquires_.clear();
  on_.clear();
  to_.clear();
  observers_.clear();
  mentioned_.clear();
  anonymous_ = hidden_ = {};
  table_.assign(1, {});
  limit_ = table_limit;
  position_ = 0;
  any_transfer_ = false;
  if (!history.infos) return;
  for (std::uint32_t index : history.calls) {
    const auto& item = history.items[index];
    any_transfer_ |= item.optional && item.op == lease_op::transfer;
  }
  find_observers(history);
}

void info_pool::find_observers(const history_items& history) {
  const auto note = [](observer_list& list, std::uint32_t position, std::int64_t called) {
    list.position.push_back(position);
    list.first_call.push_back(called);
  };
  std::unordered_set<std::int64_t> named;  // tokens of records that earlier answers name
  for (std::uint32_t at = 0; at < history.returns.size(); ++at) {
    const auto& item = history.items[history.returns[at]];
    if (yes_observes(item)) note(observers_[item.owner], at, item.called);
    if (item.may_no && item.need == no_needs::this_owner) {
      note(observers_[item.no_owner], at, item.called);
    }
    if (item.may_no && item.need == no_needs::someone) note(anonymous_, at, item.called);
    if (item.claims_token && names_a_record(item)) {
      named.insert(item.token);
    } else if (item.claims_token && !named.contains(item.token)) {
      note(hidden_, at, item.called);
    }
    mentioned_[item.owner] = at;
    mentioned_[item.result] = at;
    if (item.may_no) mentioned_[item.no_owner] = at;
  }
  for (auto& [owner, list] : observers_) suffix_minima(list.first_call);
  suffix_minima(anonymous_.first_call);
  suffix_minima(hidden_.first_call);
}

void info_pool::open(const history_item& item) {
  for (class_id id : on(item.owner)) {
    if (!same_effect(classes_[id], item)) continue;
    classes_[id].called.push_back(item.called);
    return;
  }
  const auto id = static_cast<class_id>(classes_.size());
  classes_.push_back({item.op, item.owner, item.result, item.reach, {item.called}, 0, 0});
  find_stronger(id);
  on_[item.owner].push_back(id);
  if (item.op == lease_op::acquire && !retired(classes_[id], {})) acquires_.push_back(id);
  if (item.op == lease_op::acquire || item.op == lease_op::transfer) to_[item.result].push_back(id);
}

const std::vector<class_id>& info_pool::on(lease_owner owner) const {
  static const std::vector<class_id> none;
  const auto found = on_.find(owner);
  return found == on_.end() ? none : found->second;
}

bool info_pool::can_make(lease_owner owner) const {
  const auto found = to_.find(owner);
  return found != to_.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](class_id id) { return classes_[id].spent < classes_[id].called.size(); });
}

bool info_pool::seen(observer_list& list, std::int64_t last) const {
  while (list.at < list.position.size() && list.position[list.at] < position_) ++list.at;
  return list.at < list.position.size() && list.first_call[list.at] <= last;
}

bool info_pool::observed(lease_owner owner, std::int64_t last) {
  if (seen(anonymous_, last) || token_unexplained()) return true;
  const auto found = observers_.find(owner);
  if (found != observers_.end() && seen(found->second, last)) return true;
  // Handed on by another info operation it may be seen under the next name.
  const auto& next = on(owner);
  return std::any_of(next.begin(), next.end(),
                     [&](class_id id) { return classes_[id].op == lease_op::transfer; });
}

std::uint32_t info_pool::intern(info_uses uses) {
  const auto found = std::find(table_.begin(), table_.end(), uses);
  if (found != table_.end()) return static_cast<std::uint32_t>(found - table_.begin());
  table_.push_back(std::move(uses));
  return static_cast<std::uint32_t>(table_.size() - 1);
}

std::uint32_t info_pool::add_use(std::uint32_t uses, class_id of) {
  info_uses more = table_[uses];
  const auto place = std::lower_bound(more.begin(), more.end(), of,
                                      [](const info_use& a, class_id b) { return a.of < b; });
  if (place != more.end() && place->of == of) {
    ++place->count;
  } else {
    more.insert(place, {of, 1});
  }
  return intern(std::move(more));
}

std::int64_t info_pool::next_call(std::uint32_t uses, class_id of) const {
  const std::size_t next = classes_[of].spent + count(uses, of);
  return next < classes_[of].called.size() ? classes_[of].called[next] : never_returned;
}

std::uint32_t info_pool::count(std::uint32_t uses, class_id of) const {
  for (const auto& use : table_[uses]) {
    if (use.of == of) return use.count;
  }
  return 0;
}

bool info_pool::no_more(std::uint32_t a, std::uint32_t b) const {
  if (a == b || a == 0) return true;
  for (const auto& use : table_[a]) {
    const std::uint32_t other = count(b, use.of);
    if (use.count <= other) continue;
    const class_id stronger = classes_[use.of].stronger;
    if (stronger == 0) return false;
    if (count(a, stronger - 1) + (use.count - other) > count(b, stronger - 1)) return false;
  }
  return true;
}

std::uint32_t info_pool::weight(std::uint32_t uses) const {
  std::uint32_t sum = 0;
  for (const auto& use : table_[uses]) {
    sum += use.count * (classes_[use.of].op == lease_op::acquire ? 2 : 1);
  }
  return sum;
}

// A renewal and an acquire of one owner and ttl. Where one explanation spent the acquire and
// another the renewal, the first had it at an instant not before the acquire's call; so whatever
// the first still does with the renewal, the second does with the acquire.
void info_pool::find_stronger(class_id added) {
  for (class_id other : on(classes_[added].owner)) {
    auto& a = classes_[added];
    auto& b = classes_[other];
    if (a.reach != b.reach) continue;
    if (a.op == lease_op::renew && b.op == lease_op::acquire) a.stronger = other + 1;
    if (b.op == lease_op::renew && a.op == lease_op::acquire) b.stronger = added + 1;
  }
}

std::uint32_t info_pool::mentioned_last(lease_owner owner) const {
  const auto found = mentioned_.find(owner);
  return found == mentioned_.end() ? 0 : found->second;
}

bool info_pool::retired(const info_class& of, const std::vector<lease_owner>& owners) const {
  if (any_transfer_ || !anonymous_.position.empty() || !hidden_.position.empty()) return false;
  return mentioned_last(of.owner) < position_ &&
         std::find(owners.begin(), owners.end(), of.owner) == owners.end();
}

void info_pool::compact(const std::vector<std::uint32_t*>& held,
                        const std::vector<lease_owner>& owners) {
  if (held.empty()) return;
  const auto drop_retired = [&](std::vector<class_id>& ids) {
    std::erase_if(ids, [&](class_id id) { return retired(classes_[id], owners); });
  };
  drop_retired(acquires_);
  info_uses shared = table_[*held[0]];
  for (const auto* uses : held) {
    for (auto& use : shared) {
      const auto& other = table_[*uses];
      const auto same = std::find_if(other.begin(), other.end(),
                                     [&](const info_use& x) { return x.of == use.of; });
      use.count = same == other.end() ? 0 : std::min(use.count, same->count);
    }
  }
  const auto old = std::move(table_);
  table_.assign(1, {});
  for (auto* uses : held) {
    info_uses rest;
    for (auto use : old[*uses]) {
      for (const auto& common : shared) {
        if (common.of == use.of) use.count -= common.count;
      }
      if (use.count > 0 && !retired(classes_[use.of], owners)) rest.push_back(use);
    }
    *uses = intern(std::move(rest));
  }
  for (const auto& common : shared) classes_[common.of].spent += common.count;
  limit_ = std::max(table_limit, 2 * table_.size());
}

}  // namespace leaselab::properties
