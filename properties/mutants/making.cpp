#include "properties/mutants/making.hpp"

#include <algorithm>
#include <stdexcept>

#include "providers/redis/replies.hpp"

namespace leaselab::properties::mutations {
mutant told(description text, std::string base) {
  mutant value;
  value.id = std::move(text.id);
  value.name = std::move(text.name);
  value.sentence = std::move(text.sentence);
  value.base = std::move(base);
  value.killed_by = std::move(text.killed_by);
  return value;
}

namespace {

// Two that are granted one key at a time are two that believe it, and two that write.
void add_clients(std::vector<std::string>& killed_by) {
  if (std::find(killed_by.begin(), killed_by.end(), "single_owner.grant") == killed_by.end())
    return;
  killed_by.insert(killed_by.end(), {"single_owner.belief", "single_owner.effect"});
}

mutant made(description text, std::string base) {
  mutant value = told(std::move(text), std::move(base));
  add_clients(value.killed_by);
  return value;
}

// Puts the faulty script in the place of the correct one whenever that is sent.
class edited_scripts final : public environment_over {
 public:
  edited_scripts(environment& real, const script& correct, const script& faulty)
      : environment_over(real), correct_(correct), faulty_(faulty) {}

  awaitable<result<reply>> send(command request, monotonic_time deadline) override {
    if (request.lua == &correct_) request.lua = &faulty_;
    return real_.send(std::move(request), deadline);
  }

 private:
  const script& correct_;
  const script& faulty_;
};

}  // namespace

mutant of_redis(description text, redis_factory make, std::vector<const script*> scripts,
                int acquire_trips) {
  auto declared = redis_provider::declare();
  declared.acquire_trips = acquire_trips;
  auto warm = redis_provider::scripts();
  warm.insert(warm.end(), scripts.begin(), scripts.end());
  auto value = made(std::move(text), "redis");
  value.variant = redis_variant("mutant:" + value.id, value.name, std::move(declared),
                                std::move(warm), std::move(make));
  return value;
}

mutant of_memory(description text, memory_factory make) {
  auto value = made(std::move(text), "memory");
  value.variant =
      memory_variant("mutant:" + value.id, value.name, memory_provider::declare(), std::move(make));
  return value;
}

mutant of_memory_deployed(
    description text, std::function<std::unique_ptr<sim::deployment>(const sim::host&)> deploy) {
  auto value = of_memory(std::move(text), {});
  value.variant.deploy = std::move(deploy);
  return value;
}

script edited(const script& correct, std::string_view passage, std::string_view instead) {
  auto text = correct.text;
  const auto at = text.find(passage);
  if (at == std::string::npos || text.find(passage, at + 1) != std::string::npos)
    throw std::logic_error("the script " + correct.name +
                           " does not hold once: " + std::string(passage));
  text.replace(at, passage.size(), instead);
  return {correct.name, std::move(text)};
}

mutant with_script(description text, const script& correct, const script& faulty) {
  const auto make = [&correct, &faulty](environment& environment, provider_options options) {
    return std::make_unique<redis_on<edited_scripts>>(environment, std::move(options), correct,
                                                      faulty);
  };
  return of_redis(std::move(text), make, {&faulty});
}

awaitable<result<reply>> redis_in_steps::run(command request, monotonic_time deadline) {
  auto answer = co_await environment_.send(request, deadline);
  if (redis_replies::script_missing(answer))
    answer = co_await environment_.send(by_text(std::move(request)), deadline);
  co_return answer;
}

}  // namespace leaselab::properties::mutations
