// The Redis that a child sees: a port on this machine, and behind it whatever the host makes of
// each command. Both sides count bytes and say how many there are, so that nobody ever waits for
// something that may or may not come (protocol.md, "Its own Redis client").
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "providers/pipe/resp.hpp"

namespace leaselab::pipe {

// What one side says of a connection. The port is the child's; numbers count from its beginning.
struct socket_news {
  std::uint16_t port = 0;
  std::uint64_t bytes = 0;  // written by whoever says this
  bool closed = false;      // by the same
  std::uint64_t call = 0;   // of the child's news, the call that it wrote for; 0: it does not say
};

struct connection {
  std::uint16_t port = 0;
  int file = -1;
  std::uint64_t read = 0, written = 0;
  std::string unread;  // the beginning of a request
  bool gone = false;   // one of the two has closed it
  // The child has.
  const std::shared_ptr<bool> hung_up = std::make_shared<bool>(false);
  std::vector<request> transaction;  // since MULTI
  bool in_transaction = false;
  bool wants_resp3 = false;  // asked for it, was refused, and has sent no trip since
  ~connection();
};

class front {
 public:
  using deadline = std::chrono::steady_clock::time_point;

  // Listens on the loopback device. Throws host_failed; the rest throws std::runtime_error where
  // the child does not do what it says.
  front();
  ~front();
  front(const front&) = delete;
  front& operator=(const front&) = delete;

  std::string url() const;

  // A connection and the requests that have come in over it, in order.
  struct arrival {
    std::shared_ptr<connection> on;
    std::vector<request> requests;
    std::uint64_t call = 0;  // socket_news::call
  };
  // Reads what the child says that it has written, all of it.
  std::vector<arrival> take(const std::vector<socket_news>& said, deadline until);
  // Whatever has come, without being told of it: of a child that says nothing. Waits until
  // something comes, but no longer than `until`.
  std::vector<arrival> take_any(deadline until);
  // Does nothing on a connection that is gone.
  void write(connection& to, const std::string& bytes);
  // The child sees a lost connection.
  void cut(connection& which);
  // What was written and cut since the last call.
  std::vector<socket_news> news();
  bool has_news() const { return !news_.empty(); }
  // A new world: every connection is of the old one. They are closed by `bury`, when the child has
  // let go of them, too.
  void forget();
  void bury();
  // Somebody has connected.
  bool called(deadline until);

 private:
  bool accept_one(deadline until);
  connection& find(std::uint16_t port, deadline until);
  void read_up_to(connection& from, std::uint64_t total, deadline until);
  bool read_some(connection& from, std::uint64_t most);
  void tell(const connection& about);

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::map<std::uint16_t, std::shared_ptr<connection>> open_;  // by the child's port
  std::set<std::uint16_t> cut_;                                // and the child has not said so
  std::vector<std::shared_ptr<connection>> old_;
  std::vector<socket_news> news_;
};

}  // namespace leaselab::pipe
