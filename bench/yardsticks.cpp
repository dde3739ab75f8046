#include "bench/yardsticks.hpp"

#include <algorithm>
#include <cstdlib>

#include "bench/spawn.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/scripts.hpp"

namespace leaselab::bench {
namespace {

using words = std::vector<std::string>;

const std::string owner = "process-1/1/1";
const std::string ttl_text = std::to_string(ttl.count());

words evalsha(const script& lua, std::initializer_list<std::string> rest) {
  words all = {"EVALSHA", lua.sha1, "1"};
  all.insert(all.end(), rest);
  return all;
}

// The commands of one round of the operation.
std::vector<words> commands_of(kind operation, const std::string& key) {
  const words acquire = evalsha(redis_scripts::acquire(), {key, owner, ttl_text});
  switch (operation) {
    case kind::acquire_release:
      return {acquire, evalsha(redis_scripts::release(), {key, owner})};
    case kind::reacquire:
    case kind::refused:
      return {acquire};
    case kind::renew:
      return {evalsha(redis_scripts::renew(), {key, owner, ttl_text})};
    case kind::transfer:
      return {evalsha(redis_scripts::transfer(), {key, owner, owner, ttl_text})};
    case kind::get:
      return {{"GET", key}};
    case kind::mix:
      break;
  }
  return {};
}

std::string prepare(server& on, kind operation) {
  std::string key = lease_key(on.prefix(), "thread-y");
  const std::string holder(lease_before(operation) == wanted::stranger ? stranger : owner);
  on.link().ask({"SET", key, holder, "PX", ttl_text});
  return key;
}

words where(const redis_url& address) {
  words all = {"redis-benchmark", "--csv"};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) all.insert(all.end(), {flag, value});
  };
  add("-h", address.host);
  if (address.is_unix()) add("-s", address.path);
  if (!address.is_unix()) add("-p", std::to_string(address.port));
  add("-a", address.password);
  add("--user", address.user);
  if (address.database != 0) add("--dbnum", std::to_string(address.database));
  return all;
}

// Its last line is "title","requests a second",...
double rate_in(const std::string& csv) {
  const auto line = csv.rfind('\n', csv.size() < 2 ? 0 : csv.size() - 2);
  const auto figure = csv.find("\",\"", line == std::string::npos ? 0 : line);
  return figure == std::string::npos ? 0 : std::atof(csv.c_str() + figure + 3);
}

double one_rate(server& on, const load& wanted, const words& command, double calls) {
  const int at_once = wanted.clients * wanted.depth;
  words all = where(on.address(wanted.transport));
  for (const auto& [flag, value] :
       {std::pair("-c", wanted.clients), std::pair("-P", wanted.depth),
        std::pair("-n", std::max(static_cast<int>(calls), 2 * at_once))}) {
    all.insert(all.end(), {flag, std::to_string(value)});
  }
  all.insert(all.end(), command.begin(), command.end());
  return rate_in(output_of(std::move(all), std::chrono::seconds(30)));
}

}  // namespace

bool has_command(kind operation) { return operation != kind::mix; }

double redis_benchmark_rate(server& on, const load& wanted, double calls) {
  const auto commands = commands_of(wanted.operation, prepare(on, wanted.operation));
  double seconds_a_call = 0;
  for (const words& command : commands) {
    const double rate = one_rate(on, wanted, command, calls / commands.size());
    if (rate <= 0) return 0;
    seconds_a_call += 1 / rate / commands.size();
  }
  return commands.empty() ? 0 : 1 / seconds_a_call;
}

double hiredis_rate(server& on, const load& wanted, steady::duration length) {
  const auto commands = commands_of(wanted.operation, prepare(on, wanted.operation));
  if (commands.empty()) return 0;
  raw_link link(on.address(wanted.transport));
  std::vector<std::vector<const char*>> texts(commands.size());
  std::vector<std::vector<std::size_t>> sizes(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    for (const std::string& word : commands[i]) {
      texts[i].push_back(word.data());
      sizes[i].push_back(word.size());
    }
  }
  const auto began = steady::now();
  double calls = 0;
  do {
    for (std::size_t i = 0; i < commands.size(); ++i) link.repeat(texts[i], sizes[i]);
    calls += static_cast<double>(commands.size());
  } while (steady::now() < began + length && !stopping());
  return calls / std::chrono::duration<double>(steady::now() - began).count();
}

}  // namespace leaselab::bench
