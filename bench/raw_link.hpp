// hiredis, blocking: prepares and cleans a server for the benchmarks, and is a yardstick itself.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "providers/redis/redis_url.hpp"

namespace leaselab::bench {

// A server that cannot be used, in one line that says which and why.
class unusable_server : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using raw_reply = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

// Connected and logged in. Throws unusable_server, also when nothing is said for two seconds.
class raw_link {
 public:
  explicit raw_link(const redis_url& where);

  // Error replies throw as well.
  raw_reply ask(const std::vector<std::string>& words);
  // The same for a command of which nothing but its being answered counts.
  void repeat(const std::vector<const char*>& words, const std::vector<std::size_t>& sizes);

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  std::string why() const;
  void log_in(const redis_url& where);

  std::string name_;
  std::unique_ptr<redisContext, decltype(&redisFree)> context_;
};

}  // namespace leaselab::bench
