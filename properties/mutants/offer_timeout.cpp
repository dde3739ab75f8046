// N10: an offer that is not answered in time counts as refused.
//
// A offers a signal to B, and B's verdicts are lost or B is paused. A takes the signal back and
// runs it; B has it, too, and runs it.
#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {
namespace {

class silence_is_refusal final : public sim::offers {
 public:
  using sim::offers::offers;

 protected:
  void give_up(sim::process_slot& process, const open_offer& offered) override {
    const open_offer given_up = offered;
    close(given_up.from, given_up.signal);
    world_.runtimes.note(sim::event_kind::signal_refused, process, given_up.signal,
                         given_up.number);
    world_.runtimes.returned(process, given_up.signal);
  }
};

}  // namespace

mutant timeout_as_refusal() {
  return of_clients({"N10",
                     "a time-out of an offer counts as refused",
                     "a signal whose offer got no verdict in time is routed elsewhere, though it "
                     "may have been accepted: it begins twice",
                     {"signal.once"}},
                    "redis", std::make_shared<with_offers<silence_is_refusal>>());
}

}  // namespace leaselab::properties::mutations
