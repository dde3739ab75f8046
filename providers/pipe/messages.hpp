// The lines of the pipe protocol (protocol.md) as values. Instants are ns here and ms, with
// fractions, on the line.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "providers/command.hpp"
#include "providers/environment.hpp"
#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"
#include "providers/pipe/front.hpp"

namespace leaselab::pipe {

// What a child says of itself.
struct hello {
  std::vector<operation> missing;  // in the order of the contract
  guarantees declared;             // nothing said: the whole contract, at cluster scope
  bool says_where = false;         // its records are Redis keys `<prefix>:lease:<key>`
  bool in_step = false;            // it counts what its own Redis client reads and writes
};

struct asked_sleep {
  nanoseconds length;
};
struct asked_random {};
struct answered {
  boost::json::value value;
};
// One thing that a child does in its turn.
struct act {
  std::uint64_t call = 0;
  std::uint64_t ask = 0;  // of requests
  std::variant<answered, lease_error, asked_sleep, asked_random, command> what;
};

// What it did until it waited for nothing but the host.
struct turn {
  std::vector<act> acts;
  // Of a child in step:
  std::vector<socket_news> sockets;
  std::optional<monotonic_time> timer;  // its next one
};

std::string hello_line(const std::string& prefix);
std::string reset_line();
std::string close_line();

struct clocks {
  monotonic_time now;
  wall_time wall;
};

// A new world for a child in step: its chance begins anew, too.
std::string reset_line(std::uint64_t seed, const clocks& at);

struct arguments {
  std::string key, owner, to;
  std::optional<milliseconds> ttl;
};
std::string call_line(std::uint64_t call, operation what, const arguments& with, nanoseconds limit,
                      const clocks& at);
std::string resume_line(std::uint64_t ask, const result<boost::json::value>& with,
                        const clocks& at);
// Nothing but the news of its sockets, or that a timer is due.
std::string go_on_line(const clocks& at);
std::string tick_line(const clocks& at);
// The same line with what the host wrote to the child's sockets.
std::string with_news(std::string line, const std::vector<socket_news>& news);
boost::json::value to_json(const reply& from);

// These throw std::runtime_error that says what is wrong with the line.
hello parse_hello(std::string_view line);
turn parse_turn(std::string_view line);
std::vector<act> parse_acts(std::string_view line);
acquire_answer parse_acquire(const boost::json::value& from);
std::optional<std::string> parse_owner(const boost::json::value& from);
bool parse_yes(const boost::json::value& from);
transfer_answer parse_transfer(const boost::json::value& from);

}  // namespace leaselab::pipe
