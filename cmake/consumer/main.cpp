// Somebody else's project: it sees leaselab as find_package finds it.
#include "providers/command.hpp"
#include "providers/guarantees.hpp"

int main() {
  leaselab::guarantees declared;
  declared.not_guaranteed = {{"handoff.*", "*"}};
  const bool excluded = declared.excludes("handoff.atomic", "chaos");
  const bool hashed = leaselab::sha1_hex("abc").starts_with("a9993e36");
  return excluded && hashed ? 0 : 1;
}
