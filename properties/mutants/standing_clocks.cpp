// N13: a margin that covers slow clocks, and one that covers clocks that stand, are not one that
// covers both.
//
// The margin is 0.41, so belief lasts 0.59 ttl by the client's clock: 0.99 ttl where that stands
// for 0.4 ttl, 0.602 ttl where it runs at 0.98, and 1.002 ttl where it does both.
#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {
namespace {

class stands_in_pauses final : public sim::client_kit {
 public:
  bool clocks_stand_in_pauses() const override { return true; }
};

}  // namespace

mutant clocks_stand_and_are_slow() {
  auto value = of_clients(
      {"N13", "a margin for slow clocks, and clocks that stand as well",
       "clocks run at 0.98 at least and stand in pauses, 0.4 ttl in all at most, under a margin "
       "of 0.41: each is safe alone, and both together outlast the lease",
       and_what_follows({"single_owner.belief"})},
      "memory", std::make_shared<stands_in_pauses>());
  value.variant.clocks = sim::clock_bounds{
      .margin_ppm = 410'000, .least_rate_ppb = 980'000'000, .standing_ppm = 400'000};
  return value;
}

}  // namespace leaselab::properties::mutations
