// The engine around a real redis-server: a child on a unix socket whose wall clock is virtual.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/redis/engine.hpp"
#include "sim/redis/server_process.hpp"

struct redisContext;
struct redisReply;

namespace leaselab::sim::redis {

// Every member may throw server_failed. Use it from the thread that made it: the server dies with
// that thread.
class server_engine final : public engine {
 public:
  // Starts the server and waits until it answers (some 35 ms).
  explicit server_engine(std::int64_t now_ms = 0);
  ~server_engine() override;

  // Costs no round trip: what it sends goes out with the next command.
  void reset(std::int64_t now_ms) override;
  void load(const script& lua) override;
  reply execute(const command& request, std::int64_t now_ms) override;
  std::optional<stored> peek(std::string_view key, std::int64_t now_ms) override;
  reply execute_and_peek(const command& request, std::span<const std::string_view> keys,
                         std::int64_t now_ms, std::vector<std::optional<stored>>& after) override;
  void flush_scripts() override;
  void erase(std::string_view key) override;
  void overwrite(std::string_view key, std::string_view value) override;

  // For yardsticks and live tools that want the same server.
  std::string socket_path() const { return process_.socket_path(); }
  pid_t process_id() const { return process_.id(); }

 private:
  struct closer {
    void operator()(redisContext* connection) const;
    void operator()(redisReply* answer) const;
  };
  using owned_reply = std::unique_ptr<redisReply, closer>;

  void connect();
  void set_now(std::int64_t now_ms) { process_.clock().set_unix_ms(epoch_unix_ms + now_ms); }
  // Sends the scripts that this world wants and the server lacks, or forgets those it must not
  // know; only then may a command run.
  void settle_scripts();
  void append(std::initializer_list<std::string_view> words);
  void append(const command& request);
  void append_words(std::span<const std::string> words);
  void append_script(const command& request);
  void append_pointers();
  void ignore_next_reply() { ++ignored_; }
  owned_reply receive();
  // The answer to what `append(request)` sent.
  reply receive_answer(const command& request);
  std::optional<stored> receive_stored();
  [[noreturn]] void fail(const std::string& what);

  server_process process_;
  std::unique_ptr<redisContext, closer> connection_;
  int ignored_ = 0;  // replies on the way that nobody waits for

  std::vector<const script*> wanted_;  // by this world, in the order of `load`
  std::set<std::string> known_;        // to the server, by SHA-1
  bool knows_more_ = false;            // a plain EVAL or SCRIPT LOAD went out: known_ is not all
  bool settled_ = true;

  std::vector<const char*> pointers_;  // reused by every command
  std::vector<std::size_t> sizes_;
  char key_count_[16];
};

}  // namespace leaselab::sim::redis
