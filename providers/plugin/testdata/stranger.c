// A library that is no plugin.
int lease_plugin_acquire_lease(void) { return 1; }
