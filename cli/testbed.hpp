// The whole program as a value, for people who bring a provider of their own: every verb, with
// their provider beside the built-in ones. docs/PROVIDERS.md walks through it.
//
//   int main(int n, char** words) {
//     return leaselab::testbed(n, words).provider("mine", make_mine).run();
//   }
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "providers/handed_in.hpp"

namespace leaselab {

// What can be said of a provider, none of which has to be.
struct provider_card {
  std::string about = "brought by this program";  // one line, for `list`
  // What it is held to. Unset: the whole contract; over Redis in the whole cluster, in memory on
  // its host.
  std::optional<guarantees> declared = std::nullopt;
  // The scripts that it sends: in the server's cache when a world begins, as after a first run.
  std::vector<const script*> scripts = {};
  // Over Redis: its records are strings named `<prefix>:lease:<key>` with the owner as their value
  // and an expiry. The judges look at them then; otherwise they have the answers only.
  bool standard_records = false;
};

// Verbs run from one thread, worlds in many: what a factory makes shares nothing with what it made
// before, except by its store. A factory makes the provider of one process: any type, by value or
// behind a unique_ptr or shared_ptr; it may throw. A type that lacks some of the five operations is
// shown for what it is: a runtime falls back to the no-op provider.
class testbed {
 public:
  // As main() gets them.
  testbed(int count, char** words);

  // Over Redis: make(environment&, provider_options). Keys begin with the options' prefix.
  // A name that is taken or cannot be one is refused by run().
  template <class Make>
  testbed& provider(std::string name, Make make, provider_card card = {});

  // In memory: make(environment&, Store&, provider_options). The processes of a host share one
  // Store, made of a `const granule_clock&` or of nothing; time passes for it by that clock alone.
  // Where it has `peek(key) const`, answering a std::optional<stored_lease> (dead or alive, without
  // effect), the judges look at its records.
  template <class Store, class Make>
  testbed& provider_in_memory(std::string name, Make make, provider_card card = {});

  // Does what the words say; the exit status of docs/CLI.md. Throws nothing. Once in a program.
  int run();

 private:
  void add(handed_in value);

  int count_;
  char** words_;
  std::vector<handed_in> given_;
};

// What a provider in the memory of one host is held to unless it says otherwise: everything, where
// there is no message, script or replica to fail. Dead at the deadline.
guarantees in_memory_guarantees();

namespace handing_in {

template <class Object>
handed_in with_card(std::string name, provider_card card, guarantees otherwise) {
  handed_in out;
  out.name = std::move(name);
  out.about = std::move(card.about);
  out.declared = card.declared ? std::move(*card.declared) : std::move(otherwise);
  out.scripts = std::move(card.scripts);
  out.standard_records = card.standard_records;
  out.missing = missing_of<Object>();
  return out;
}

}  // namespace handing_in

template <class Make>
testbed& testbed::provider(std::string name, Make make, provider_card card) {
  static_assert(std::is_invocable_v<Make&, environment&, provider_options>,
                "a factory takes (leaselab::environment&, leaselab::provider_options)");
  using made = std::remove_cvref_t<std::invoke_result_t<Make&, environment&, provider_options>>;
  using object = typename handing_in::object_of<made>::type;
  auto value = handing_in::with_card<object>(std::move(name), std::move(card), {});
  value.make = [make = std::move(make)](environment& on, void*, provider_options options) mutable {
    return handing_in::take_over<made>(make(on, std::move(options)));
  };
  add(std::move(value));
  return *this;
}

template <class Store, class Make>
testbed& testbed::provider_in_memory(std::string name, Make make, provider_card card) {
  static_assert(std::is_invocable_v<Make&, environment&, Store&, provider_options>,
                "a factory takes (leaselab::environment&, Store&, leaselab::provider_options)");
  using made =
      std::remove_cvref_t<std::invoke_result_t<Make&, environment&, Store&, provider_options>>;
  using object = typename handing_in::object_of<made>::type;
  auto value =
      handing_in::with_card<object>(std::move(name), std::move(card), in_memory_guarantees());
  value.make_store = handing_in::make_store<Store>;
  if constexpr (handing_in::can_be_looked_into<Store>) value.look = handing_in::look_into<Store>;
  value.make = [make = std::move(make)](environment& on, void* store,
                                        provider_options options) mutable {
    return handing_in::take_over<made>(
        make(on, handing_in::store_at<Store>(store), std::move(options)));
  };
  add(std::move(value));
  return *this;
}

}  // namespace leaselab
