#include "providers/testing/redis_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "providers/broken_pipe.hpp"
#include "providers/child_start.hpp"

namespace leaselab::testing {
namespace {

[[noreturn]] void become_server(const char* program, char** arguments, pid_t parent, int log) {
  begin_child(parent);
  const int null = ::open("/dev/null", O_RDWR);
  take_files(null, log, log);
  close_files_from(3);
  ::execv(program, arguments);
  ::_exit(127);
}

using context = std::unique_ptr<redisContext, decltype(&redisFree)>;

context connect(const std::string& path) {
  ignore_broken_pipes();
  return {redisConnectUnixWithTimeout(path.c_str(), timeval{5, 0}), &redisFree};
}

reply read_reply(const redisReply& from) {
  reply read;
  switch (from.type) {
    case REDIS_REPLY_INTEGER:
      read.kind = reply_kind::integer;
      read.integer = from.integer;
      break;
    case REDIS_REPLY_ARRAY:
      read.kind = reply_kind::array;
      for (std::size_t i = 0; i < from.elements; ++i) {
        read.items.push_back(read_reply(*from.element[i]));
      }
      break;
    case REDIS_REPLY_NIL:
      break;
    default:
      read.kind = from.type == REDIS_REPLY_ERROR    ? reply_kind::error
                  : from.type == REDIS_REPLY_STATUS ? reply_kind::status
                                                    : reply_kind::text;
      read.text.assign(from.str, from.len);
  }
  return read;
}

// None when there is no answer.
std::optional<reply> exchange(const std::string& path, const std::vector<std::string>& words) {
  const context link = connect(path);
  if (link == nullptr || link->err != 0) return std::nullopt;
  redisSetTimeout(link.get(), timeval{5, 0});
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  const std::unique_ptr<void, decltype(&freeReplyObject)> answer(
      redisCommandArgv(link.get(), static_cast<int>(words.size()), texts.data(), sizes.data()),
      &freeReplyObject);
  if (answer == nullptr) return std::nullopt;
  return read_reply(*static_cast<const redisReply*>(answer.get()));
}

}  // namespace

std::uint16_t free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool found = ::bind(probe, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(probe);
  if (!found) throw server_failed(system_error("no free port"));
  return ntohs(address.sin_port);
}

redis_server::redis_server(redis_server_options options) : options_(std::move(options)) {
  // Another program may take the port between the probe and the start: then another port.
  for (int attempts_left = 5;; --attempts_left) {
    port_ = free_port();
    try {
      start();
      return;
    } catch (const server_failed&) {
      kill_hard();
      if (attempts_left <= 0) throw;
    }
  }
}

redis_server::~redis_server() { kill_hard(); }

std::vector<std::string> redis_server::arguments() const {
  std::vector<std::string> all = {"redis-server",
                                  "--bind",
                                  "127.0.0.1",
                                  "--port",
                                  std::to_string(port_),
                                  "--unixsocket",
                                  socket_path(),
                                  "--dir",
                                  folder_.path(),
                                  "--save",
                                  "",
                                  "--appendonly",
                                  options_.append_only ? "yes" : "no",
                                  "--appendfsync",
                                  "always",
                                  "--daemonize",
                                  "no",
                                  "--enable-debug-command",
                                  "yes"};
  all.insert(all.end(), options_.arguments.begin(), options_.arguments.end());
  return all;
}

void redis_server::start() {
  launch();
  wait_until_it_answers();
}

void redis_server::launch() {
  ::unlink(socket_path().c_str());
  const std::string program = find_redis_server();
  std::vector<std::string> words = arguments();
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string log_path = folder_.file("log");
  const int log = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) throw server_failed(system_error(log_path));
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become_server(program.c_str(), pointers.data(), parent, log);
  ::close(log);
  if (id_ < 0) throw server_failed(system_error("fork"));
}

// A server tells nobody that it is ready, but its socket appears and answers.
void redis_server::wait_until_it_answers() {
  constexpr int attempts = 4000;  // of 5 ms
  for (int i = 0; i < attempts; ++i) {
    if (::waitpid(id_, nullptr, WNOHANG) == id_) {
      id_ = -1;
      throw server_failed("redis-server ended at its start:" + log_tail());
    }
    if (exchange(socket_path(), {"PING"})) return;
    ::usleep(5000);
  }
  throw server_failed("redis-server does not answer:" + log_tail());
}

void redis_server::kill_hard() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
  id_ = -1;
}

void redis_server::stop() {
  ::kill(id_, SIGSTOP);
  ::waitpid(id_, nullptr, WUNTRACED);
}

void redis_server::go_on() { ::kill(id_, SIGCONT); }

reply redis_server::ask(const std::vector<std::string>& words) const {
  const auto answer = exchange(socket_path(), words);
  if (!answer) throw server_failed("no answer to " + words.front() + log_tail());
  return *answer;
}

std::string redis_server::log_tail() const { return leaselab::log_tail(folder_.file("log")); }

}  // namespace leaselab::testing
