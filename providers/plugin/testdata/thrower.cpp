// A plugin in C++: exceptions that are handled while a call is put aside, and one that gets away.
#include <stdexcept>
#include <string>

#include "lease_plugin.h"

LEASE_PLUGIN;

// Waits inside a handler, and then looks at what it is handling.
lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text, lease_text owner, int64_t) {
  const std::string mine(owner.data, owner.size);
  std::string seen;
  try {
    throw std::runtime_error(mine);
  } catch (const std::exception&) {
    call->host->sleep(call, 1000);
    try {
      throw;  // whatever the runtime takes for the present one
    } catch (const std::exception& error) {
      seen = error.what();
    }
  }
  return seen == mine ? LEASE_YES : LEASE_NO;
}

lease_outcome lease_plugin_release_lease(lease_call*, lease_text, lease_text) {
  throw std::runtime_error("oh dear");
}

lease_outcome lease_plugin_get_lease_owner(lease_call*, lease_text) { return LEASE_NO; }

lease_outcome lease_plugin_renew_lease(lease_call*, lease_text, lease_text, int64_t) {
  return LEASE_YES;
}

lease_outcome lease_plugin_transfer_lease(lease_call*, lease_text, lease_text, lease_text,
                                          int64_t) {
  return LEASE_YES;
}
