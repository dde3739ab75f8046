// A real redis-server as a child, for tests and benchmarks of the live link: in a folder of its
// own, on a unix socket and on a free port of the loopback interface.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "providers/command.hpp"
#include "providers/redis_child.hpp"

namespace leaselab::testing {

using leaselab::server_failed;

struct redis_server_options {
  bool append_only = false;                 // every write is on disk before its reply
  std::vector<std::string> arguments = {};  // more of them: {"--maxmemory", "2mb"}
};

// Started by the constructor, which returns when it answers; killed by the destructor, by its
// process id, and by the kernel when the thread that started it ends.
class redis_server {
 public:
  // Throws server_failed.
  explicit redis_server(redis_server_options options = {});
  ~redis_server();
  redis_server(const redis_server&) = delete;
  redis_server& operator=(const redis_server&) = delete;

  std::string unix_url() const { return "unix://" + socket_path(); }
  std::string tcp_url() const { return "redis://127.0.0.1:" + std::to_string(port_); }
  std::string socket_path() const { return folder_.file("s"); }
  std::uint16_t port() const { return port_; }
  pid_t id() const { return id_; }

  // On the same port, socket and folder, so with the data that was on disk. Returns when it
  // answers, or loads.
  void start();
  void kill_hard();  // SIGKILL, and waits for its end
  void stop();       // SIGSTOP, and waits until it stands
  void go_on();      // SIGCONT

  // One command on a connection of its own. Throws server_failed when there is no answer.
  reply ask(const std::vector<std::string>& words) const;

 private:
  void launch();
  void wait_until_it_answers();
  std::string log_tail() const;
  std::vector<std::string> arguments() const;

  redis_server_options options_;
  server_folder folder_;
  std::uint16_t port_ = 0;
  pid_t id_ = -1;
};

// A port of the loopback interface on which nobody listens, a moment ago.
std::uint16_t free_port();

}  // namespace leaselab::testing
