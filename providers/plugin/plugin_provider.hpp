// The host of a provider that is a shared library (lease_plugin.h). Its calls block, so each runs
// on a stack of its own and is put aside whenever it waits; the same library runs in the simulator
// and on real time.
#pragma once

#include <memory>

#include "providers/lease_provider.hpp"
#include "providers/plugin/call.hpp"
#include "providers/plugin/library.hpp"
#include "providers/plugin/stackful.hpp"

namespace leaselab::plugin {

class plugin_provider final : public any_lease_provider {
 public:
  // The instance of one process. `host_clock` outlives it.
  plugin_provider(environment& environment, granule_clock& host_clock,
                  std::shared_ptr<const host_memory> shared, std::shared_ptr<stack_pool> stacks,
                  provider_options options);
  ~plugin_provider() override;

  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl, call_options options) override;
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key,
                                                                call_options options) override;
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options options) override;
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl,
                                      call_options options) override;
  awaitable<result<transfer_answer>> transfer_lease(std::string key, std::string from,
                                                    std::string to, milliseconds ttl,
                                                    call_options options) override;
  void close() override { closed_ = true; }

 private:
  // The call's end: what was said, or how it failed.
  template <class Enter>
  awaitable<result<said>> call(operation what, nanoseconds limit, const Enter& enter);
  surroundings around() const;

  environment& environment_;
  granule_clock& host_clock_;
  const std::shared_ptr<const host_memory> shared_;
  const std::shared_ptr<stack_pool> stacks_;
  const provider_options options_;
  void* instance_ = nullptr;
  bool closed_ = false;
};

}  // namespace leaselab::plugin
