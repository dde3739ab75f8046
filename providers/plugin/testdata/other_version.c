// Built for another version of the header.
#include <stdint.h>
const uint32_t lease_plugin_version = 2u << 16;
