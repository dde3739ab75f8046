#include "properties/mutants/client_making.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/builtin.hpp"

namespace leaselab::properties::mutations {

mutant of_clients(description text, std::string base, std::shared_ptr<const sim::client_kit> kit,
                  std::string_view policy) {
  const auto* const provider = find_variant(base);
  if (!provider) throw std::logic_error("there is no provider " + base);
  mutant value = told(std::move(text), std::move(base));
  value.variant = *provider;
  value.variant.name = "mutant:" + value.id;
  value.variant.about = value.name;
  value.variant.clients = std::move(kit);
  if (policy != "strict") value.variant.policy = sim::parse_client(policy);
  return value;
}

std::vector<std::string> and_what_follows(std::vector<std::string> own) {
  for (const auto* const one : {"single_owner.belief", "single_owner.effect", "run.covered",
                                "run.serialized", "loss.noticed"}) {
    if (std::find(own.begin(), own.end(), one) == own.end()) own.emplace_back(one);
  }
  return own;
}

}  // namespace leaselab::properties::mutations
