// A lease in the memory of one host, shared by the processes there: dead at its deadline.
#include <stdlib.h>
#include <string.h>

#include "lease_plugin.h"

LEASE_PLUGIN;

typedef struct record {
  struct record* next;
  char *key, *owner;
  size_t key_size, owner_size;
  int64_t deadline_ms;
} record;

typedef struct table {
  record* first;
} table;

static char* copy_of(lease_text from) {
  char* const out = malloc(from.size + 1);
  memcpy(out, from.data, from.size);
  out[from.size] = 0;
  return out;
}

static lease_outcome invalid(lease_call* call) {
  static const char why[] = "empty name or ttl out of range";
  lease_text text = {why, sizeof why - 1};
  call->host->set_error(call, LEASE_INVALID_ARGUMENT, text);
  return LEASE_FAIL;
}

static int is_lawful(lease_text key, lease_text owner, int64_t ttl_ms) {
  return key.size > 0 && owner.size > 0 && ttl_ms >= 1 && ttl_ms < INT64_C(1) << 53;
}

static void forget(record** at) {
  record* const gone = *at;
  *at = gone->next;
  free(gone->key);
  free(gone->owner);
  free(gone);
}

// Where the record of that key is, or the end of the list.
static record** place_of(table* in, lease_text key) {
  record** at = &in->first;
  while (*at && ((*at)->key_size != key.size || memcmp((*at)->key, key.data, key.size) != 0)) {
    at = &(*at)->next;
  }
  return at;
}

static int is_of(const record* one, lease_text owner) {
  return one->owner_size == owner.size && memcmp(one->owner, owner.data, owner.size) == 0;
}

static void write(record* into, lease_text owner, int64_t deadline_ms) {
  char* const copy = copy_of(owner);
  free(into->owner);
  into->owner = copy;
  into->owner_size = owner.size;
  into->deadline_ms = deadline_ms;
}

// The clock is read once a step: two readings could find a record alive and count its new deadline
// from an instant at which it was dead.
static record* live(record** at, int64_t now_ms) {
  return *at && now_ms < (*at)->deadline_ms ? *at : NULL;
}

// A dead record stays until its key is asked for again.
lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text key, lease_text owner,
                                         int64_t ttl_ms) {
  lease_outcome end;
  if (!is_lawful(key, owner, ttl_ms)) return invalid(call);
  if ((end = call->host->step(call)) == LEASE_YES) {
    const int64_t now_ms = call->host->host_ms(call);
    record** const at = place_of(call->instance, key);
    const record* const held = live(at, now_ms);
    if (held && !is_of(held, owner)) {
      lease_text holder = {held->owner, held->owner_size};
      call->host->set_owner(call, holder);
      return LEASE_NO;
    }
    if (!*at) {
      *at = calloc(1, sizeof **at);
      (*at)->key = copy_of(key);
      (*at)->key_size = key.size;
    }
    write(*at, owner, now_ms + ttl_ms);
  }
  return end;
}

lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key) {
  lease_outcome end;
  if (key.size == 0) return invalid(call);
  if ((end = call->host->step(call)) == LEASE_YES) {
    const record* const held = live(place_of(call->instance, key), call->host->host_ms(call));
    lease_text owner;
    if (!held) return LEASE_NO;
    owner.data = held->owner;
    owner.size = held->owner_size;
    call->host->set_owner(call, owner);
  }
  return end;
}

lease_outcome lease_plugin_release_lease(lease_call* call, lease_text key, lease_text owner) {
  lease_outcome end;
  if (!is_lawful(key, owner, 1)) return invalid(call);
  if ((end = call->host->step(call)) == LEASE_YES) {
    record** const at = place_of(call->instance, key);
    const record* const held = live(at, call->host->host_ms(call));
    if (held && is_of(held, owner)) forget(at);
  }
  return end;
}

// One step that replaces the live record of `from`.
static lease_outcome replace(lease_call* call, lease_text key, lease_text from, lease_text to,
                             int64_t ttl_ms) {
  const lease_outcome end = call->host->step(call);
  if (end == LEASE_YES) {
    const int64_t now_ms = call->host->host_ms(call);
    record* const held = live(place_of(call->instance, key), now_ms);
    if (!held || !is_of(held, from)) return LEASE_NO;
    write(held, to, now_ms + ttl_ms);
  }
  return end;
}

lease_outcome lease_plugin_renew_lease(lease_call* call, lease_text key, lease_text owner,
                                       int64_t ttl_ms) {
  if (!is_lawful(key, owner, ttl_ms)) return invalid(call);
  return replace(call, key, owner, owner, ttl_ms);
}

lease_outcome lease_plugin_transfer_lease(lease_call* call, lease_text key, lease_text from,
                                          lease_text to, int64_t ttl_ms) {
  if (!is_lawful(key, from, ttl_ms) || to.size == 0) return invalid(call);
  return replace(call, key, from, to, ttl_ms);
}

void* lease_plugin_open_host(void) { return calloc(1, sizeof(table)); }

void lease_plugin_clear_host(void* shared) {
  table* const of = shared;
  while (of->first) forget(&of->first);
}

void lease_plugin_close_host(void* shared) {
  lease_plugin_clear_host(shared);
  free(shared);
}

lease_outcome lease_plugin_peek(void* shared, lease_text key, lease_record* into) {
  const record* const found = *place_of(shared, key);
  if (!found) return LEASE_NO;
  into->owner.data = found->owner;
  into->owner.size = found->owner_size;
  into->deadline_ms = found->deadline_ms;
  return LEASE_YES;
}

void* lease_plugin_create(const lease_setup* setup) { return setup->shared; }

const lease_declaration* lease_plugin_declare(void) {
  static const lease_declaration declared = {
      .size = sizeof declared, .scope = "host", .expiry = "at"};
  return &declared;
}
