// The checker against its reference, which tries every order and every instant.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "properties/testing/brute_force.hpp"
#include "properties/testing/small_histories.hpp"

namespace leaselab::properties::testing {
namespace {

// Ranges of rapidcheck grow with its size; small ones should be whole from the start.
rc::Gen<int> among(int low, int high) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

struct shape {
  int owners = 3, ttl = -1, span = 12;  // ttl -1: each its own
  int infos = 1, damages = 0;           // how many in ten
  bool whole = false;                   // everything is claimed
};

rc::Gen<sketch> sketches(const shape& of) {
  return rc::gen::map(rc::gen::container<std::vector<int>>(11, among(0, 5039)),
                      [of](const std::vector<int>& raw) {
                        sketch made;
                        const int ops[] = {0, 0, 0, 1, 1, 2, 3, 4};
                        made.op = ops[raw[0] % 8];
                        made.owner = 1 + raw[1] % of.owners;
                        made.to = 1 + raw[2] % of.owners;
                        made.ttl = of.ttl >= 0 ? of.ttl : raw[3] % 7;
                        made.called = raw[4] % of.span;
                        made.lasts = raw[5] % 8;
                        made.effect = raw[6] % (made.lasts + 1);
                        made.fate = raw[7] % 10 < of.infos ? raw[7] / 10 % 3 : 9;
                        made.claims = of.whole ? 7 : raw[8] % 8;
                        made.damage = raw[9] % 10 < of.damages ? 1 + raw[10] % 3 : 0;
                        return made;
                      });
}

void agrees_with_the_reference(const shape& of) {
  sketched_world world;
  world.granule = *among(1, 3);
  world.phase = *among(0, 2);
  world.reading = *among(0, 1) == 0 ? expiry_reading::at : expiry_reading::after;
  world.sketches = *rc::gen::resize(6, rc::gen::container<std::vector<sketch>>(sketches(of)));
  const auto made = make_history(world);
  const auto wanted =
      brute_force(made, world.granule, world.phase, world.reading).shortest_bad_prefix();
  const auto reading = world.reading == expiry_reading::at ? reading_of::at : reading_of::after;
  const auto result = history_checker().check(made, {reading});
  RC_CLASSIFY(wanted > 0, "violated");
  RC_ASSERT(result.value == (wanted > 0 ? verdict::violated : verdict::holds));
  RC_ASSERT(result.prefix == wanted);
  if (of.damages == 0) RC_ASSERT(wanted == 0u);
}

RC_GTEST_PROP(history_checker_property, correct_histories_hold, ()) {
  agrees_with_the_reference({});
}
RC_GTEST_PROP(history_checker_property, correct_histories_of_one_ttl_hold, ()) {
  agrees_with_the_reference({.owners = 2, .ttl = *among(1, 6), .whole = true});
}
RC_GTEST_PROP(history_checker_property, damaged_histories, ()) {
  agrees_with_the_reference({.damages = 2});
}
RC_GTEST_PROP(history_checker_property, damaged_histories_of_one_ttl, ()) {
  agrees_with_the_reference({.owners = 2, .ttl = *among(1, 6), .damages = 2, .whole = true});
}
RC_GTEST_PROP(history_checker_property, many_info_calls, ()) {
  agrees_with_the_reference({.owners = 2, .infos = 6, .damages = 3});
}
RC_GTEST_PROP(history_checker_property, many_info_calls_of_one_ttl, ()) {
  agrees_with_the_reference({.owners = 2, .ttl = *among(0, 6), .infos = 6, .damages = 3});
}
RC_GTEST_PROP(history_checker_property, locks, ()) {
  agrees_with_the_reference({.ttl = 0, .infos = 3, .damages = 2});
}

}  // namespace
}  // namespace leaselab::properties::testing
