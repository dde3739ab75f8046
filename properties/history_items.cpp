#include "properties/history_items.hpp"

#include <algorithm>
#include <numeric>

namespace leaselab::properties {
namespace {

bool is_optional(const history_operation& operation) {
  return operation.ended == outcome::info || operation.returned == never_returned;
}

// What has neither effect nor claim.
bool is_idle(const history_operation& operation) {
  if (operation.ended == outcome::fail) return true;
  if (operation.call.op != lease_op::get) return false;
  return is_optional(operation) || (!operation.claims_holder && !operation.claims_token);
}

lease_owner owner_after_yes(const lease_call& call) {
  if (call.op == lease_op::release || call.op == lease_op::get) return 0;
  return call.op == lease_op::transfer ? call.to : call.owner;
}

void read_denial(const history_operation& operation, history_item& item) {
  item.need = item.op == lease_op::acquire ? no_needs::someone
              : item.op == lease_op::get   ? no_needs::anything
                                           : no_needs::not_self;
  if (!operation.claims_holder) return;
  item.need = operation.holder == 0 ? no_needs::free : no_needs::this_owner;
  item.no_owner = operation.holder;
  if (item.op == lease_op::get) return;
  // A no while the caller itself is live is none, and only a live record denies an acquire.
  if (operation.holder == item.owner) item.may_no = false;
  if (operation.holder == 0 && item.op == lease_op::acquire) item.may_no = false;
}

std::int64_t reach_of(const lease_call& call, expiry_reading reading) {
  if (call.ttl >= no_expiry) return no_expiry;
  return reading == expiry_reading::at ? call.ttl - 1 : call.ttl;
}

history_item read(const history_operation& operation, expiry_reading reading) {
  history_item item;
  item.op = operation.call.op;
  item.owner = operation.call.owner;
  item.result = owner_after_yes(operation.call);
  item.reach = reach_of(operation.call, reading);
  item.called = operation.called_granule;
  item.optional = is_optional(operation);
  if (item.optional) {
    item.may_yes = true;
    return item;
  }
  item.returned = operation.returned_granule;
  item.claims_token = operation.claims_token;
  item.token = static_cast<std::int64_t>(operation.token);
  item.may_yes = item.op != lease_op::get && operation.answer != claim_of::no;
  item.may_no = item.op == lease_op::get || operation.answer != claim_of::yes;
  if (item.may_yes && operation.claims_holder) item.may_yes = operation.holder == item.result;
  if (item.may_no) read_denial(operation, item);
  return item;
}

bool sets_deadline(lease_op op) { return op != lease_op::get && op != lease_op::release; }

}  // namespace

void history_items::build(std::span<const history_operation> operations, expiry_reading reading,
                          bool deadlines) {
  items.clear();
  calls.clear();
  returns.clear();
  tokens = infos = false;
  least_reach = no_expiry;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    items.push_back(read(operations[i], reading));
    if (is_idle(operations[i])) continue;
    calls.push_back(i);
    if (!items[i].optional) returns.push_back(i);
    infos |= items[i].optional;
    tokens |= items[i].claims_token;
    if (sets_deadline(items[i].op)) least_reach = std::min(least_reach, items[i].reach);
  }
  if (least_reach == no_expiry || !deadlines) {
    for (auto& item : items) item.called = item.returned = 0;
  }
  if (!deadlines) {
    least_reach = 0;
    for (auto& item : items) item.reach = 0;
  }
  const auto by = [&](auto member) {
    return [&operations, member](std::uint32_t a, std::uint32_t b) {
      const auto& x = operations[a];
      const auto& y = operations[b];
      return x.*member != y.*member ? x.*member < y.*member : a < b;
    };
  };
  // Histories come sorted by call as a rule.
  const auto by_call = by(&history_operation::called);
  if (!std::is_sorted(calls.begin(), calls.end(), by_call)) {
    std::sort(calls.begin(), calls.end(), by_call);
  }
  std::sort(returns.begin(), returns.end(), by(&history_operation::returned));
}

}  // namespace leaselab::properties
