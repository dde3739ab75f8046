// One connection of hiredis' asynchronous API, driven by Asio: the adapter that hiredis 0.14 lacks,
// the login, and a guard around everything a peer may answer. Internal to hiredis_link.
//
// Everything here runs on the link's strand. No call of this class makes the owner's calls while
// hiredis is on the stack: they come at the end of a turn, so the owner may drop the connection
// or send on it from anywhere.
#pragma once

#include <hiredis/async.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/strand.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "providers/awaitable.hpp"
#include "providers/command.hpp"
#include "providers/redis/redis_url.hpp"
#include "providers/redis/wire.hpp"

namespace leaselab {

using link_strand = asio::strand<asio::any_io_executor>;

class connection_owner {
 public:
  // The login was accepted.
  virtual void on_up() = 0;
  // The connection ended, or was never made; `why` is one line. The last call but for on_turn.
  virtual void on_down(std::string why) = 0;
  // The reply for `slot`, or null: it will never come, and `why` says for what reason. hiredis is
  // on the stack: only to be noted down.
  virtual void on_reply(void* slot, reply* answer, std::string_view why) = 0;
  // The end of a turn in which replies may have come: the time to work on them, then to flush.
  virtual void on_turn() = 0;
  virtual std::shared_ptr<connection_owner> keep_alive() = 0;

 protected:
  ~connection_owner() = default;
};

class hiredis_connection : public std::enable_shared_from_this<hiredis_connection> {
 public:
  hiredis_connection(const link_strand& strand, connection_owner& owner);
  ~hiredis_connection();

  // Connects and logs in, within the owner's patience. Its end comes as on_up or on_down, never
  // before this returned.
  void open(const redis_url& where);

  // Hands one formatted command to hiredis; on_reply will be called for `slot` exactly once.
  // Nothing is written before flush(). False: the connection is down, nothing was taken.
  bool hand_over(std::string_view wire, void* slot);
  // Writes what was handed over, at once as far as the socket takes it.
  void flush();

  // Ends the connection. Slots that wait get on_reply(null); on_down is not called.
  void drop(std::string why);

 private:
  using descriptor = asio::posix::basic_stream_descriptor<link_strand>;
  using resolver = asio::ip::basic_resolver<asio::ip::tcp, link_strand>;

  void resolve();
  void connect(const char* address);
  void adopt(redisAsyncContext* context);
  void log_in();
  void expect_ok(std::string_view wire);
  void note_login(const reply* answer);
  void wait_readable();
  void wait_writable();
  void write();
  void end_turn();
  std::string reason() const;

  static hiredis_connection& of(const redisAsyncContext* context);
  static void on_slot(redisAsyncContext* context, void* answer, void* slot);
  static void on_login(redisAsyncContext* context, void* answer, void* self);
  static void on_connect(const redisAsyncContext*, int) {}
  static void add_read(void* self);
  static void add_write(void* self);
  static void stop_write(void* self);
  static void clean_up(void* self);

  connection_owner& owner_;
  link_strand strand_;
  resolver resolver_;
  descriptor descriptor_;
  redisAsyncContext* context_ = nullptr;  // null: not yet, or no longer
  wire_reply reply_;                      // the one being read
  redis_url where_;
  std::string why_down_;
  int logins_open_ = 0;  // commands of the login whose replies have not come
  bool up_ = false;
  bool down_ = false;
  bool wants_write_ = false;  // hiredis has bytes to write, or waits for the connect
  bool reading_ = false;      // a wait is under way
  bool writing_ = false;
};

}  // namespace leaselab
