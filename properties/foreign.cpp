#include "properties/foreign.hpp"

#include <unistd.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "properties/deployments.hpp"
#include "properties/foreign_library.hpp"
#include "providers/pipe/host_task.hpp"
#include "providers/pipe/pipe_provider.hpp"
#include "providers/redis/redis_provider.hpp"
#include "sim/errands_sim.hpp"

namespace leaselab::properties {
namespace {

// Real time, of a lock-step answer: no verdict hangs on it.
constexpr std::chrono::seconds patience{10};

pipe::hello greet(pipe::child& program) {
  const std::string answer = program.exchange(pipe::hello_line(world_prefix));
  try {
    return pipe::parse_hello(answer);
  } catch (const std::runtime_error& error) {
    program.fail(error.what());
  }
}

pipe::turn reset(pipe::child& program, const std::string& line = pipe::reset_line()) {
  const std::string answer = program.exchange(line);
  try {
    auto said = pipe::parse_turn(answer);
    if (said.acts.empty()) return said;
  } catch (const std::runtime_error& error) {
    program.fail(error.what());
  }
  program.fail("it acts on a reset: " + answer.substr(0, 200));
}

// A program with the Redis that it may talk to itself.
struct program_with_redis {
  explicit program_with_redis(const std::string& command)
      : program(command, patience, environment_with(front)), commands(front) {}

  // With that a Python program has its sets of texts in the same order each time.
  static std::vector<std::string> environment_with(const pipe::front& front) {
    return {"REDIS_URL=" + front.url(), "PYTHONHASHSEED=0"};
  }

  void begin_world(environment& environment, pipe::pace pace) {
    commands.reset();
    if (pace == pipe::pace::in_step) {
      begin_in_step(environment);
    } else {
      reset(program);
      front.bury();
    }
  }

  // Of a child that serves a whole host. One that counts along anyway has its chance from here.
  void begin_host(environment& environment, const granule_clock& of_host, bool in_step) {
    commands.reset();
    const milliseconds now(of_host.now_granules());
    const pipe::clocks at{monotonic_time(now), wall_time(now)};
    reset(program, in_step ? pipe::reset_line(environment.random() >> 11, at) : pipe::reset_line());
    front.bury();
  }

  // Its client may set itself up; what else it sends waits for the first call.
  void begin_in_step(environment& environment) {
    const pipe::clocks at{environment.now(), environment.wall_now()};
    auto said = reset(program, pipe::reset_line(environment.random() >> 11, at));
    front.bury();
    const auto line = pipe::go_on_line(at);
    while (take(said)) said = reset(program, pipe::with_news(line, commands.news()));
  }

  bool take(const pipe::turn& said) {
    try {
      const auto until = std::chrono::steady_clock::now() + patience;
      return commands.take(said.sockets, until, nullptr, {});
    } catch (const std::runtime_error& error) {
      program.fail(error.what());
    }
  }

  pipe::front front;
  pipe::child program;
  pipe::traffic commands;
  bool greeted = false;
};

// The child that was asked what it has, for whoever needs one first. A child dies with the thread
// that started it, so it is kept for the thread that ends last.
class first_child {
 public:
  explicit first_child(std::unique_ptr<program_with_redis> asked) {
    if (is_here()) kept_ = std::move(asked);
  }
  std::unique_ptr<program_with_redis> take() { return is_here() ? std::move(kept_) : nullptr; }

 private:
  static bool is_here() { return ::gettid() == ::getpid(); }
  std::unique_ptr<program_with_redis> kept_;
};

class foreign_deployment final : public resolving_deployment {
 public:
  foreign_deployment(const sim::host& where, std::string command, pipe::hello said, bool loose,
                     std::shared_ptr<first_child> first)
      : clock_(where.backend_clock),
        command_(std::move(command)),
        said_(std::move(said)),
        first_(std::move(first)),
        pace_(said_.in_step ? pipe::pace::in_step
              : loose       ? pipe::pace::loose
                            : pipe::pace::none),
        records_(records_of(where)),
        errands_(sim::errands_of(where)) {}

  void reset(const sim::plan& value) override {
    resolving_deployment::reset(value);
    records_->reset(value);
    for (auto& each : children_) each.serves = false;
    tasks_.reset();
    if (said_.declared.scope != scope::host) start_children(value.processes.size());
  }
  bool instrumented() const override { return said_.says_where; }
  std::optional<sim::observed_record> peek(std::uint8_t store, const std::string& key) override {
    return records_->peek(store, key);
  }
  bool erase(std::uint8_t store, const std::string& key) override {
    return said_.says_where && records_->erase(store, key);
  }
  bool overwrite(std::uint8_t store, const std::string& key, const std::string& owner) override {
    return said_.says_where && records_->overwrite(store, key, owner);
  }

