// The guarded resource: holders make work steps on it, at once where it is local, over the network
// where it is remote; a fenced one refuses a token lower than the highest it has seen.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/process.hpp"

namespace leaselab::sim {

struct core;

class resource {
 public:
  explicit resource(core& world) : world_(world) {}
  virtual ~resource() = default;
  void begin();

  // The first work step of a `write` call, at once; the others follow as events.
  void open_span(call_index call);
  void next_step(const pending& event);  // work
  void land(const pending& event);       // landing

  struct work_step {
    process_id process = 0;
    std::uint8_t incarnation = 0;
    key_id key = 0;
    owner_id owner = nobody;
    std::uint64_t fence = 0;
    std::int64_t span = 0;  // a call, or a runtime's signal
  };
  // Makes the step at once, or sends it on its way under the name `landing`.
  void perform(const work_step& step, label landing, std::uint32_t rank);

 protected:
  // A write under `token` has come; `known` is what the next one is compared with.
  virtual void remember(std::uint64_t& known, std::uint64_t token) const;

 private:
  bool allowed(call_index call);
  void make_step(call_index call, std::uint16_t number);
  void accept(const work_step& step);
  void note(event_kind what, const work_step& step);

  core& world_;
  std::vector<work_step> in_flight_;
  std::vector<std::uint64_t> highest_;  // by key
};

}  // namespace leaselab::sim
