// A plugin that does as its key says, for tests of the host.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lease_plugin.h"

LEASE_PLUGIN;

LEASE_PLUGIN_EXPORT int probe_instances = 0;

void* lease_plugin_create(const lease_setup* setup) {
  ++probe_instances;
  return calloc(1, setup->size);
}

void lease_plugin_destroy(void* instance) {
  --probe_instances;
  free(instance);
}

static int is(lease_text text, const char* word) {
  return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

static lease_text text(const char* from) {
  lease_text out = {from, strlen(from)};
  return out;
}

static lease_outcome say(lease_call* call, const char* what) {
  call->host->set_owner(call, text(what));
  return LEASE_NO;
}

static lease_outcome tell_clocks(lease_call* call) {
  const lease_host* const host = call->host;
  char out[200];
  snprintf(out, sizeof out, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 " %" PRId64 " %.*s",
           host->monotonic_ns(call), host->wall_ns(call), host->host_ms(call), host->random(call),
           call->limit_ns, (int)call->prefix.size, call->prefix.data);
  return say(call, out);
}

static void describe(const lease_reply* reply, char* out, size_t size) {
  const size_t used = strlen(out);
  size_t i;
  switch (reply->kind) {
    case LEASE_REPLY_NIL:
      snprintf(out + used, size - used, "nil ");
      break;
    case LEASE_REPLY_INTEGER:
      snprintf(out + used, size - used, "%" PRId64 " ", reply->integer);
      break;
    case LEASE_REPLY_ARRAY:
      snprintf(out + used, size - used, "[ ");
      for (i = 0; i < reply->count; ++i) describe(reply->items[i], out, size);
      strncat(out, "] ", size - strlen(out) - 1);
      break;
    default:
      snprintf(out + used, size - used, "%d'%.*s' ", reply->kind, (int)reply->text.size,
               reply->text.data);
  }
}

static lease_outcome tell_replies(lease_call* call) {
  const lease_reply *first = NULL, *second = NULL;
  lease_text words[2] = {text("GET"), text("k")};
  char* const out = call->host->memory(call, 1000);
  lease_outcome end = call->host->command(call, words, 2, &first);
  if (end != LEASE_YES) return end;
  end = call->host->command(call, words, 1, &second);
  if (end != LEASE_YES) return end;
  describe(first, out, 1000);
  describe(second, out, 1000);
  return say(call, out);
}

static volatile int endless = 1;

static int fill_stack(volatile char* above) {
  volatile char here[1000];
  here[0] = (char)(*above + 1);
  return endless ? fill_stack(here) + here[0] : 0;
}

lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text key, lease_text owner,
                                         int64_t ttl_ms) {
  (void)owner;
  if (is(key, "clocks")) return tell_clocks(call);
  if (is(key, "replies")) return tell_replies(call);
  if (is(key, "sleep")) call->host->sleep(call, ttl_ms * 1000000 + 500000);
  if (is(key, "no words")) call->host->command(call, NULL, 0, NULL);
  if (is(key, "no such error")) call->host->set_error(call, 99, text(""));
  if (is(key, "outcome")) return 7;
  if (is(key, "busy")) {
    call->host->set_error(call, LEASE_BUSY, text("later"));
    return LEASE_INFO;
  }
  if (is(key, "null")) *(volatile int*)call->limit_ns = 1;
  if (is(key, "abort")) abort();
  if (is(key, "endless")) {
    while (endless) continue;
  }
  if (is(key, "full")) return fill_stack((volatile char*)&key);
  if (is(key, "other call")) call->host->random(NULL);
  return LEASE_YES;
}

lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key) {
  return is(key, "step") ? call->host->step(call) : LEASE_YES;
}

lease_outcome lease_plugin_renew_lease(lease_call* call, lease_text key, lease_text owner,
                                       int64_t ttl_ms) {
  (void)key;
  (void)owner;
  (void)ttl_ms;
  call->host->set_token(call, 4);
  return call->limit_ns == INT64_C(10000000) ? LEASE_YES : LEASE_NO;
}
