// What a provider declares: where it coordinates, how it reads expiry, and which properties it
// guarantees under which faults. The matrix judges it by this and by nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace leaselab {

// How far one owner per key reaches.
enum class scope : std::uint8_t { none, host, cluster };
// When a record with deadline d is dead, read at instant n: at: n >= d; after: n > d.
enum class expiry_reading : std::uint8_t { at, after };

// A set of (property, profile) pairs; both are ids or globs ("handoff.*", "*").
struct claim {
  std::string property;
  std::string profile;
};

struct guarantees {
  leaselab::scope scope = scope::cluster;
  expiry_reading reading = expiry_reading::after;
  std::int64_t granule_ms = 1;
  bool atomic_handoff = true;
  bool fencing = false;   // acquire and transfer answer a token
  int acquire_trips = 1;  // the most trips one acquire makes with a warm script cache
  // A process's calls stand in one line: each trip waits for those sent before it to be answered.
  bool one_line = false;
  bool runs_scripts = false;
  // Tested as a lock and not as a lease: nobody asks whom a denial names, and nobody calls what is
  // not there.
  bool as_lock = false;
  std::uint8_t uncalled = 0;          // operations, a bit each; as a lock only
  std::vector<claim> not_guaranteed;  // exceptions from "everything its scope allows"
  std::vector<claim> not_applicable;  // cannot occur there

  bool excludes(std::string_view property, std::string_view profile) const;
  bool inapplicable(std::string_view property, std::string_view profile) const;
};

// `*` matches any run of characters.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace leaselab
