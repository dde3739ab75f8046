// What mutants of clients are made with: a correct provider under its own name's promises, whose
// processes run a client, a runtime, offers or a resource with one part overridden.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/mutants/making.hpp"
#include "sim/core.hpp"

namespace leaselab::properties::mutations {

template <class Client, class Kit = sim::client_kit>
class with_client : public Kit {
 public:
  std::unique_ptr<sim::client> make_client(sim::core& world) const override {
    return std::make_unique<Client>(world);
  }
};

template <class Runtime, class Kit = sim::client_kit>
class with_runtime : public Kit {
 public:
  std::unique_ptr<sim::signals_runtime> make_runtime(sim::core& world) const override {
    return std::make_unique<Runtime>(world);
  }
};

template <class Offers>
class with_offers : public sim::client_kit {
 public:
  std::unique_ptr<sim::offers> make_offers(sim::core& world) const override {
    return std::make_unique<Offers>(world);
  }
};

template <class Resource>
class with_resource : public sim::client_kit {
 public:
  std::unique_ptr<sim::resource> make_resource(sim::core& world) const override {
    return std::make_unique<Resource>(world);
  }
};

// A mutant of the clients on the variant `base`. `policy`: what its runtimes and the unmutated ones
// live by, as on the command line.
mutant of_clients(description text, std::string base, std::shared_ptr<const sim::client_kit> kit,
                  std::string_view policy = "strict");

// What else follows where a client goes on after its lease has ended: it works without one, and
// beside the next holder.
std::vector<std::string> and_what_follows(std::vector<std::string> own);

}  // namespace leaselab::properties::mutations
