#include "bench/raw_link.hpp"

#include <cerrno>

#include "providers/broken_pipe.hpp"

namespace leaselab::bench {
namespace {

constexpr timeval patience{2, 0};

redisContext* connect(const redis_url& where) {
  ignore_broken_pipes();
  if (where.is_unix()) return redisConnectUnixWithTimeout(where.path.c_str(), patience);
  return redisConnectWithTimeout(where.host.c_str(), where.port, patience);
}

}  // namespace

raw_link::raw_link(const redis_url& where)
    : name_(where.name()), context_(connect(where), &redisFree) {
  if (context_ == nullptr) refuse("out of memory");
  if (context_->err != 0) refuse(why());
  redisSetTimeout(context_.get(), patience);
  log_in(where);
}

void raw_link::log_in(const redis_url& where) {
  if (!where.user.empty()) {
    ask({"AUTH", where.user, where.password});
  } else if (!where.password.empty()) {
    ask({"AUTH", where.password});
  }
  if (where.database != 0) ask({"SELECT", std::to_string(where.database)});
  ask({"PING"});
}

raw_reply raw_link::ask(const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  raw_reply answer(static_cast<redisReply*>(redisCommandArgv(
                       context_.get(), static_cast<int>(texts.size()), texts.data(), sizes.data())),
                   &freeReplyObject);
  if (answer == nullptr) refuse(why());
  if (answer->type == REDIS_REPLY_ERROR) refuse(answer->str);
  return answer;
}

void raw_link::repeat(const std::vector<const char*>& words,
                      const std::vector<std::size_t>& sizes) {
  void* const answer = redisCommandArgv(context_.get(), static_cast<int>(words.size()),
                                        const_cast<const char**>(words.data()), sizes.data());
  if (answer == nullptr) refuse(why());
  freeReplyObject(answer);
}

std::string raw_link::why() const {
  if (context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    return "no answer within 2 s";
  }
  return context_->errstr;
}

void raw_link::refuse(const std::string& why) const {
  throw unusable_server(name_ + ": " + why.substr(0, why.find_first_of("\r\n")));
}

}  // namespace leaselab::bench
