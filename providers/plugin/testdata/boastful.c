// A plugin that declares what there is not.
#include "lease_plugin.h"

LEASE_PLUGIN;

lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key) {
  (void)call;
  (void)key;
  return LEASE_NO;
}

const lease_declaration* lease_plugin_declare(void) {
  static const lease_declaration declared = {.size = sizeof declared, .scope = "world"};
  return &declared;
}
