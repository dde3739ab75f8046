// The sample with a release that looks at nobody.
#define lease_plugin_release_lease careful_release_lease
#include "../samples/script_lease.c"
#undef lease_plugin_release_lease

LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_release_lease(lease_call* call, lease_text key,
                                                             lease_text owner) {
  const lease_reply* reply = NULL;
  lease_text words[2] = {text("DEL"), record_of(call, key)};
  if (!is_lawful(key, owner, 1)) return fail(call, LEASE_INVALID_ARGUMENT, text("no name"));
  return send(call, words, 2, &reply);
}
