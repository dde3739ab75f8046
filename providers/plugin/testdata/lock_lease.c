// The sample without two of its operations: a lock.
#define lease_plugin_get_lease_owner unexported_get_lease_owner
#define lease_plugin_transfer_lease unexported_transfer_lease
#include "../samples/script_lease.c"
