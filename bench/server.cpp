#include "bench/server.hpp"

#include <random>

#include "providers/redis/redis_provider.hpp"

namespace leaselab::bench {
namespace {

std::string random_prefix() {
  std::random_device chance;
  return "leaselab-bench-" + std::to_string(chance());
}

}  // namespace

redis_url address_of(const std::string& url) {
  auto parsed = parse_redis_url(url);
  if (!parsed) throw std::invalid_argument(parsed.error().text);
  return *parsed;
}

server::server(const std::string& url) : given_(url), prefix_(random_prefix()) {
  if (given_.empty()) own_ = std::make_unique<testing::redis_server>();
  link_ = std::make_unique<raw_link>(address(transports().front()));
  for (const script* each : redis_provider::scripts()) link_->ask({"SCRIPT", "LOAD", each->text});
}

server::~server() {
  if (own_ != nullptr) return;  // it goes with all that it holds
  try {
    remove_keys();
  } catch (const unusable_server&) {  // it is gone; what is left there ends with its ttl
  }
}

std::vector<std::string> server::transports() const {
  if (own_ != nullptr) return {"tcp", "unix"};
  return {address_of(given_).is_unix() ? "unix" : "tcp"};
}

std::string server::url(std::string_view transport) const {
  if (own_ == nullptr) return given_;
  return transport == "unix" ? own_->unix_url() : own_->tcp_url();
}

redis_url server::address(std::string_view transport) const { return address_of(url(transport)); }

std::string server::version() {
  const raw_reply answer = link_->ask({"INFO", "server"});
  const std::string_view text(answer->str == nullptr ? "" : answer->str, answer->len);
  constexpr std::string_view name = "redis_version:";
  const auto found = text.find(name);
  if (found == std::string_view::npos) return "unknown";
  const auto rest = text.substr(found + name.size());
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

void server::remove_keys() {
  std::string cursor = "0";
  do {
    const raw_reply page = link_->ask({"SCAN", cursor, "MATCH", prefix_ + "*", "COUNT", "1000"});
    if (page->type != REDIS_REPLY_ARRAY || page->elements != 2) return;
    cursor = page->element[0]->str;
    std::vector<std::string> words = {"DEL"};
    const redisReply& found = *page->element[1];
    for (std::size_t i = 0; i < found.elements; ++i) {
      words.emplace_back(found.element[i]->str, found.element[i]->len);
    }
    if (words.size() > 1) link_->ask(words);
  } while (cursor != "0");
}

}  // namespace leaselab::bench
