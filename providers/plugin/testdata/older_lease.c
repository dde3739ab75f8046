// A plugin built against an older copy of the header.
#include "older/lease_plugin.h"
// It is the header for the sample, too: both have the same guard.
#include "../samples/memory_lease.c"
