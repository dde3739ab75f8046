// The parts of shrink_plan: what all reductions are made of, and those of runtimes. A reduction is
// a sequence of plans that are one step simpler.
#pragma once

#include <rapidcheck/Seq.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Operations.h>
#include <rapidcheck/seq/Transform.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/plan.hpp"

namespace leaselab::properties {

using plans = rc::Seq<sim::plan>;
using reduction = plans (*)(const sim::plan&);

// The plan after `change`, if that changes anything worth a run.
template <class Change>
void propose(std::vector<sim::plan>& all, const sim::plan& value, Change change) {
  sim::plan simpler = value;
  if (change(simpler)) all.push_back(std::move(simpler));
}

template <class T>
bool become(T& member, const T& plain) {
  if (member == plain) return false;
  member = plain;
  return true;
}

// Shorter, in whole milliseconds where it was not.
rc::Seq<std::int64_t> shorter(std::int64_t length);

// All the shorter values of one member of one element of a list of the plan.
template <class Element, class Member>
plans shorter_member(const sim::plan& value, std::vector<Element> sim::plan::*list, std::size_t i,
                     Member Element::*member) {
  return rc::seq::map(shorter(((value.*list)[i]).*member),
                      [value, list, i, member](std::int64_t length) {
                        sim::plan simpler = value;
                        ((simpler.*list)[i]).*member = length;
                        return simpler;
                      });
}

// Of plans with signals; of others nothing.
plans end_within(const sim::plan& value);
plans stricter_client(const sim::plan& value);
plans no_phases(const sim::plan& value);
plans less_time(const sim::plan& value);
plans shorter_signals(const sim::plan& value);
plans moved_signals(const sim::plan& value);
plans later_signals(const sim::plan& value);
plans later_decisions(const sim::plan& value);

// How many policies are not the strict client's.
std::int64_t loose_policies(const sim::client_policy& value);

}  // namespace leaselab::properties
