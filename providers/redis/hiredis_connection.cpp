#include "providers/redis/hiredis_connection.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <new>
#include <utility>

namespace leaselab {

hiredis_connection::hiredis_connection(const link_strand& strand, connection_owner& owner)
    : owner_(owner), strand_(strand), resolver_(strand), descriptor_(strand) {}

// Slots that still wait are the owner's to free: it is being destroyed too.
hiredis_connection::~hiredis_connection() { drop("closed"); }

void hiredis_connection::open(const redis_url& where) {
  where_ = where;
  // Posted, so that on_down never comes out of open().
  asio::post(strand_, [self = shared_from_this(), owner = owner_.keep_alive()] {
    if (self->down_) return;
    boost::system::error_code not_numeric;
    if (!self->where_.is_unix()) asio::ip::make_address(self->where_.host, not_numeric);
    if (not_numeric) return self->resolve();
    self->connect(self->where_.host.c_str());
  });
}

// Not left to hiredis, whose getaddrinfo would stop the whole io_context.
void hiredis_connection::resolve() {
  resolver_.async_resolve(
      where_.host, std::to_string(where_.port),
      [self = shared_from_this(), owner = owner_.keep_alive()](
          const boost::system::error_code& error, const resolver::results_type& found) {
        if (self->down_) return;
        if (error || found.empty()) {
          self->why_down_ = error ? error.message() : "the host has no address";
          return self->end_turn();
        }
        // IPv4 first, as hiredis has it: a server bound to "localhost" may have only that.
        auto chosen = std::find_if(found.begin(), found.end(), [](const auto& entry) {
          return entry.endpoint().address().is_v4();
        });
        if (chosen == found.end()) chosen = found.begin();
        self->connect(chosen->endpoint().address().to_string().c_str());
      });
}

void hiredis_connection::connect(const char* address) {
  redisAsyncContext* context = where_.is_unix() ? redisAsyncConnectUnix(where_.path.c_str())
                                                : redisAsyncConnect(address, where_.port);
  if (context == nullptr) throw std::bad_alloc();
  if (context->err != 0) {
    why_down_ = context->errstr;
    redisAsyncFree(context);
    return end_turn();
  }
  adopt(context);
  log_in();
  wait_writable();
}

void hiredis_connection::adopt(redisAsyncContext* context) {
  context_ = context;
  context->data = this;
  context->ev = {this, add_read, nullptr, add_write, stop_write, clean_up};
  read_wire_replies(context->c, reply_);
  descriptor_.assign(context->c.fd);
  // Without one, hiredis 0.14 does not tell a failed connect from a lost connection.
  redisAsyncSetConnectCallback(context, on_connect);
}

// At least one command, so that a server that is full, is none, or wants a password is found out
// before a command of a caller was sent: such calls end fail and not info. SELECT is answered
// also while the server loads its data.
void hiredis_connection::log_in() {
  command login;
  if (!where_.password.empty()) {
    login.words = {"AUTH"};
    if (!where_.user.empty()) login.words.push_back(where_.user);
    login.words.push_back(where_.password);
    std::string wire;
    append_wire(wire, login);
    expect_ok(wire);
  }
  login.words = {"SELECT", std::to_string(where_.database)};
  std::string wire;
  append_wire(wire, login);
  expect_ok(wire);
}

void hiredis_connection::expect_ok(std::string_view wire) {
  ++logins_open_;
  redisAsyncFormattedCommand(context_, on_login, this, wire.data(), wire.size());
}

void hiredis_connection::note_login(const reply* answer) {
  if (answer == nullptr) return;
  --logins_open_;
  const bool accepted = answer->kind == reply_kind::status && answer->text == "OK";
  if (!accepted && why_down_.empty()) {
    const bool told = answer->kind == reply_kind::error;
    why_down_ = told ? answer->text : "it answers, but not as Redis does";
  }
}

bool hiredis_connection::hand_over(std::string_view wire, void* slot) {
  if (context_ == nullptr || !up_) return false;
  return redisAsyncFormattedCommand(context_, on_slot, slot, wire.data(), wire.size()) == REDIS_OK;
}

void hiredis_connection::flush() {
  if (context_ == nullptr || !up_ || !wants_write_ || writing_) return;
  write();
  if (context_ != nullptr) return;
  // Not from here: the caller is in the middle of a turn.
  asio::post(strand_,
             [self = shared_from_this(), owner = owner_.keep_alive()] { self->end_turn(); });
}

void hiredis_connection::wait_readable() {
  if (reading_) return;
  reading_ = true;
  descriptor_.async_wait(descriptor::wait_read,
                         [self = shared_from_this(),
                          owner = owner_.keep_alive()](const boost::system::error_code& error) {
                           self->reading_ = false;
                           if (error || self->context_ == nullptr) return;
                           redisAsyncHandleRead(self->context_);
                           self->end_turn();
                         });
}

void hiredis_connection::wait_writable() {
  if (writing_) return;
  writing_ = true;
  descriptor_.async_wait(descriptor::wait_write,
                         [self = shared_from_this(),
                          owner = owner_.keep_alive()](const boost::system::error_code& error) {
                           self->writing_ = false;
                           if (error || self->context_ == nullptr) return;
                           self->write();
                           self->end_turn();
                         });
}

void hiredis_connection::write() {
  // A full server tells its reason and closes: read it before a write fails with "broken pipe".
  if (!up_) redisAsyncHandleRead(context_);
  if (context_ == nullptr || !why_down_.empty()) return;
  wants_write_ = false;
  redisAsyncHandleWrite(context_);
  if (context_ != nullptr && wants_write_) wait_writable();
}

void hiredis_connection::end_turn() {
  if (!down_) {
    const bool refused = context_ != nullptr && !why_down_.empty();
    if (refused) redisAsyncFree(context_);
    if (context_ == nullptr) {
      down_ = true;
      owner_.on_down(std::exchange(why_down_, {}));
    } else if (!up_ && logins_open_ == 0) {
      up_ = true;
      owner_.on_up();
    }
  }
  owner_.on_turn();
}

void hiredis_connection::drop(std::string why) {
  if (down_) return;
  down_ = true;
  resolver_.cancel();
  why_down_ = std::move(why);
  if (context_ != nullptr) redisAsyncFree(context_);
}

std::string hiredis_connection::reason() const {
  if (!why_down_.empty()) return why_down_;
  const char* text = context_->c.errstr;
  return *text == '\0' ? "the connection ended" : text;
}

hiredis_connection& hiredis_connection::of(const redisAsyncContext* context) {
  return *static_cast<hiredis_connection*>(context->data);
}

void hiredis_connection::on_slot(redisAsyncContext* context, void* answer, void* slot) {
  hiredis_connection& self = of(context);
  if (answer == nullptr) return self.owner_.on_reply(slot, nullptr, self.reason());
  self.owner_.on_reply(slot, &static_cast<wire_reply*>(answer)->value, {});
}

void hiredis_connection::on_login(redisAsyncContext*, void* answer, void* self) {
  const auto* read = static_cast<wire_reply*>(answer);
  static_cast<hiredis_connection*>(self)->note_login(read == nullptr ? nullptr : &read->value);
}

void hiredis_connection::add_read(void* self) {
  static_cast<hiredis_connection*>(self)->wait_readable();
}

void hiredis_connection::add_write(void* self) {
  static_cast<hiredis_connection*>(self)->wants_write_ = true;
}

void hiredis_connection::stop_write(void* self) {
  static_cast<hiredis_connection*>(self)->wants_write_ = false;
}

// hiredis calls this once, as it frees the context, and closes the descriptor after it.
void hiredis_connection::clean_up(void* self) {
  auto& connection = *static_cast<hiredis_connection*>(self);
  if (connection.context_ == nullptr) return;
  connection.why_down_ = connection.reason();
  connection.descriptor_.release();
  connection.context_ = nullptr;
}

}  // namespace leaselab
