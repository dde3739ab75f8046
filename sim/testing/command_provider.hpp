// A provider for tests of what happens at the backend: the owner that acquire is given is a command
// (words between spaces), and the denial names what it was answered.
#pragma once

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "sim/deployment.hpp"
#include "sim/redis/differential.hpp"

namespace leaselab::sim::testing {

class command_provider final : public any_lease_provider {
 public:
  explicit command_provider(environment& environment) : environment_(environment) {}

  awaitable<result<acquire_answer>> acquire_lease(std::string, std::string owner, milliseconds,
                                                  call_options options) override {
    command request;
    std::istringstream words(owner);
    for (std::string word; words >> word;) request.words.push_back(word);
    const auto limit = options.limit.value_or(std::chrono::seconds(5));
    auto answer = co_await environment_.send(std::move(request), environment_.now() + limit);
    if (!answer) co_return answer.error();
    acquire_answer out;
    out.owner = redis::describe(*answer);
    co_return out;
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string,
                                                                call_options) override {
    co_return std::nullopt;
  }
  awaitable<result<void>> release_lease(std::string, std::string, call_options) override {
    co_return result<void>();
  }
  awaitable<result<bool>> renew_lease(std::string, std::string, milliseconds,
                                      call_options) override {
    co_return false;
  }
  awaitable<result<transfer_answer>> transfer_lease(std::string, std::string, std::string,
                                                    milliseconds, call_options) override {
    co_return transfer_answer();
  }
  void close() override {}

 private:
  environment& environment_;
};

class command_deployment final : public deployment {
 public:
  void reset(const plan&) override { providers_.clear(); }
  deployed start(process_id process, environment& environment) override {
    providers_[process] = std::make_unique<command_provider>(environment);
    return {providers_[process].get(), false, {}};
  }
  std::optional<observed_record> peek(std::uint8_t, const std::string&) override {
    return std::nullopt;
  }

 private:
  std::map<process_id, std::unique_ptr<any_lease_provider>> providers_;
};

inline variant command_variant() {
  variant value;
  value.name = "commands";
  value.needs_engine = true;
  value.deploy = [](const host&) { return std::make_unique<command_deployment>(); };
  return value;
}

}  // namespace leaselab::sim::testing
