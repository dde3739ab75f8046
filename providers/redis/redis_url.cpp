#include "providers/redis/redis_url.hpp"

#include <sys/un.h>

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace leaselab {
namespace {

lease_error refused(std::string_view why, std::string_view text = {}) {
  std::string line = "not a Redis address: ";
  line.append(why);
  if (!text.empty()) line.append(": ").append(text);
  return definite(errc::invalid_argument, std::move(line));
}

template <class Integer>
std::optional<Integer> number(std::string_view text, int base = 10) {
  Integer value{};
  const auto end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto byte = number<std::uint8_t>(text.substr(i + 1, 2), 16);
    if (!byte || i + 2 >= text.size()) return std::nullopt;
    out += static_cast<char>(*byte);
    i += 2;
  }
  return out;
}

// Takes "user:password@" off the front of `rest`. False: it is malformed.
bool take_login(std::string_view& rest, redis_url& url) {
  const auto at = rest.substr(0, rest.find('/')).rfind('@');
  if (at == std::string_view::npos) return true;
  const auto login = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const auto colon = login.find(':');
  if (colon == std::string_view::npos) return false;
  auto user = percent_decoded(login.substr(0, colon));
  auto password = percent_decoded(login.substr(colon + 1));
  if (!user || !password) return false;
  url.user = std::move(*user);
  url.password = std::move(*password);
  return true;
}

bool set_database(std::string_view text, redis_url& url) {
  const auto database = number<int>(text);
  if (database && *database >= 0) url.database = *database;
  return database && *database >= 0;
}

// host[:port]; the colons of a bracketed address are its own.
bool set_host_and_port(std::string_view text, redis_url& url) {
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto bracket = text.find(']');
    if (bracket == std::string_view::npos) return false;
    url.host = text.substr(1, bracket - 1);
    port = text.substr(bracket + 1);
    has_port = !port.empty();
    if (has_port && port.front() != ':') return false;
    if (has_port) port.remove_prefix(1);
  } else {
    const auto colon = text.find(':');
    url.host = text.substr(0, colon);
    has_port = colon != std::string_view::npos;
    if (has_port) port = text.substr(colon + 1);
  }
  if (!has_port) return true;
  const auto parsed = number<std::uint16_t>(port);
  if (parsed) url.port = *parsed;
  return parsed && *parsed != 0;
}

result<redis_url> parse_tcp(std::string_view rest) {
  redis_url url;
  if (!take_login(rest, url)) return refused("the part before @ is user:password");
  const auto slash = rest.find('/');
  if (!set_host_and_port(rest.substr(0, slash), url)) return refused("host or port", rest);
  if (url.host.empty()) return refused("the host is missing");
  const auto database = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (!database.empty() && !set_database(database, url)) return refused("database", database);
  return url;
}

result<redis_url> parse_unix(std::string_view rest) {
  redis_url url;
  if (!take_login(rest, url)) return refused("the part before @ is user:password");
  const auto query = rest.rfind("?db=");
  if (query != std::string_view::npos) {
    if (!set_database(rest.substr(query + 4), url)) return refused("database", rest.substr(query));
    rest = rest.substr(0, query);
  }
  if (rest.empty()) return refused("the path is missing");
  if (rest.find('\0') != std::string_view::npos) return refused("the path holds a zero byte");
  constexpr auto longest = sizeof(sockaddr_un::sun_path) - 1;
  if (rest.size() > longest) {
    return refused("the unix path has " + std::to_string(rest.size()) + " bytes and " +
                       std::to_string(longest) + " are possible",
                   rest);
  }
  url.path = rest;
  return url;
}

}  // namespace

std::string redis_url::name() const {
  if (is_unix()) return "unix://" + path;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

result<redis_url> parse_redis_url(std::string_view text) {
  constexpr std::string_view tcp = "redis://";
  constexpr std::string_view local = "unix://";
  if (text.starts_with(tcp)) return parse_tcp(text.substr(tcp.size()));
  if (text.starts_with(local)) return parse_unix(text.substr(local.size()));
  return refused("it begins with neither redis:// nor unix://", text);
}

}  // namespace leaselab
