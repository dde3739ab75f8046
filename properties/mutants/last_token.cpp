// N11: the resource remembers the last token that it has seen instead of the highest.
//
// A writes under token 1 and is paused, its clock with it. B writes under token 2. A resumes: its
// first write is refused, and remembered; its second one is accepted.
#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {
namespace {

class remembers_the_last final : public sim::resource {
 public:
  using sim::resource::resource;

 protected:
  void remember(std::uint64_t& known, std::uint64_t token) const override { known = token; }
};

}  // namespace

mutant last_token_remembered() {
  return of_clients({"N11",
                     "the resource remembers the last token",
                     "the fenced resource compares a write's token with the last one that it has "
                     "seen, not with the highest: the second stale write is accepted",
                     {"single_owner.fenced"}},
                    "redis-fenced", std::make_shared<with_resource<remembers_the_last>>());
}

}  // namespace leaselab::properties::mutations
