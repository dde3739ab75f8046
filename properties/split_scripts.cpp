#include "properties/split_scripts.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "properties/mutants/making.hpp"
#include "providers/redis/fenced_provider.hpp"
#include "providers/redis/three_step_provider.hpp"
#include "sim/redis/split_run.hpp"

namespace leaselab::properties {
namespace {

using sim::redis::model_engine;

class split_environment final : public mutations::environment_over {
 public:
  split_environment(environment& real, model_engine& engine, const granule_clock& clock,
                    const std::string& only)
      : environment_over(real), engine_(engine), clock_(clock), only_(only) {}

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    const bool splits = request.lua != nullptr && (only_.empty() || request.lua->name == only_);
    return splits ? run_in_parts(std::move(request), deadline)
                  : real_.send(std::move(request), deadline);
  }

 private:
  // The first redis.call goes with the arrival. Once it has begun a script runs to its end.
  awaitable<result<reply>> run_in_parts(command request, monotonic_time deadline) {
    const auto arrived = co_await real_.step(deadline);
    if (!arrived) co_return arrived.error();
    sim::redis::split_run parts(engine_, request);
    while (!parts.done() && parts.step(clock_.now_granules())) {
      const auto let_in = co_await real_.step(monotonic_time::max());
      if (!let_in) co_return let_in.error();
    }
    co_return parts.result();
  }

  model_engine& engine_;
  const granule_clock& clock_;
  const std::string& only_;
};

class split_deployment final : public mutations::deployment_over {
 public:
  split_deployment(std::unique_ptr<sim::deployment> inner, const sim::host& where, std::string only)
      : deployment_over(std::move(inner)),
        engine_(dynamic_cast<model_engine*>(where.engine)),
        clock_(where.backend_clock),
        only_(std::move(only)) {
    if (engine_ == nullptr) throw std::logic_error("scripts are split on the model engine only");
  }

  sim::deployed start(sim::process_id process, environment& environment) override {
    if (seams_.size() <= process) seams_.resize(process + 1U);
    auto seam = std::make_unique<split_environment>(environment, *engine_, clock_, only_);
    const auto started = inner_->start(process, *seam);
    seams_[process] = std::move(seam);  // the provider on the one before it is gone
    return started;
  }

 private:
  model_engine* engine_;
  const granule_clock& clock_;
  const std::string only_;
  std::vector<std::unique_ptr<split_environment>> seams_;
};

sim::variant make(const sim::variant& base, const std::string& script, std::string name) {
  sim::variant out = base;
  out.name = std::move(name);
  out.about = "scripts taken apart at each redis.call";
  out.declared.not_guaranteed.push_back({"*", "*"});
  out.deploy = [inner = base.deploy, script](const sim::host& where) {
    return std::make_unique<split_deployment>(inner(where), where, script);
  };
  return out;
}

}  // namespace

const sim::variant& split_variant(const sim::variant& base, const std::string& script) {
  static std::mutex making;
  static std::map<std::string, sim::variant> made;
  const std::lock_guard lock(making);
  const auto name = "split:" + base.name + (script.empty() ? "" : "/" + script);
  const auto known = made.find(name);
  if (known != made.end()) return known->second;
  return made.emplace(name, make(base, script, name)).first->second;
}

std::vector<std::string> scripts_of(const sim::variant& base) {
  std::vector<const script*> scripts;
  if (base.name == "redis") scripts = redis_provider::scripts();
  if (base.name == "redis-three-step") scripts = three_step_provider::scripts();
  if (base.name == "redis-fenced") scripts = fenced_provider::scripts();
  std::vector<std::string> out;
  for (const auto* one : scripts) out.push_back(one->name);
  return out;
}

}  // namespace leaselab::properties
