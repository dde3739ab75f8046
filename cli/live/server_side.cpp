#include "cli/live/server_side.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <boost/asio/co_spawn.hpp>
#include <charconv>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>

#include "cli/additions.hpp"
#include "providers/redis/redis_provider.hpp"
#include "providers/redis/redis_url.hpp"

namespace leaselab::cli::live {
namespace {

constexpr milliseconds patience(2000);

// Not of the seed: two runs with one seed must not meet on one server.
std::string random_prefix() {
  std::random_device device;
  const std::uint64_t high = device();
  const std::uint64_t low = device();
  return fmt::format("leaselab-live-{:08x}{:08x}", high & 0xffffffff, low & 0xffffffff);
}

// The value of "name=" in a line of CLIENT LIST.
std::string_view field(std::string_view line, std::string_view name) {
  const std::string wanted = " " + std::string(name) + "=";
  const auto at = line.find(wanted);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + wanted.size());
  return line.substr(0, line.find(' '));
}

std::string id_of(std::string_view line) {
  if (!line.starts_with("id=")) return {};
  line.remove_prefix(3);
  return std::string(line.substr(0, line.find(' ')));
}

std::string version_in(const std::string& info) {
  constexpr std::string_view name = "redis_version:";
  const auto at = info.find(name);
  if (at == std::string::npos) return {};
  const auto from = at + name.size();
  return info.substr(from, info.find_first_of("\r\n", from) - from);
}

}  // namespace

server_side::server_side(const setup& of) : url_(of.url), prefix_(random_prefix()) {
  if (of.own_server()) {
    own_ =
        std::make_unique<testing::redis_server>(testing::redis_server_options{.append_only = true});
    url_ = own_->unix_url();
  }
  environment_asio_options options;
  options.redis = url_;
  environment_ = std::make_unique<environment_asio>(context_.get_executor(), options);
  const auto pong = ask({"PING"});
  if (!pong) {
    throw std::runtime_error(pong.error().text.empty() ? name() + " does not answer"
                                                       : without_password(pong.error().text));
  }
  if (pong->kind == reply_kind::error) throw std::runtime_error(name() + ": " + pong->text);
  const auto info = ask({"INFO", "server"});
  if (info && info->kind == reply_kind::text) version_ = version_in(info->text);
}

// Before its context, and with the time that it takes to end its connection.
server_side::~server_side() {
  environment_.reset();
  context_.restart();
  context_.poll();
}

std::string server_side::name() const {
  if (own_) return "its own redis-server";
  const auto where = parse_redis_url(url_);
  return where ? where->name() : "redis";
}

std::string server_side::version() const { return version_; }

result<reply> server_side::ask(std::vector<std::string> words) {
  std::optional<result<reply>> got;
  command request;
  request.words.assign(words.begin(), words.end());
  context_.restart();
  asio::co_spawn(context_, environment_->send(std::move(request), environment_->now() + patience),
                 [&](std::exception_ptr thrown, result<reply> ended) {
                   if (thrown) std::rethrow_exception(thrown);
                   got.emplace(std::move(ended));
                 });
  while (!got && context_.run_one() > 0) continue;
  return got ? std::move(*got) : result<reply>(definite(errc::closed));
}

std::vector<std::string> server_side::connections(const std::string& client_name) {
  std::vector<std::string> ids;
  const auto list = ask({"CLIENT", "LIST", "TYPE", "normal"});
  if (!list || list->kind != reply_kind::text) return ids;
  std::string_view rest = list->text;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto name = field(line, "name");
    if (name.starts_with(client_name)) ids.push_back(id_of(line));
  }
  return ids;
}

void server_side::hold_writes(milliseconds longest) {
  static_cast<void>(ask({"CLIENT", "PAUSE", std::to_string(longest.count()), "WRITE"}));
}

void server_side::let_writes_go() { static_cast<void>(ask({"CLIENT", "UNPAUSE"})); }

int server_side::cut(const std::string& client_name) {
  int count = 0;
  for (const auto& id : connections(client_name)) {
    const auto killed = ask({"CLIENT", "KILL", "ID", id});
    if (killed && killed->kind == reply_kind::integer) count += static_cast<int>(killed->integer);
  }
  return count;
}

std::int64_t server_side::time_us() {
  const auto now = ask({"TIME"});
  if (!now || now->items.size() != 2) return 0;
  std::int64_t parts[2] = {};
  for (int i = 0; i < 2; ++i) {
    const auto& text = now->items[static_cast<std::size_t>(i)].text;
    std::from_chars(text.data(), text.data() + text.size(), parts[i]);
  }
  return parts[0] * 1'000'000 + parts[1];
}

void server_side::kill_hard() {
  own_->kill_hard();
  down_ = true;
}

void server_side::start() {
  own_->start();
  down_ = false;
}

// Looks without reaping: the server's own object does that.
bool server_side::gone() {
  if (!own_ || down_) return false;
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(own_->id()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

void server_side::keep_log(const std::filesystem::path& as) const {
  if (!own_) return;
  const std::filesystem::path log =
      std::filesystem::path(own_->socket_path()).parent_path() / "log";
  std::error_code ignored;
  std::filesystem::copy_file(log, as, std::filesystem::copy_options::overwrite_existing, ignored);
}

// A killed worker's last requests may still lie in the server's sockets: it must have seen the
// end of every connection before what they left is removed for good.
void server_side::clean(int keys) {
  if (own_) return;
  constexpr int attempts = 100;  // of 10 ms
  for (int i = 0; i < attempts && !connections(prefix_ + ".").empty(); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  for (int key = 0; key < keys; ++key) {
    const std::string name = "k" + std::to_string(key);
    const auto removed = ask({"DEL", lease_key(prefix_, name)});
    static_cast<void>(ask({"DEL", fence_key(prefix_, name)}));
    if (!removed) fmt::print(stderr, "leaselab: {} may be left at the server\n", name);
  }
  if (!added_providers().empty()) clean_prefix();
}

// Of providers that name their keys in ways of their own.
void server_side::clean_prefix() {
  std::string cursor = "0";
  do {
    const auto page = ask({"SCAN", cursor, "MATCH", "*" + prefix_ + "*", "COUNT", "1000"});
    if (!page || page->items.size() != 2) return;
    for (const auto& each : page->items[1].items) static_cast<void>(ask({"DEL", each.text}));
    cursor = page->items[0].text;
  } while (cursor != "0");
}

}  // namespace leaselab::cli::live
