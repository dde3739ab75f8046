// A copy of lease_plugin.h from a later version: members have other names, and more of them at the
// end.
#ifndef LEASE_PLUGIN_H
#define LEASE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define LEASE_PLUGIN_MAJOR 1
#define LEASE_PLUGIN_MINOR 3
#define LEASE_PLUGIN_VERSION ((LEASE_PLUGIN_MAJOR << 16) | LEASE_PLUGIN_MINOR)

#if defined(_WIN32)
#define LEASE_PLUGIN_EXPORT __declspec(dllexport)
#else
#define LEASE_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif
typedef struct lease_text {
  const char* data;
  size_t size;
} lease_text;
typedef int32_t lease_outcome;
enum { LEASE_NO = 0, LEASE_YES = 1, LEASE_FAIL = 2, LEASE_INFO = 3 };
enum {
  LEASE_INVALID_ARGUMENT = 1,
  LEASE_CLOSED = 2,
  LEASE_TIMED_OUT = 3,
  LEASE_CONNECTION_REFUSED = 4,
  LEASE_CONNECTION_LOST = 5,
  LEASE_LOADING = 6,
  LEASE_READ_ONLY = 7,
  LEASE_OUT_OF_MEMORY = 8,
  LEASE_BUSY = 9,
  LEASE_REDIRECTED = 10,
  LEASE_BACKEND_ERROR = 11,
  LEASE_PROTOCOL = 12
};
enum {
  LEASE_REPLY_NIL = 0,
  LEASE_REPLY_INTEGER = 1,
  LEASE_REPLY_TEXT = 2,
  LEASE_REPLY_STATUS = 3,
  LEASE_REPLY_ERROR = 4,
  LEASE_REPLY_ARRAY = 5
};
typedef struct lease_reply lease_reply;
struct lease_reply {
  int32_t kind;
  int64_t integer;
  lease_text text;
  size_t count;
  const lease_reply* const* items;
  double real;
};

typedef struct lease_host lease_host;
typedef struct lease_call {
  uint32_t size;
  uint32_t version;
  const lease_host* host;
  void* instance;
  lease_text prefix;
  int64_t time_left_ns;
  uint64_t trace_id[4];
} lease_call;
struct lease_host {
  uint32_t size;
  uint32_t version;
  int64_t (*monotonic_ns)(lease_call* call);
  int64_t (*wall_ns)(lease_call* call);
  int64_t (*host_ms)(lease_call* call);
  uint64_t (*random)(lease_call* call);
  void (*sleep)(lease_call* call, int64_t ns);
  lease_outcome (*step)(lease_call* call);
  lease_outcome (*command)(lease_call* call, const lease_text* words, size_t count,
                           const lease_reply** reply);
  void (*name_owner)(lease_call* call, lease_text owner);
  void (*set_token)(lease_call* call, uint64_t token);
  void (*set_error)(lease_call* call, int32_t code, lease_text text);
  void* (*memory)(lease_call* call, size_t size);
  void (*hint)(lease_call* call, int32_t what);
};

#define LEASE_PLUGIN const uint32_t lease_plugin_version = LEASE_PLUGIN_VERSION
extern LEASE_PLUGIN_EXPORT const uint32_t lease_plugin_version;
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text key,
                                                             lease_text owner, int64_t ttl_ms);
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key);
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_release_lease(lease_call* call, lease_text key,
                                                             lease_text owner);
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_renew_lease(lease_call* call, lease_text key,
                                                           lease_text owner, int64_t ttl_ms);
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_transfer_lease(lease_call* call, lease_text key,
                                                              lease_text from, lease_text to,
                                                              int64_t ttl_ms);
typedef struct lease_setup {
  uint32_t size;
  uint32_t version;
  lease_text prefix;
  void* shared;
  void* later;
} lease_setup;
LEASE_PLUGIN_EXPORT void* lease_plugin_create(const lease_setup* setup);
LEASE_PLUGIN_EXPORT void lease_plugin_destroy(void* instance);
LEASE_PLUGIN_EXPORT void* lease_plugin_open_host(void);
LEASE_PLUGIN_EXPORT void lease_plugin_clear_host(void* shared);
LEASE_PLUGIN_EXPORT void lease_plugin_close_host(void* shared);
typedef struct lease_record {
  uint32_t size;
  lease_text owner;
  int64_t deadline_ms;
  uint64_t token;
  lease_text note;
} lease_record;
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_peek(void* shared, lease_text key,
                                                    lease_record* into);
typedef struct lease_exception {
  const char* property;
  const char* profile;
} lease_exception;
typedef struct lease_declaration {
  uint32_t size;
  const char* scope;
  const char* expiry;
  int64_t granule_ms;
  const char* handoff;
  const char* records;
  const lease_exception* not_guaranteed;
  size_t not_guaranteed_count;
  const char* region;
  int64_t quorum;
} lease_declaration;
LEASE_PLUGIN_EXPORT const lease_declaration* lease_plugin_declare(void);

#ifdef __cplusplus
}
#endif

#endif
