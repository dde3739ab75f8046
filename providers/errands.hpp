// On whose behalf code runs. A host whose children mix what they do for several calls says whom its
// next trip or sleep is for; nobody else has to.
#pragma once

#include <cstdint>
#include <memory>

namespace leaselab {

class errands {
 public:
  virtual ~errands() = default;
  // The call that the present event belongs to.
  virtual std::uint32_t caller() const = 0;
  // Holds until the present event is over.
  virtual void act_for(std::uint32_t call) = 0;
  // The next trip goes over a connection that the host may close, and then says so: by true.
  virtual void over(std::shared_ptr<const bool> line) = 0;
};

}  // namespace leaselab
