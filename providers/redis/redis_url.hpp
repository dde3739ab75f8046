// Where a Redis server is and how to log in, as users write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "providers/error.hpp"

namespace leaselab {

struct redis_url {
  std::string host;  // name or address; empty: the unix socket at `path`
  std::uint16_t port = 6379;
  std::string path;      // unix socket
  std::string user;      // empty: the default user
  std::string password;  // empty: no AUTH
  int database = 0;

  bool is_unix() const { return host.empty(); }
  // For people, without the password: "127.0.0.1:6379", "unix:///run/s".
  std::string name() const;
};

// redis://[[user]:password@]host[:port][/db] or unix://[[user]:password@]path[?db=N]. User and
// password may hold %XX; an IPv6 address stands in brackets.
// Errors: fail invalid_argument with one line of text. A path that does not fit into a socket
// address (107 bytes) is one: hiredis would silently cut it and connect to another socket.
result<redis_url> parse_redis_url(std::string_view text);

}  // namespace leaselab
