#include "sim/redis/clock_shim.hpp"

// The build says where it has put the shared object.
asm(".pushsection .rodata\n"
    "leaselab_clock_shim_begin:\n"
    ".incbin \"" LEASELAB_CLOCK_SHIM
    "\"\n"
    "leaselab_clock_shim_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char leaselab_clock_shim_begin[], leaselab_clock_shim_end[];

namespace leaselab::sim::redis {

std::string_view clock_shim() {
  return {leaselab_clock_shim_begin,
          static_cast<std::size_t>(leaselab_clock_shim_end - leaselab_clock_shim_begin)};
}

}  // namespace leaselab::sim::redis
