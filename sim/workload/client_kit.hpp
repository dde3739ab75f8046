// The parts of a world that are its clients, and how they are made: the correct ones, or, where a
// variant brings a kit of its own, others in the place of some.
#pragma once

#include <memory>

namespace leaselab::sim {

struct core;
struct variant;
class client;
class offers;
class resource;
class signals_runtime;

class client_kit {
 public:
  virtual ~client_kit() = default;
  virtual std::unique_ptr<client> make_client(core& world) const;
  virtual std::unique_ptr<resource> make_resource(core& world) const;
  virtual std::unique_ptr<signals_runtime> make_runtime(core& world) const;
  virtual std::unique_ptr<offers> make_offers(core& world) const;
  // Of the machines that they run on: whether a process's clocks stand in each of its pauses, even
  // where the plan does not say so.
  virtual bool clocks_stand_in_pauses() const { return false; }
};

const client_kit& kit_of(const variant& value);

}  // namespace leaselab::sim