 protected:
  std::uint8_t lacks() const override {
    std::uint8_t bits = 0;
    for (const operation each : said_.missing) bits |= 1 << int(each);
    return bits;
  }
  std::unique_ptr<any_lease_provider> make(sim::process_id process, environment& environment,
                                           provider_options options) override {
    if (said_.declared.scope == scope::host) return make_task(environment, std::move(options));
    if (children_.size() <= process) children_.resize(process + 1U);
    auto& here = children_[process];
    // Serving in this world already: its process crashed.
    if (std::exchange(here.serves, true)) here.own.reset();
    if (!here.own) here.own = new_child();
    if (!std::exchange(here.own->greeted, true)) greet(here.own->program);
    here.own->begin_world(environment, pace_);
    const pipe::client_of_child client{&here.own->commands, pace_, errands_.get()};
    return std::make_unique<pipe::pipe_provider>(environment, here.own->program, std::move(options),
                                                 client);
  }

 private:
  struct slot {
    std::unique_ptr<program_with_redis> own;
    bool serves = false;
  };

  // All at once, since most of what they cost is their start.
  void start_children(std::size_t count) {
    if (children_.size() < count) children_.resize(count);
    for (auto& each : children_)
      if (!each.own) each.own = new_child();
  }

  std::unique_ptr<program_with_redis> new_child() {
    auto first = first_->take();
    return first ? std::move(first) : std::make_unique<program_with_redis>(command_);
  }

  // One child serves all of them, and a crash ends a task there and nothing else.
  std::unique_ptr<any_lease_provider> make_task(environment& environment,
                                                provider_options options) {
    if (!host_) {
      host_ = std::make_unique<program_with_redis>(command_);
      greet(host_->program);
    }
    if (!tasks_) {
      host_->begin_host(environment, clock_, said_.in_step);
      tasks_ =
          std::make_shared<pipe::host_of_tasks>(clock_, host_->program, host_->commands, options);
    }
    return std::make_unique<pipe::host_task>(environment, tasks_, std::move(options));
  }

  // Its records are looked at where those of `redis` are.
  static std::unique_ptr<sim::deployment> records_of(const sim::host& where) {
    return redis_variant("", "", {}, {}, nullptr).deploy(where);
  }

  const granule_clock& clock_;
  const std::string command_;
  const pipe::hello said_;
  const std::shared_ptr<first_child> first_;
  const pipe::pace pace_;
  const std::unique_ptr<sim::deployment> records_;
  const std::unique_ptr<errands> errands_;
  std::vector<slot> children_;
  std::unique_ptr<program_with_redis> host_;    // where its scope is one
  std::shared_ptr<pipe::host_of_tasks> tasks_;  // of this world
};

// Between a task and the memory of its host there is no message, no script and no replica, and no
// fault takes the memory away.
guarantees as_deployed(guarantees declared) {
  if (declared.scope != scope::host) return declared;
  for (const char* profile :
       {"lossy", "partition", "scripts", "backend-restart", "failover", "eviction"}) {
    declared.not_applicable.push_back({"*", profile});
  }
  return declared;
}

std::string in_folder(const std::string& folder, const std::string& command) {
  if (folder.empty()) return command;
  std::string quoted;
  for (const char each : folder) quoted += each == '\'' ? "'\\''" : std::string(1, each);
  return "cd '" + quoted + "' && " + pipe::shell_words(command);
}

foreign introduce(const std::string& name, const std::string& folder) {
  const bool loose = is_best_effort(name);
  const std::string command =
      in_folder(folder, name.substr((loose ? best_effort_prefix.size() : 0) + exec_prefix.size()));
  auto asked = std::make_unique<program_with_redis>(command);
  const pipe::hello said = greet(asked->program);
  asked->greeted = true;
  const bool for_tasks = said.declared.scope == scope::host;
  const auto first = std::make_shared<first_child>(for_tasks ? nullptr : std::move(asked));
  foreign made;
  made.missing = said.missing;
  made.variant.name = name;
  made.variant.about = "a program spoken to over a pipe";
  made.variant.declared = as_deployed(said.declared);
  made.variant.declared.one_line = said.in_step;  // on the connection of its own client
  made.variant.needs_engine = true;
  made.variant.text_only = true;
  made.variant.deploy = [command, said, loose, first](const sim::host& where) {
    return std::make_unique<foreign_deployment>(where, command, said, loose, first);
  };
  return made;
}

}  // namespace

bool is_library(std::string_view name) {
  if (is_best_effort(name) || name.starts_with(exec_prefix)) return false;
  return name.starts_with('/') || name.starts_with("./") || name.starts_with("../") ||
         name.ends_with(".so");
}

bool is_best_effort(std::string_view name) { return name.starts_with(best_effort_prefix); }

bool is_program(std::string_view name) {
  return name.starts_with(exec_prefix) || is_best_effort(name);
}

bool is_foreign(std::string_view name) { return is_program(name) || is_library(name); }

const foreign& find_foreign(const std::string& name, const std::string& folder) {
  static std::mutex asking;
  static std::map<std::pair<std::string, std::string>, foreign> known;
  const std::lock_guard lock(asking);
  const auto key = std::pair(name, folder);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  foreign made = is_library(name) ? introduce_library(name, folder) : introduce(name, folder);
  made.variant.missing = made.missing;
  return known.emplace(key, std::move(made)).first->second;
}

}  // namespace leaselab::properties
