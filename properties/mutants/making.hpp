// What all mutants are made with. Everything that is not the fault stays in the correct provider:
// a mutant either derives from it and overrides one operation, or leaves it as it is and changes
// what it sends (`edited_scripts`).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/deployments.hpp"
#include "properties/mutants/mutants.hpp"
#include "providers/memory/memory_provider.hpp"
#include "providers/redis/redis_provider.hpp"

namespace leaselab::properties::mutations {

struct description {
  std::string id;
  std::string name;
  std::string sentence;
  std::vector<std::string> killed_by;
};

// A mutant of `redis`. `scripts`: what a warm cache holds besides the correct ones.
// The words of a mutant, and nothing yet that runs.
mutant told(description text, std::string base);
mutant of_redis(description text, redis_factory make, std::vector<const script*> scripts = {},
                int acquire_trips = 1);
// A mutant of `memory`.
mutant of_memory(description text, memory_factory make);
// The same, where the deployment is made otherwise.
mutant of_memory_deployed(description text,
                          std::function<std::unique_ptr<sim::deployment>(const sim::host&)> deploy);

template <class Provider>
std::unique_ptr<any_lease_provider> make_over_redis(environment& environment,
                                                    provider_options options) {
  return std::make_unique<Provider>(environment, std::move(options));
}
template <class Provider>
std::unique_ptr<any_lease_provider> make_over_memory(environment& environment, memory_store& store,
                                                     provider_options options) {
  return std::make_unique<Provider>(environment, store, std::move(options));
}

// The correct script with one passage replaced, under the same name. Throws std::logic_error
// unless the passage stands there exactly once.
script edited(const script& correct, std::string_view passage, std::string_view instead);

// `redis` with one script replaced by a faulty one: the provider is the correct one, to the letter.
// Scripts are constants and outlive the mutant.
mutant with_script(description text, const script& correct, const script& faulty);

// Sends plain commands: for operations that take several steps where the correct one takes one.
class redis_in_steps : public redis_provider {
 protected:
  using redis_provider::redis_provider;

  template <class... Words>
  awaitable<result<reply>> ask(monotonic_time deadline, Words&&... words) {
    command request;
    (request.words.emplace_back(std::forward<Words>(words)), ...);
    return environment_.send(std::move(request), deadline);
  }
  // A script's trip, and a second one with its text where the cache has lost it.
  awaitable<result<reply>> run(command request, monotonic_time deadline);
};

// The seam, for what a mutant changes on the way.
class environment_over : public environment {
 public:
  explicit environment_over(environment& real) : real_(real) {}
  monotonic_time now() const override { return real_.now(); }
  wall_time wall_now() const override { return real_.wall_now(); }
  std::uint64_t random() override { return real_.random(); }
  awaitable<void> sleep_until(monotonic_time due) override { return real_.sleep_until(due); }
  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    return real_.send(std::move(request), deadline);
  }
  awaitable<result<void>> step(monotonic_time deadline) override { return real_.step(deadline); }

 protected:
  environment& real_;
};

// Comes to be before the provider that is made on it.
template <class Environment>
struct environment_first {
  template <class... Arguments>
  explicit environment_first(Arguments&&... arguments)
      : member{std::forward<Arguments>(arguments)...} {}
  Environment member;
};

// The correct Redis provider on an environment of its own.
template <class Environment>
class redis_on : private environment_first<Environment>, public redis_provider {
  using own = environment_first<Environment>;

 public:
  template <class... Arguments>
  redis_on(environment& real, provider_options options, Arguments&&... arguments)
      : own(real, std::forward<Arguments>(arguments)...),
        redis_provider(own::member, std::move(options)) {}
};

// A deployment, for what a mutant keeps beside the stores or reads in them.
class deployment_over : public sim::deployment {
 public:
  explicit deployment_over(std::unique_ptr<sim::deployment> inner) : inner_(std::move(inner)) {}
  bool serve_as_lock() override { return inner_->serve_as_lock(); }
  void reset(const sim::plan& value) override { inner_->reset(value); }
  sim::deployed start(sim::process_id process, environment& environment) override {
    return inner_->start(process, environment);
  }
  bool instrumented() const override { return inner_->instrumented(); }
  int store_count() const override { return inner_->store_count(); }
  std::uint8_t store_of(sim::process_id process) const override {
    return inner_->store_of(process);
  }
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    return inner_->peek(store, key);
  }
  bool erase(std::uint8_t store, const std::string& key) override {
    return inner_->erase(store, key);
  }
  bool overwrite(std::uint8_t store, const std::string& key, const std::string& owner) override {
    return inner_->overwrite(store, key, owner);
  }
  bool lose_data() override { return inner_->lose_data(); }

 protected:
  std::unique_ptr<sim::deployment> inner_;
};

// Puts `Outer`, made of the inner deployment, around the deployments of `value`.
template <class Outer>
mutant deployed_in(mutant value) {
  value.variant.deploy = [inner = std::move(value.variant.deploy)](const sim::host& where) {
    return std::make_unique<Outer>(inner(where));
  };
  return value;
}

}  // namespace leaselab::properties::mutations
