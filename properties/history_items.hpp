// The operations of a history in the checker's own form: what each may have done, given what it
// claims. Internal to the checker.
#pragma once

#include <span>
#include <vector>

#include "properties/history_checker.hpp"

namespace leaselab::properties {

// What the record must be for an operation that changed nothing.
enum class no_needs : std::uint8_t {
  anything,    // a get that claims no holder
  not_self,    // no live record of the caller: renew, release, transfer answered no
  someone,     // a live record of anybody but the caller: a denial that names nobody
  this_owner,  // a live record of `no_owner`
  free,        // no live record
};

struct history_item {
  lease_op op = lease_op::get;
  bool may_yes = false;  // it may have changed the record
  bool may_no = false;   // it may have changed nothing
  bool claims_token = false;
  bool optional = false;  // info
  no_needs need = no_needs::anything;
  lease_owner owner = 0;
  lease_owner result = 0;  // the owner after a yes
  lease_owner no_owner = 0;
  std::int64_t token = 0;
  std::int64_t reach = 0;   // a record set at granule x is live until x + reach, that one included
  std::int64_t called = 0;  // granules
  std::int64_t returned = never_returned;
};

struct history_items {
  std::vector<history_item> items;     // by input index; dropped operations are left out of events
  std::vector<std::uint32_t> calls;    // input indices by call instant
  std::vector<std::uint32_t> returns;  // of the `ok` ones, by return instant
  bool tokens = false;                 // some operation claims one
  bool infos = false;
  std::int64_t least_reach = no_expiry;  // of all that set a deadline

  // `reading` is not `any`. Where nothing ever expires (locks), or anything at any time (not
  // `deadlines`), no granule matters: all are 0.
  void build(std::span<const history_operation> operations, expiry_reading reading, bool deadlines);
};

}  // namespace leaselab::properties
