#include "sim/workload/worker.hpp"

#include <exception>

#include "sim/core.hpp"

namespace leaselab::sim {
namespace {

awaitable<void> next_call(worker& self) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
      [&self](auto handler) { self.idle.emplace(std::move(handler)); }, asio::use_awaitable);
}

call_end failed(const lease_error& error) {
  call_end end;
  end.ended = error.kind;
  end.code = error.code;
  return end;
}

call_options options_of(const core& world, call_index call) {
  call_options options;
  options.limit = nanoseconds(world.workload.limit_of(call));
  return options;
}

}  // namespace

// Reports are made by value before the next co_await: the tables of the record may have moved.
awaitable<void> work_off_calls(core& world, process_slot& process, worker& self) {
  for (;;) {
    co_await next_call(self);
    const call_index index = self.call;
    const call_record call = world.record.run.calls[index];
    const call_options options = options_of(world, index);
    any_lease_provider& provider = *process.runtime.provider;
    const std::string& key = world.record.run.keys[call.key];
    const std::string& owner = world.record.run.owners[call.owner];
    const milliseconds ttl(call.ttl_ms);
    call_end end;
    try {
      switch (call.what) {
        case verb::acquire: {
          const auto answer = co_await provider.acquire_lease(key, owner, ttl, options);
          if (!answer) end = failed(answer.error());
          if (answer) {
            end.yes = answer->acquired;
            end.token = answer->token;
            // On success the owner is the caller; only a denial names somebody.
            if (!answer->acquired && answer->owner) end.named = *answer->owner;
          }
          world.workload.finish(index, end);
          break;
        }
        case verb::get: {
          const auto answer = co_await provider.get_lease_owner(key, options);
          if (!answer) end = failed(answer.error());
          if (answer && *answer) end.named = **answer;
          world.workload.finish(index, end);
          break;
        }
        case verb::release: {
          const auto answer = co_await provider.release_lease(key, owner, options);
          if (!answer) end = failed(answer.error());
          world.workload.finish(index, end);
          break;
        }
        case verb::renew: {
          const auto answer = co_await provider.renew_lease(key, owner, ttl, options);
          if (!answer) end = failed(answer.error());
          if (answer) end.yes = *answer;
          world.workload.finish(index, end);
          break;
        }
        default: {
          const std::string& to = world.record.run.owners[call.to];
          const auto answer = co_await provider.transfer_lease(key, owner, to, ttl, options);
          if (!answer) end = failed(answer.error());
          if (answer) {
            end.yes = answer->moved;
            end.token = answer->token;
          }
          world.workload.finish(index, end);
        }
      }
    } catch (const host_failed&) {
      world.failure = std::current_exception();
      co_return;
    } catch (const std::exception&) {
      // A provider that throws has answered nothing: whatever it did may have had an effect.
      end = call_end{};
      end.ended = outcome::info;
      world.workload.finish(index, end);
    }
  }
}

}  // namespace leaselab::sim
