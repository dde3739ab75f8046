// A provider that a program hands to the testbed: what its factory makes, of whatever type, and
// what is said about it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "providers/detect.hpp"
#include "providers/guarantees.hpp"

namespace leaselab {

// What a factory made, as a table of the operations that it has, which keeps the object.
struct made_provider {
  provider_entries entries;
  // The same object where it is an any_lease_provider: called without the table between.
  std::unique_ptr<any_lease_provider> whole;
};

// One record of a store in this address space, for whoever looks into it.
struct stored_lease {
  std::string owner;
  std::int64_t deadline_granules = 0;
};

struct handed_in {
  std::string name;
  std::string about;
  guarantees declared;
  std::vector<const script*> scripts;  // in the backend's cache when a world begins
  // Its records are Redis strings named lease_key(prefix, key), the owner as their value, with PX.
  bool standard_records = false;
  // What it lacks, though something may be handed on in its place; a runtime falls back to the
  // no-op provider where any is and nothing complete is handed on.
  std::vector<operation> missing;

  // Null: its backend is Redis. Otherwise makes what the processes of a host share, an empty one;
  // `again`: in the place of one that it made before.
  std::function<std::shared_ptr<void>(const granule_clock&, std::shared_ptr<void> again)>
      make_store = nullptr;
  // Null: nobody can look into the store.
  std::function<std::optional<stored_lease>(const void* store, const std::string& key)> look =
      nullptr;
  // The provider of one process. `store` is null over Redis. Throws host_failed when it is nothing.
  std::function<made_provider(environment&, void* store, provider_options)> make;

  bool over_redis() const { return make_store == nullptr; }
};

// The provider that a runtime gets: what was made, what it hands on, or the no-op provider.
resolved_provider resolve_made(made_provider made, environment& environment,
                               provider_options options);

// "4 of 5 operations (no transfer_lease): a runtime falls back to no-op".
std::string fallback_text(const std::vector<operation>& missing);

namespace handing_in {

template <class T>
concept owning_pointer = requires(T& made) {
  typename T::element_type;
  { made.get() } -> std::convertible_to<typename T::element_type*>;
};

template <class T>
struct object_of {
  using type = T;
};
template <owning_pointer T>
struct object_of<T> {
  using type = typename T::element_type;
};

template <class Object>
std::vector<operation> missing_of() {
  using seen = adapting::seen_as<Object>;
  std::vector<operation> missing;
  if (!has_acquire<seen>) missing.push_back(operation::acquire);
  if (!has_get<seen>) missing.push_back(operation::get);
  if (!has_release<seen>) missing.push_back(operation::release);
  if (!has_renew<seen>) missing.push_back(operation::renew);
  if (!has_transfer<seen>) missing.push_back(operation::transfer);
  return missing;
}

template <class Object>
made_provider described(std::shared_ptr<Object> object) {
  made_provider out;
  out.entries = describe(*object);
  out.entries.keep_alive = std::move(object);
  return out;
}

[[noreturn]] void made_nothing();

// An object by value, or behind a unique_ptr or shared_ptr.
template <class Made>
made_provider take_over(Made made) {
  if constexpr (!owning_pointer<Made>) {
    return described(std::make_shared<Made>(std::move(made)));
  } else {
    using object = typename Made::element_type;
    if (!made) made_nothing();
    if constexpr (std::is_convertible_v<Made, std::unique_ptr<any_lease_provider>>) {
      made_provider out;
      out.whole = std::move(made);
      return out;
    } else {
      return described(std::shared_ptr<object>(std::move(made)));
    }
  }
}

// In place, because providers refer to the store: a host that lost its data has the same one,
// empty. A store takes the clock, or nothing.
template <class Store>
std::shared_ptr<void> make_store(const granule_clock& clock, std::shared_ptr<void> again) {
  auto kept = std::static_pointer_cast<std::optional<Store>>(std::move(again));
  if (!kept) kept = std::make_shared<std::optional<Store>>();
  if constexpr (std::constructible_from<Store, const granule_clock&>) {
    kept->emplace(clock);
  } else {
    kept->emplace();
  }
  return kept;
}
template <class Store>
Store& store_at(void* where) {
  return **static_cast<std::optional<Store>*>(where);
}

template <class Store>
concept can_be_looked_into = requires(const Store& store, const std::string& key) {
  { store.peek(key) } -> std::convertible_to<std::optional<stored_lease>>;
};
template <can_be_looked_into Store>
std::optional<stored_lease> look_into(const void* where, const std::string& key) {
  return (**static_cast<const std::optional<Store>*>(where)).peek(key);
}

}  // namespace handing_in
}  // namespace leaselab
