#include "sim/errands_sim.hpp"

#include <utility>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

class errands_sim final : public errands {
 public:
  explicit errands_sim(core& world) : world_(world) {}
  std::uint32_t caller() const override { return world_.current; }
  void act_for(std::uint32_t call) override { world_.current = call; }
  void over(std::shared_ptr<const bool> line) override { world_.line = std::move(line); }

 private:
  core& world_;
};

}  // namespace

// A world hands itself out as its backend's clock.
std::unique_ptr<errands> errands_of(const host& where) {
  return std::make_unique<errands_sim>(dynamic_cast<core&>(where.backend_clock));
}

}  // namespace leaselab::sim
