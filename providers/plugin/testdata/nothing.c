// It has the version, and none of the operations.
#include "lease_plugin.h"

LEASE_PLUGIN;
