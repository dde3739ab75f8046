#include "providers/pipe/front.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "providers/error.hpp"

namespace leaselab::pipe {
namespace {

[[noreturn]] void fail(const char* what) {
  throw host_failed(fmt::format("the front of a child: {}: {}", what, strerror(errno)));
}

// False: not in time.
bool ready(int file, short what, front::deadline until) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd look{file, what, 0};
    const int wait = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    if (::poll(&look, 1, wait) > 0) return true;
    if (left.count() <= 0) return false;
  }
}

// A close is then a reset: it leaves no port behind that nobody may use for a minute.
void close_at_once(int file) {
  const linger none{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(file, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  ::close(file);
}

// At once: a client that has not turned Nagle's algorithm off keeps its next bytes until then, and
// acknowledgements wait for up to 40 ms for something to go along with.
void acknowledge(int file) {
  const int yes = 1;
  ::setsockopt(file, IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
}

}  // namespace

connection::~connection() {
  if (file >= 0) close_at_once(file);
}

front::front() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) fail("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, plain, size) != 0 || ::listen(listener_, 128) != 0 ||
      ::getsockname(listener_, plain, &size) != 0) {
    const int error = errno;
    ::close(listener_);
    errno = error;
    fail("no port on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
}

front::~front() { ::close(listener_); }

std::string front::url() const { return fmt::format("redis://127.0.0.1:{}", port_); }

bool front::called(deadline until) { return ready(listener_, POLLIN, until); }

bool front::accept_one(deadline until) {
  if (!called(until)) return false;
  sockaddr_in peer{};
  socklen_t size = sizeof peer;
  const int file =
      ::accept4(listener_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  // Whoever called may have gone again.
  if (file < 0) return true;
  const int yes = 1;
  ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  auto made = std::make_shared<connection>();
  made->port = ntohs(peer.sin_port);
  made->file = file;
  // A port may be used once more; the later one is the one that lives.
  open_[made->port] = made;
  return true;
}

connection& front::find(std::uint16_t port, deadline until) {
  while (accept_one(std::chrono::steady_clock::time_point{})) {
  }
  while (!open_.contains(port)) {
    if (!accept_one(until)) {
      throw std::runtime_error(
          fmt::format("it says that it has connected from port {}, and has not", port));
    }
  }
  return *open_.at(port);
}

std::vector<front::arrival> front::take(const std::vector<socket_news>& said, deadline until) {
  std::vector<arrival> out;
  for (const auto& each : said) {
    if (cut_.contains(each.port)) {
      if (each.closed) cut_.erase(each.port);
      continue;
    }
    connection& from = find(each.port, until);
    read_up_to(from, each.bytes, until);
    auto& one = out.emplace_back();
    one.on = open_.at(each.port);
    one.call = each.call;
    while (auto next = take_request(from.unread)) one.requests.push_back(std::move(*next));
    if (!each.closed) continue;
    from.gone = *from.hung_up = true;
    open_.erase(each.port);
  }
  return out;
}

void front::read_up_to(connection& from, std::uint64_t total, deadline until) {
  while (from.read < total) {
    const auto before = from.read;
    // No more: what stands behind may be another call's.
    if (!read_some(from, total - from.read)) {
      throw std::runtime_error(
          fmt::format("it says that it has sent {} bytes to Redis, and closed after "
                      "{}",
                      total, from.read));
    }
    if (from.read > before) continue;
    acknowledge(from.file);
    if (!ready(from.file, POLLIN, until)) {
      throw std::runtime_error(
          fmt::format("it says that it has sent {} bytes to Redis, and sent {}", total, from.read));
    }
  }
}

// False: the child has closed it.
bool front::read_some(connection& from, std::uint64_t most) {
  std::array<char, 65536> buffer;
  const auto size = std::min<std::uint64_t>(most, buffer.size());
  const auto got = ::recv(from.file, buffer.data(), size, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  from.unread.append(buffer.data(), static_cast<std::size_t>(got));
  from.read += static_cast<std::uint64_t>(got);
  return got > 0;
}

std::vector<front::arrival> front::take_any(deadline until) {
  while (accept_one(std::chrono::steady_clock::time_point{})) {
  }
  std::vector<pollfd> looks{{listener_, POLLIN, 0}};
  std::vector<std::shared_ptr<connection>> sources;
  for (const auto& [port, each] : open_) {
    looks.push_back({each->file, POLLIN, 0});
    sources.push_back(each);
  }
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  ::poll(looks.data(), looks.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
  std::vector<arrival> out;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (looks[i + 1].revents == 0) continue;
    auto& one = out.emplace_back();
    one.on = sources[i];
    if (!read_some(*one.on, std::numeric_limits<std::uint64_t>::max())) {
      one.on->gone = *one.on->hung_up = true;
      open_.erase(one.on->port);
    }
    while (auto next = take_request(one.on->unread)) one.requests.push_back(std::move(*next));
  }
  return out;
}

void front::write(connection& to, const std::string& bytes) {
  if (to.gone || bytes.empty()) return;
  const auto sent = ::send(to.file, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(bytes.size())) {
    if (sent < 0 && errno != EAGAIN) return;  // it is gone, and will say so
    throw std::runtime_error(
        fmt::format("a reply of {} bytes is too long for the front", bytes.size()));
  }
  to.written += bytes.size();
  tell(to);
}

void front::cut(connection& which) {
  if (which.gone) return;
  which.gone = true;
  tell(which);
  close_at_once(which.file);
  which.file = -1;
  cut_.insert(which.port);
  open_.erase(which.port);
}

void front::tell(const connection& about) {
  const socket_news now{about.port, about.written, about.gone, 0};
  const auto known = std::ranges::find(news_, about.port, &socket_news::port);
  if (known != news_.end()) {
    *known = now;
  } else {
    news_.push_back(now);
  }
}

std::vector<socket_news> front::news() { return std::exchange(news_, {}); }

void front::forget() {
  while (accept_one(std::chrono::steady_clock::time_point{})) {
  }
  for (auto& [port, each] : open_) {
    each->gone = true;
    old_.push_back(std::move(each));
  }
  open_.clear();
  cut_.clear();
  news_.clear();
}

void front::bury() { old_.clear(); }

}  // namespace leaselab::pipe
