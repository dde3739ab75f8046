// A lease in Redis, each operation one script: keeps the whole contract.
#include <stdio.h>
#include <string.h>

#include "lease_plugin.h"

LEASE_PLUGIN;

#define OWNED "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"

static const char acquire[] =
    "local holder = redis.call('GET', KEYS[1])\n"
    "if holder and holder ~= ARGV[1] then return holder end\n"
    "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\n"
    "return 1";
static const char release[] = OWNED "return redis.call('DEL', KEYS[1])";
static const char renew[] = OWNED "return redis.call('PEXPIRE', KEYS[1], ARGV[2])";
static const char transfer[] = OWNED "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1";

static lease_text text(const char* from) {
  lease_text out = {from, strlen(from)};
  return out;
}

static lease_outcome fail(lease_call* call, int32_t code, lease_text why) {
  call->host->set_error(call, code, why);
  return LEASE_FAIL;
}

static int is_lawful(lease_text key, lease_text owner, int64_t ttl_ms) {
  return key.size > 0 && owner.size > 0 && ttl_ms >= 1 && ttl_ms < INT64_C(1) << 53;
}

// <prefix>:lease:<key>
static lease_text record_of(lease_call* call, lease_text key) {
  static const char middle[] = ":lease:";
  const size_t size = call->prefix.size + sizeof middle - 1 + key.size;
  char* const name = call->host->memory(call, size);
  lease_text out = {name, size};
  memcpy(name, call->prefix.data, call->prefix.size);
  memcpy(name + call->prefix.size, middle, sizeof middle - 1);
  memcpy(name + size - key.size, key.data, key.size);
  return out;
}

// One trip. An error reply is a failure: a script writes at most once and last, so nothing was
// written then.
static lease_outcome send(lease_call* call, const lease_text* words, size_t count,
                          const lease_reply** reply) {
  const lease_outcome end = call->host->command(call, words, count, reply);
  if (end != LEASE_YES || (*reply)->kind != LEASE_REPLY_ERROR) return end;
  return fail(call, LEASE_BACKEND_ERROR, (*reply)->text);
}

static lease_outcome run(lease_call* call, const char* script, lease_text key, lease_text first,
                         const lease_text* second, int64_t ttl_ms, const lease_reply** reply) {
  char number[24];
  lease_text words[7] = {text("EVAL"), text(script), text("1"), record_of(call, key), first};
  size_t count = 5;
  if (!is_lawful(key, first, ttl_ms) || (second && second->size == 0)) {
    return fail(call, LEASE_INVALID_ARGUMENT, text("empty name or ttl out of range"));
  }
  if (second) words[count++] = *second;
  snprintf(number, sizeof number, "%lld", (long long)ttl_ms);
  words[count++] = text(number);
  return send(call, words, count, reply);
}

// 1 is yes, 0 is no.
static lease_outcome yes_or_no(const lease_reply* reply) {
  return reply->kind == LEASE_REPLY_INTEGER && reply->integer == 1 ? LEASE_YES : LEASE_NO;
}

lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text key, lease_text owner,
                                         int64_t ttl_ms) {
  const lease_reply* reply = NULL;
  const lease_outcome end = run(call, acquire, key, owner, NULL, ttl_ms, &reply);
  if (end != LEASE_YES) return end;
  if (reply->kind == LEASE_REPLY_TEXT) call->host->set_owner(call, reply->text);
  return yes_or_no(reply);
}

lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key) {
  const lease_reply* reply = NULL;
  lease_text words[2] = {text("GET"), record_of(call, key)};
  lease_outcome end;
  if (key.size == 0) return fail(call, LEASE_INVALID_ARGUMENT, text("the key is empty"));
  end = send(call, words, 2, &reply);
  if (end != LEASE_YES) return end;
  if (reply->kind == LEASE_REPLY_NIL) return LEASE_NO;
  call->host->set_owner(call, reply->text);
  return LEASE_YES;
}

lease_outcome lease_plugin_release_lease(lease_call* call, lease_text key, lease_text owner) {
  const lease_reply* reply = NULL;
  return run(call, release, key, owner, NULL, 1, &reply);
}

lease_outcome lease_plugin_renew_lease(lease_call* call, lease_text key, lease_text owner,
                                       int64_t ttl_ms) {
  const lease_reply* reply = NULL;
  const lease_outcome end = run(call, renew, key, owner, NULL, ttl_ms, &reply);
  return end != LEASE_YES ? end : yes_or_no(reply);
}

lease_outcome lease_plugin_transfer_lease(lease_call* call, lease_text key, lease_text from,
                                          lease_text to, int64_t ttl_ms) {
  const lease_reply* reply = NULL;
  const lease_outcome end = run(call, transfer, key, from, &to, ttl_ms, &reply);
  return end != LEASE_YES ? end : yes_or_no(reply);
}

const lease_declaration* lease_plugin_declare(void) {
  static const lease_declaration declared = {.size = sizeof declared,
                                             .records = "<prefix>:lease:<key>"};
  return &declared;
}
