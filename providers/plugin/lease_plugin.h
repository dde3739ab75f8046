// A lease provider in a shared library: what it exports, and what it may ask of its host. C99, and
// usable from C++. See docs/PROVIDERS.md, "A shared library".
//
// Export any of the five operations below and put LEASE_PLUGIN; into one source file. What is
// missing is found out at run time. Two libraries built against different copies of this header
// serve side by side: what crosses the boundary begins with its size, grows at its end only, and
// nobody touches a member beyond the size that he was told. Another major version is refused.
//
// A call may block in `sleep`, `step` and `command`: the host then goes on with others on the same
// thread, those of the same process included, and resumes it when it is due. So a call holds no
// lock across these three. It may also never be resumed, when its process crashes: nothing of it is
// unwound. So it holds no resource across them either that cannot be lost, and no pointer to its
// stack lies in what outlives it; memory that it needs there comes from `memory`. A stack has
// 256 KiB. Instances of several processes may be served on several threads at once.
//
// Time, chance and backend come from the host and from nowhere else.
#ifndef LEASE_PLUGIN_H
#define LEASE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define LEASE_PLUGIN_MAJOR 1
#define LEASE_PLUGIN_MINOR 0
#define LEASE_PLUGIN_VERSION ((LEASE_PLUGIN_MAJOR << 16) | LEASE_PLUGIN_MINOR)

#if defined(_WIN32)
#define LEASE_PLUGIN_EXPORT __declspec(dllexport)
#else
#define LEASE_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Bytes, any of them, with a NUL behind them where the host passes them. It never grows.
typedef struct lease_text {
  const char* data;
  size_t size;
} lease_text;

// How a call, a trip or a step ends.
typedef int32_t lease_outcome;
enum {
  LEASE_NO = 0,
  LEASE_YES = 1,
  LEASE_FAIL = 2,  // definitely without effect
  LEASE_INFO = 3   // unknown: it may take effect now, later or never
};

// What went wrong, of LEASE_FAIL and LEASE_INFO.
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

// A reply of the backend.
enum {
  LEASE_REPLY_NIL = 0,
  LEASE_REPLY_INTEGER = 1,
  LEASE_REPLY_TEXT = 2,
  LEASE_REPLY_STATUS = 3,
  LEASE_REPLY_ERROR = 4,  // with its code in front: "OOM command not allowed ..."
  LEASE_REPLY_ARRAY = 5
};
typedef struct lease_reply lease_reply;
struct lease_reply {
  int32_t kind;
  int64_t integer;
  lease_text text;  // of texts, statuses and errors
  size_t count;     // of arrays
  const lease_reply* const* items;
};

typedef struct lease_host lease_host;

// One call under way; the host's, until the call returns.
typedef struct lease_call {
  uint32_t size;
  uint32_t version;
  const lease_host* host;
  void* instance;     // what lease_plugin_create returned; NULL without it
  lease_text prefix;  // what keys in the backend begin with
  int64_t limit_ns;   // how long this call may take; trips and steps end by then by themselves
} lease_call;

// Every function takes the call in which it is called, on the thread that made the call.
struct lease_host {
  uint32_t size;
  uint32_t version;
  int64_t (*monotonic_ns)(lease_call* call);  // this process's clocks
  int64_t (*wall_ns)(lease_call* call);
  // A steady clock that all processes of one host share, in whole ms: for what lives in `shared`.
  int64_t (*host_ms)(lease_call* call);
  uint64_t (*random)(lease_call* call);
  void (*sleep)(lease_call* call, int64_t ns);
  // The scheduling point before an effect on `shared`; what follows up to the next sleep, step or
  // command is one step. Other than LEASE_YES: return it, without the effect.
  lease_outcome (*step)(lease_call* call);
  // One trip to the backend. LEASE_YES: *reply is its reply, an error reply too, and lives until
  // the call returns. LEASE_FAIL, LEASE_INFO: no reply, *reply is NULL and the error is set, so
  // that returning the outcome passes it on. The words are copied.
  lease_outcome (*command)(lease_call* call, const lease_text* words, size_t count,
                           const lease_reply** reply);
  // What goes with the answer, copied: the owner that is named, a fencing token, what went wrong.
  void (*set_owner)(lease_call* call, lease_text owner);
  void (*set_token)(lease_call* call, uint64_t token);
  void (*set_error)(lease_call* call, int32_t code, lease_text text);
  // Zeroed, aligned for anything; freed by the host when the call returns or its process crashes.
  void* (*memory)(lease_call* call, size_t size);
};

