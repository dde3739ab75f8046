// The callers of one row with their providers and connections, on one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/rows.hpp"
#include "providers/environment_asio.hpp"
#include "providers/memory/memory_store.hpp"

namespace leaselab::bench {

class fleet {
 public:
  // `on` may be null where the row is not live.
  fleet(const row& which, server* on);
  ~fleet();
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;

  // Connects where that is still to be done; puts the leases in place; lets the callers run.
  batch run(steady::duration length);

 private:
  std::unique_ptr<any_lease_provider> make_provider(const std::string& name, environment& on);
  void prepare();
  void prepare(const std::string& key, const std::string& owner);
  // By the operations of one whose records nobody knows.
  void prepare_by_calls(const std::map<std::string, std::string>& owners);
  void run_to_end(awaitable<void> work);

  class steady_granules final : public granule_clock {
   public:
    std::int64_t now_granules() const override {
      return std::chrono::duration_cast<milliseconds>(steady::now().time_since_epoch()).count();
    }
  };

  const kind operation_;
  const bool judged_;
  server* const server_;
  const handed_in* const given_;  // null: built in
  steady_granules clock_;
  memory_store store_{clock_};
  std::shared_ptr<void> given_store_;
  asio::io_context context_{1};
  std::vector<std::unique_ptr<environment_asio>> environments_;
  std::vector<std::unique_ptr<any_lease_provider>> providers_;
  std::vector<caller> callers_;
};

}  // namespace leaselab::bench
