#include "cli/live/worker.hpp"

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <iostream>
#include <iterator>

#include "cli/additions.hpp"
#include "cli/live/lease_client.hpp"
#include "providers/redis/fenced_provider.hpp"
#include "providers/redis/redis_provider.hpp"

namespace leaselab::cli::live {
namespace {

std::unique_ptr<any_lease_provider> make_provider(const worker_config& config,
                                                  environment& environment) {
  provider_options options;
  options.prefix = config.prefix;
  options.call_limit = milliseconds(config.ttl_ms);
  if (const auto* const added = find_added(config.provider)) {
    auto made = added->given.make(environment, nullptr, options);
    return resolve_made(std::move(made), environment, std::move(options)).provider;
  }
  if (config.provider == "redis-fenced") {
    return std::make_unique<fenced_provider>(environment, std::move(options));
  }
  return std::make_unique<redis_provider>(environment, std::move(options));
}

environment_asio_options connection(const worker_config& config,
                                    std::shared_ptr<const process_clock> clock) {
  environment_asio_options options;
  options.redis = config.url;
  options.seed = config.seed;
  options.clock = std::move(clock);
  options.silence_limit = milliseconds(2 * config.ttl_ms);
  return options;
}

class worker {
 public:
  explicit worker(worker_config config)
      : config_(std::move(config)),
        page_(page_descriptor),
        slot_(page_.state().workers[static_cast<std::size_t>(config_.worker)]),
        clock_(std::make_shared<page_clock>(slot_)),
        environment_(context_.get_executor(), connection(config_, clock_)),
        provider_(make_provider(config_, environment_)),
        log_(config_),
        calls_(*provider_, log_, milliseconds(config_.ttl_ms)),
        client_(config_, environment_, *clock_, page_.state(), calls_, log_,
                context_.get_executor()),
        left_(config_.keys) {}

  void run() {
    asio::co_spawn(context_, name_connections(), [](std::exception_ptr) {});
    for (int key = 0; key < config_.keys; ++key) {
      asio::co_spawn(context_, client_.contend(key), [this](std::exception_ptr thrown) {
        if (thrown) std::rethrow_exception(thrown);
        if (--left_ == 0) context_.stop();
      });
    }
    context_.run();
  }

 private:
  // A connection may be a new one at any moment; under its name the parent finds it to cut it.
  awaitable<void> name_connections() {
    asio::steady_timer timer(context_);
    while (true) {
      command request;
      request.words = {"CLIENT", "SETNAME", config_.client_name()};
      co_await environment_.send(std::move(request), environment_.now() + milliseconds(100));
      timer.expires_after(milliseconds(50));
      co_await timer.async_wait(asio::use_awaitable);
    }
  }

  const worker_config config_;
  shared_page page_;
  worker_slot& slot_;
  std::shared_ptr<page_clock> clock_;
  asio::io_context context_{1};
  environment_asio environment_;
  std::unique_ptr<any_lease_provider> provider_;
  worker_log log_;
  logged_calls calls_;
  lease_client client_;
  int left_;
};

}  // namespace

int run_worker() {
  try {
    const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
    worker(worker_config_of(json)).run();
    // Coroutines of leases that have ended still sleep; the process's end is theirs.
    ::_exit(0);
  } catch (const std::exception& error) {
    std::cerr << "leaselab live-worker: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace leaselab::cli::live
