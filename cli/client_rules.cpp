#include "cli/client_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace leaselab::cli {
namespace {

using sim::verb;

// What one token of one key has been used for so far.
struct token_use {
  std::optional<std::pair<sim::process_id, std::uint8_t>> user;
  std::optional<std::int64_t> ttl_ms;
  bool given_up = false;
};

class token_rules {
 public:
  void see(const sim::call_record& call) {
    switch (call.what) {
      case verb::acquire:
      case verb::renew:
        return ask(call, call.owner);
      case verb::transfer:
        give_up(call);
        return ask(call, call.to);
      case verb::release:
        return give_up(call);
      case verb::write:
        return use(call, at(call, call.owner));
      case verb::get:
      case verb::close:
        return;
    }
  }
  bool kept() const { return kept_; }

 private:
  token_use& at(const sim::call_record& call, sim::owner_id owner) {
    return tokens_[{call.key, owner}];
  }

  void use(const sim::call_record& call, token_use& token) {
    const std::pair user{call.process, call.incarnation};
    if (!token.user) token.user = user;
    kept_ &= *token.user == user;
  }

  void ask(const sim::call_record& call, sim::owner_id owner) {
    token_use& token = at(call, owner);
    use(call, token);
    kept_ &= !token.given_up;
    if (!token.ttl_ms) token.ttl_ms = call.ttl_ms;
    kept_ &= *token.ttl_ms == call.ttl_ms;
  }

  void give_up(const sim::call_record& call) {
    token_use& token = at(call, call.owner);
    use(call, token);
    token.given_up = true;
  }

  std::map<std::pair<sim::key_id, sim::owner_id>, token_use> tokens_;
  bool kept_ = true;
};

}  // namespace

bool keeps_client_rules(const sim::run_record& run, const sim::plan& value) {
  token_rules rules;
  for (const auto& call : run.calls) rules.see(call);
  const bool guarded = std::all_of(
      value.calls.begin(), value.calls.end(),
      [](const sim::call_spec& call) { return call.what != verb::write || call.guarded; });
  return rules.kept() && guarded;
}

}  // namespace leaselab::cli