// What a plugin exports: this, by LEASE_PLUGIN, and the functions below.
#define LEASE_PLUGIN const uint32_t lease_plugin_version = LEASE_PLUGIN_VERSION
extern LEASE_PLUGIN_EXPORT const uint32_t lease_plugin_version;

// The operations, each possibly absent. Besides LEASE_FAIL and LEASE_INFO, which name what went
// wrong by set_error, they return:
// acquire: YES; NO, and set_owner names the live owner.
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_acquire_lease(lease_call* call, lease_text key,
                                                             lease_text owner, int64_t ttl_ms);
// get: YES, and set_owner names the owner; NO: there is none.
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_get_lease_owner(lease_call* call, lease_text key);
// release: YES; NO is read alike.
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_release_lease(lease_call* call, lease_text key,
                                                             lease_text owner);
// renew, transfer: YES or NO. limit_ns of a renewal is ttl/3 at most.
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_renew_lease(lease_call* call, lease_text key,
                                                           lease_text owner, int64_t ttl_ms);
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_transfer_lease(lease_call* call, lease_text key,
                                                              lease_text from, lease_text to,
                                                              int64_t ttl_ms);

// Optional: state of one process. Destroyed when the process ends or has crashed, then without the
// calls that were under way ever returning.
typedef struct lease_setup {
  uint32_t size;
  uint32_t version;
  lease_text prefix;
  void* shared;  // what lease_plugin_open_host returned; NULL without it
} lease_setup;
LEASE_PLUGIN_EXPORT void* lease_plugin_create(const lease_setup* setup);
LEASE_PLUGIN_EXPORT void lease_plugin_destroy(void* instance);

// Optional: what all processes of one host share, and what outlives each of them. There may be
// many hosts at once. `clear`: the host went down, and what was there is lost; its processes, and
// the pointer, go on.
LEASE_PLUGIN_EXPORT void* lease_plugin_open_host(void);
LEASE_PLUGIN_EXPORT void lease_plugin_clear_host(void* shared);
LEASE_PLUGIN_EXPORT void lease_plugin_close_host(void* shared);

// Optional, for records that lie in `shared`: the oracles look at them. YES: `into` is filled, with
// what is stored, dead or alive; the owner lives until the next call of any function here. It has
// no effect. Without it, and without `records` below, the oracles have the answers only.
typedef struct lease_record {
  uint32_t size;
  lease_text owner;
  int64_t deadline_ms;  // as host_ms counts
  uint64_t token;       // 0 where there are no tokens
} lease_record;
LEASE_PLUGIN_EXPORT lease_outcome lease_plugin_peek(void* shared, lease_text key,
                                                    lease_record* into);

// Optional: what is guaranteed. Without it: the whole contract, in the whole cluster.
typedef struct lease_exception {  // it never grows
  const char* property;           // an id of docs/PROPERTIES.md, or a glob
  const char* profile;            // likewise; NULL: all of them
} lease_exception;
typedef struct lease_declaration {
  uint32_t size;        // sizeof(lease_declaration)
  const char* scope;    // "cluster", "host", "none"; NULL: cluster
  const char* expiry;   // dead "at" its deadline or "after" it; NULL: after
  int64_t granule_ms;   // 0 or 1: there is no other granule
  const char* handoff;  // "atomic", "none"; NULL: atomic
  const char* records;  // "<prefix>:lease:<key>": its records are Redis keys of that name with the
                        // owner as their value, and oracles look at them; NULL: at answers only
  const lease_exception* not_guaranteed;
  size_t not_guaranteed_count;
} lease_declaration;
LEASE_PLUGIN_EXPORT const lease_declaration* lease_plugin_declare(void);

#ifdef __cplusplus
}
#endif

#endif
