#include "bench/fleet.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <map>

#include "providers/memory/memory_provider.hpp"
#include "providers/noop/noop_provider.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/three_step_provider.hpp"
#include "providers/release_then_acquire/release_then_acquire.hpp"

namespace leaselab::bench {
namespace {

// `owner` empty: the key is to be free.
awaitable<void> settle(any_lease_provider& by, std::string key, std::string owner) {
  const auto held = co_await by.get_lease_owner(key);
  if (held && *held && **held != owner) co_await by.release_lease(key, **held);
  if (!owner.empty()) co_await by.acquire_lease(key, owner, ttl);
}

}  // namespace

fleet::fleet(const row& which, server* on)
    : operation_(which.wanted.operation),
      judged_(which.provider != "noop"),
      server_(which.live() ? on : nullptr),
      given_(which.given) {
  const load& wanted = which.wanted;
  if (given_ != nullptr && server_ == nullptr) given_store_ = given_->make_store(clock_, nullptr);
  if (given_ != nullptr && server_ != nullptr) {
    for (const script* each : given_->scripts) server_->link().ask({"SCRIPT", "LOAD", each->text});
  }
  environment_asio_options options;
  if (which.live()) options.redis = on->url(wanted.transport);
  for (int i = 0; i < wanted.clients; ++i) {
    environments_.push_back(std::make_unique<environment_asio>(context_.get_executor(), options));
  }
  for (int i = 0; i < wanted.clients * wanted.depth; ++i) {
    const auto connection = static_cast<std::size_t>(i % wanted.clients);
    if (which.shared || i < wanted.clients) {
      providers_.push_back(make_provider(which.provider, *environments_[connection]));
    }
    auto& provider = which.shared ? *providers_.back() : *providers_[connection];
    callers_.push_back(make_caller(provider, operation_, i));
  }
}

// The links end on their context, so it runs once more.
fleet::~fleet() {
  providers_.clear();
  environments_.clear();
  context_.restart();
  context_.run();
}

batch fleet::run(steady::duration length) {
  prepare();
  batch on(length, judged_);
  std::size_t open = callers_.size();
  std::exception_ptr thrown;
  context_.restart();
  for (const caller& each : callers_) {
    asio::co_spawn(context_, run_caller(operation_, on, each), [&](std::exception_ptr error) {
      --open;
      if (error) thrown = error;
    });
  }
  while (open > 0) context_.run_one();
  on.stop();
  if (thrown) std::rethrow_exception(thrown);
  return on;
}

std::unique_ptr<any_lease_provider> fleet::make_provider(const std::string& name, environment& on) {
  provider_options options;
  if (server_ != nullptr) options.prefix = server_->prefix();
  if (given_ != nullptr) {
    return resolve_made(given_->make(on, given_store_.get(), options), on, options).provider;
  }
  if (name == "memory") return std::make_unique<memory_provider>(on, store_);
  if (name == "noop") return std::make_unique<noop_provider>(on);
  if (name == "redis-three-step") return std::make_unique<three_step_provider>(on, options);
  auto redis = std::make_unique<redis_provider>(on, options);
  if (name == "redis") return redis;
  return std::make_unique<release_then_acquire>(on, std::move(redis), options);
}

// Every key as the operation wants to find it.
void fleet::prepare() {
  const wanted before = lease_before(operation_);
  std::map<std::string, std::string> owners;
  for (const caller& each : callers_) {
    for (const std::string& key : keys_of(operation_, each)) {
      owners[key] = before == wanted::own ? each.owner : "";
      if (before == wanted::stranger) owners[key] = stranger;
    }
  }
  if (given_ != nullptr) return prepare_by_calls(owners);
  store_.reset();
  for (const auto& [key, owner] : owners) prepare(key, owner);
}

void fleet::prepare(const std::string& key, const std::string& owner) {
  if (!owner.empty()) store_.acquire(key, owner, ttl);
  if (server_ == nullptr) return;
  const std::string name = lease_key(server_->prefix(), key);
  if (owner.empty()) {
    server_->link().ask({"DEL", name});
  } else {
    server_->link().ask({"SET", name, owner, "PX", std::to_string(ttl.count())});
  }
}

void fleet::prepare_by_calls(const std::map<std::string, std::string>& owners) {
  for (const auto& [key, owner] : owners) run_to_end(settle(*providers_.front(), key, owner));
}

void fleet::run_to_end(awaitable<void> work) {
  bool open = true;
  std::exception_ptr thrown;
  context_.restart();
  asio::co_spawn(context_, std::move(work), [&](std::exception_ptr error) {
    open = false;
    thrown = error;
  });
  while (open) context_.run_one();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace leaselab::bench
