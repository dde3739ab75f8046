#include "providers/pipe/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "providers/child_start.hpp"
#include "providers/error.hpp"

namespace leaselab::pipe {
namespace {

constexpr std::size_t longest_line = 16 << 20;
constexpr std::size_t shown = 200;  // of what a child wrote
constexpr off_t kept_errors = 1 << 20;

std::string system_error(const char* what) { return fmt::format("{}: {}", what, strerror(errno)); }

// Made before the fork: after it little may be called.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> out = variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const auto name = text.substr(0, text.find('=') + 1);
    const auto same = [&](const std::string& known) { return known.starts_with(name); };
    if (std::ranges::none_of(variables, same)) out.emplace_back(text);
  }
  return out;
}

[[noreturn]] void become(const char* command, char** environment, int socket, int errors,
                         pid_t parent) {
  begin_child(parent);
  take_files(socket, socket, errors);
  close_files_from(3);
  ::execle("/bin/sh", "sh", "-c", command, nullptr, environment);
  ::_exit(127);
}

off_t size_of(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 ? about.st_size : 0;
}

std::string quoted(std::string_view text) {
  std::string out(text.substr(0, shown));
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return out + (text.size() > shown ? "..." : "");
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Several commands, or one in a shell of its own: a character outside quotes that says so.
bool is_compound(std::string_view command) {
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char one = command[i];
    if (quote == 0 && (one == '\'' || one == '"')) {
      quote = one;
    } else if (one == quote) {
      quote = 0;
    } else if (one == '\\' && quote != '\'') {
      ++i;
    } else if (quote == 0 && std::string_view("&|;(){}`!\n").find(one) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string shell_words(const std::string& command) {
  if (is_compound(command)) return command;
  const auto name = std::string_view(command).substr(0, command.find('='));
  const bool assigns = name.size() < command.size() && !name.empty() &&
                       std::ranges::all_of(name, [](char c) { return c == '_' || is_letter(c); });
  // A variable goes to what `env` starts.
  return (assigns ? "exec env " : "exec ") + command;
}

child::child(std::string command, std::chrono::milliseconds patience,
             const std::vector<std::string>& variables)
    : command_(std::move(command)), patience_(patience) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw host_failed(system_error("socketpair"));
  }
  socket_ = ends[0];
  errors_ = ::memfd_create("stderr", MFD_CLOEXEC);
  const std::string words = shell_words(command_);
  auto texts = environment_with(variables);
  std::vector<char*> environment;
  for (auto& each : texts) environment.push_back(each.data());
  environment.push_back(nullptr);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become(words.c_str(), environment.data(), ends[1], errors_, parent);
  ::close(ends[1]);
  if (id_ < 0) fail(system_error("it cannot be started"));
  ::setpgid(id_, id_);  // whoever of the two is first
  ended_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
}

child::~child() { end(); }

// Its group goes first: while it is not waited for, its number is nobody else's.
void child::end() {
  if (id_ > 0) {
    ::kill(-id_, SIGKILL);
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  id_ = -1;
  for (int* each : {&socket_, &errors_, &ended_}) {
    if (*each >= 0) ::close(*each);
    *each = -1;
  }
}

std::string child::exchange(std::string_view line) {
  if (id_ < 0) throw host_failed(fmt::format("{}: it has ended", command_));
  forget_errors();
  const auto until = std::chrono::steady_clock::now() + patience_;
  std::string bytes(line);
  bytes += '\n';
  write(bytes, until);
  return read_line(until);
}

// A child may talk for hours. Both sides write at one offset.
void child::forget_errors() {
  if (size_of(errors_) < kept_errors) return;
  if (::ftruncate(errors_, 0) == 0) ::lseek(errors_, 0, SEEK_SET);
}

void child::write(std::string_view bytes, deadline until) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) fail_ended();
    if (sent < 0) wait_for(POLLOUT, until);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string child::read_line(deadline until) {
  std::array<char, 65536> buffer;
  for (std::size_t looked_at = 0;;) {
    const auto end = unread_.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (!unread_.empty()) fail("it wrote more than one line: " + quoted(unread_));
      return line;
    }
    looked_at = unread_.size();
    if (unread_.size() > longest_line) fail("it wrote a line longer than 16 MB");
    wait_for(POLLIN, until);
    const auto got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) fail_ended();
    unread_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void child::wait_for(short what, deadline until) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      fail(fmt::format("no answer within {} ms{}", patience_.count(), half_a_line()));
    }
    // A child of the child may keep the other end open.
    std::array<pollfd, 2> look{{{socket_, what, 0}, {ended_, POLLIN, 0}}};
    if (::poll(look.data(), look.size(), static_cast<int>(left.count())) <= 0) continue;
    if (look[0].revents != 0) return;
    fail_ended();
  }
}

bool child::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

// Its end of the socket is closed: it ends presently, or it only closed its output.
void child::fail_ended() {
  const auto until = std::chrono::steady_clock::now() + patience_;
  while (!has_ended() && std::chrono::steady_clock::now() < until) ::poll(nullptr, 0, 10);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (info.si_pid == 0) fail("it closed its output" + half_a_line());
  const char* const how = info.si_code == CLD_EXITED ? "ended with status" : "was ended by signal";
  fail(fmt::format("it {} {}{}", how, info.si_status, half_a_line()));
}

std::string child::half_a_line() const {
  return unread_.empty() ? "" : "; half a line: " + quoted(unread_);
}

void child::fail(const std::string& what) {
  std::string text = fmt::format("{}: {}", command_, what);
  if (const auto words = last_words(); !words.empty()) text += "; it said: " + words;
  end();
  throw host_failed(text);
}

// The last line of its standard error that names an error, or else has anything in it: programs
// write a stack and their version after it.
std::string child::last_words() const {
  std::array<char, 4096> buffer;
  const off_t size = size_of(errors_);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const auto got = ::pread(errors_, buffer.data(), buffer.size(), from);
  std::string_view text(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const auto error = text.rfind("Error: ");
  if (error != std::string_view::npos) text = text.substr(0, text.find('\n', error));
  const auto line = text.rfind('\n');
  return quoted(line == std::string_view::npos ? text : text.substr(line + 1));
}

}  // namespace leaselab::pipe
