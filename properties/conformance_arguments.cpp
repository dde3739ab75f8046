// Cases of arguments outside the contract, of odd names inside it, of closed providers and of
// fencing tokens.
#include "properties/conformance_program.hpp"

namespace leaselab::properties::conformance {
namespace {

constexpr const char* refuses = "argument.refused";

program& still_held(program& steps) { return steps.get(50, P2).names("A").breaks(refuses); }

// By the holder: a backend left to itself would delete the lease, or keep it for ever.
conformance_case odd_ttl(operation what, program& (*call)(program&, double, std::int64_t)) {
  program steps;
  steps.acquire(0, P1, "A").wins();
  double at_ms = 10;
  for (const std::int64_t ttl_ms : {std::int64_t{0}, std::int64_t{-1}, max_ttl_ms + 1}) {
    call(steps, at_ms++, ttl_ms).exact_ttl().refused();
  }
  return on_both(what, "ttl 0, -1 and 2^53 ms", "refused, the lease stays as it is",
                 still_held(steps));
}

// Each of `calls` has one empty name.
conformance_case empty_names(operation what, const program& calls) {
  program steps = calls;
  return on_both(what, what == operation::get ? "an empty key" : "an empty key, an empty owner",
                 "refused, nothing changes", steps.get(20, P2).nobody().breaks(refuses));
}

conformance_case closed_case(operation what, const program& calls) {
  return on_both(what, "on a closed provider", "fails, never an ordinary no; others go on",
                 program(calls).get(20, P2).names("A"));
}

program held_and_closed() { return program().acquire(0, P1, "A").wins().close(5, P1); }

// One case for a key or an owner: it is granted, named, refused to another, renewed, released.
program whole_life(const std::string& key, const std::string& owner) {
  program steps;
  steps.acquire(0, P1, owner).on(key).wins();
  steps.get(5, P2).on(key).names(owner);
  steps.acquire(10, P2, "B").on(key).denied(owner);
  steps.renew(15, P1, owner).on(key).yes();
  steps.transfer(20, P1, owner, "B").on(key).yes();
  steps.transfer(25, P2, "B", owner).on(key).yes();
  steps.release(30, P1, owner).on(key).done();
  steps.get(35, P2).on(key).nobody();
  return steps;
}

conformance_case odd_owner(std::string edge, const std::string& owner) {
  return on_both(operation::acquire, std::move(edge), "compared whole, byte for byte",
                 whole_life("K", owner));
}

conformance_case odd_key(std::string edge, const std::string& key) {
  return on_both(operation::acquire, std::move(edge), "a key as any other", whole_life(key, "A"));
}

// `other` is no owner, however much it looks like `owner`.
conformance_case alike(std::string edge, const std::string& owner, const std::string& other) {
  return on_both(operation::acquire, std::move(edge), "two owners",
                 program()
                     .acquire(0, P1, owner)
                     .wins()
                     .acquire(5, P2, other)
                     .denied(owner)
                     .renew(10, P2, other)
                     .no()
                     .release(15, P2, other)
                     .done()
                     .transfer(20, P2, other, "C")
                     .no()
                     .get(25, P2)
                     .names(owner));
}

conformance_case keys_alike(const std::string& key, const std::string& other) {
  return on_both(operation::acquire, "keys " + key + " and " + other, "two keys",
                 program()
                     .acquire(0, P1, "A")
                     .on(key)
                     .wins()
                     .acquire(5, P2, "B")
                     .on(other)
                     .wins()
                     .breaks("key.isolation")
                     .get(10, P2)
                     .on(key)
                     .names("A")
                     .breaks("key.isolation"));
}

program& odd_acquire(program& to, double at_ms, std::int64_t ttl_ms) {
  return to.acquire(at_ms, P1, "A", ttl_ms);
}
program& odd_renew(program& to, double at_ms, std::int64_t ttl_ms) {
  return to.renew(at_ms, P1, "A", ttl_ms);
}
program& odd_transfer(program& to, double at_ms, std::int64_t ttl_ms) {
  return to.transfer(at_ms, P1, "A", "B", ttl_ms);
}

conformance_case of_tokens(operation what, std::string edge, std::string sentence,
                           const program& steps) {
  auto out = on_both(what, std::move(edge), std::move(sentence), steps);
  out.of_tokens = true;
  return out;
}

}  // namespace

case_list argument_cases() {
  return {
      odd_ttl(operation::acquire, odd_acquire),
      odd_ttl(operation::renew, odd_renew),
      odd_ttl(operation::transfer, odd_transfer),
      empty_names(operation::acquire,
                  program().acquire(0, P1, "").refused().acquire(1, P1, "A").on("").refused()),
      empty_names(operation::get, program().get(0, P1).on("").refused()),
      empty_names(operation::release,
                  program().release(0, P1, "").refused().release(1, P1, "A").on("").refused()),
      empty_names(operation::renew,
                  program().renew(0, P1, "").refused().renew(1, P1, "A").on("").refused()),
      empty_names(operation::transfer, program()
                                           .transfer(0, P1, "", "B")
                                           .refused()
                                           .transfer(1, P1, "A", "")
                                           .refused()
                                           .transfer(2, P1, "A", "B")
                                           .on("")
                                           .refused()),
  };
}

case_list name_cases() {
  using namespace std::string_literals;
  return {
      odd_owner("an owner with a NUL, a newline and quotes", "A\0B\r\n\"'$-1"s),
      odd_owner("an owner in UTF-8", "ключ-所有者-🔑"),
      odd_owner("an owner of bytes that are no UTF-8", "\xff\xfe\x80"),
      odd_owner("an owner of 64 KiB", std::string(65'536, 'x')),
      odd_owner("an owner that looks like a number", "0"),
      odd_owner("an owner of one space", " "),
      alike("owners of which one begins like the other", "A", "AB"),
      alike("owners that differ after a NUL", "A\0B"s, "A\0C"s),
      alike("owners that differ in case", "owner", "Owner"),
      alike("owners that differ by a space at the end", "A", "A "),
      odd_key("a key with spaces, braces and colons", "a {b}:c:{d} %s *?[x]"),
      odd_key("a key with a NUL and a newline", "k\0\r\n"s),
      odd_key("a key in UTF-8", "поток/线程"),
      keys_alike("K", "K:fence"),
      keys_alike("K", "k"),
      keys_alike("K:L", "K"),
  };
}

case_list closed_cases() {
  return {
      closed_case(operation::acquire, held_and_closed().acquire(10, P1, "A").closed()),
      closed_case(operation::get, held_and_closed().get(10, P1).closed()),
      closed_case(operation::release, held_and_closed().release(10, P1, "A").closed()),
      closed_case(operation::renew, held_and_closed().renew(10, P1, "A").closed()),
      closed_case(operation::transfer, held_and_closed().transfer(10, P1, "A", "B").closed()),
  };
}

case_list token_cases() {
  return {
      of_tokens(operation::acquire, "tokens of one owner after another", "each higher",
                program()
                    .acquire(0, P1, "A")
                    .wins()
                    .token(token_rule::higher)
                    .release(10, P1, "A")
                    .done()
                    .acquire(20, P2, "B")
                    .wins()
                    .token(token_rule::higher)
                    .acquire(140, P3, "C")
                    .over()
                    .wins()
                    .token(token_rule::higher)),
      of_tokens(operation::acquire, "the token of a refresh", "the same as before",
                program()
                    .acquire(0, P1, "A")
                    .wins()
                    .token(token_rule::higher)
                    .acquire(10, P1, "A")
                    .alive()
                    .wins()
                    .token(token_rule::same)),
      of_tokens(operation::transfer, "the token of a handoff", "higher",
                program()
                    .acquire(0, P1, "A")
                    .wins()
                    .token(token_rule::higher)
                    .transfer(10, P1, "A", "B")
                    .yes()
                    .token(token_rule::higher)),
  };
}

}  // namespace leaselab::properties::conformance
