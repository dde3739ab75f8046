// A plugin built against a later copy of the header, which uses what the host has and nothing more.
#include "newer/lease_plugin.h"

#define set_owner name_owner
#define lease_plugin_get_lease_owner plain_get_lease_owner
// It is the header for the sample, too: both have the same guard.
#include "../samples/script_lease.c"
#undef lease_plugin_get_lease_owner

LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key) {
  if (call->host->size >= offsetof(lease_host, hint) + sizeof call->host->hint) {
    call->host->hint(call, 1);
  }
  return plain_get_lease_owner(call, key);
}
