// N09: one token for all leases of a process.
//
// A's release is held up. A acquires again, under the same name, and works. Then the release lands.
#include "properties/mutants/client_making.hpp"
#include "properties/mutants/list.hpp"

namespace leaselab::properties::mutations {
namespace {

class one_token_each final : public sim::signals_runtime {
 public:
  using sim::signals_runtime::signals_runtime;

 protected:
  std::string token_text(const seat& at, const queued&) override {
    return world_plan().processes[at.process].name + "#" +
           std::to_string(process_of(at).incarnation);
  }
};

class knows_its_token_again final : public sim::client {
 public:
  using sim::client::client;

 protected:
  bool reuses_tokens() const override { return true; }
};

}  // namespace

mutant token_is_reused() {
  return of_clients(
      {"N09", "a token for each process, not for each lease",
       "every lease of a process bears the same token: a release that lands late frees the "
       "process's own later lease",
       and_what_follows({"run.covered"})},
      "redis",
      std::make_shared<with_runtime<one_token_each, with_client<knows_its_token_again>>>());
}

}  // namespace leaselab::properties::mutations
