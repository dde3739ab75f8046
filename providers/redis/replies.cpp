#include "providers/redis/replies.hpp"

#include <string_view>
#include <utility>

namespace leaselab::redis_replies {
namespace {

// The code is the whole first word: "BUSY ..." is not "BUSYGROUP ...".
std::string_view code_of(const reply& error) {
  const std::string_view text = error.text;
  return text.substr(0, text.find(' '));
}

errc errc_of(std::string_view code) {
  if (code == "LOADING") return errc::loading;
  if (code == "READONLY") return errc::read_only;
  if (code == "OOM") return errc::out_of_memory;
  if (code == "BUSY") return errc::busy;
  if (code == "MOVED" || code == "ASK" || code == "CROSSSLOT") return errc::redirected;
  return errc::backend_error;
}

std::string_view name_of(reply_kind kind) {
  switch (kind) {
    case reply_kind::nil:
      return "nil";
    case reply_kind::integer:
      return "an integer";
    case reply_kind::text:
      return "a text";
    case reply_kind::status:
      return "a status";
    case reply_kind::error:
      return "an error";
    case reply_kind::array:
      return "an array";
  }
  return "?";
}

}  // namespace

bool script_missing(const result<reply>& answer) {
  return answer && answer->kind == reply_kind::error && code_of(*answer) == "NOSCRIPT";
}

std::optional<lease_error> error_of(const result<reply>& answer) {
  if (!answer) return answer.error();
  if (answer->kind != reply_kind::error) return std::nullopt;
  return definite(errc_of(code_of(*answer)), answer->text);
}

lease_error unexpected(const reply& answer) {
  std::string text = "unexpected reply: ";
  text += name_of(answer.kind);
  if (answer.kind == reply_kind::integer) text += " " + std::to_string(answer.integer);
  return unknown(errc::protocol, std::move(text));
}

result<bool> flag(const result<reply>& answer) {
  if (auto error = error_of(answer)) return std::move(*error);
  const bool is_flag = answer->kind == reply_kind::integer && (answer->integer | 1) == 1;
  if (!is_flag) return unexpected(*answer);
  return answer->integer == 1;
}

result<std::uint64_t> count(const result<reply>& answer) {
  if (auto error = error_of(answer)) return std::move(*error);
  if (answer->kind != reply_kind::integer || answer->integer < 0) return unexpected(*answer);
  return static_cast<std::uint64_t>(answer->integer);
}

result<std::optional<std::string>> text_or_none(result<reply>&& answer) {
  if (auto error = error_of(answer)) return std::move(*error);
  if (answer->kind == reply_kind::nil) return std::optional<std::string>();
  if (answer->kind != reply_kind::text) return unexpected(*answer);
  return std::optional<std::string>(std::move(answer->text));
}

result<acquire_answer> acquire(result<reply>&& answer, bool with_token) {
  if (auto error = error_of(answer)) return std::move(*error);
  if (answer->kind == reply_kind::text) {
    return acquire_answer{false, std::move(answer->text), std::nullopt};
  }
  const bool granted = answer->kind == reply_kind::integer && answer->integer >= 1;
  if (!granted || (!with_token && answer->integer != 1)) return unexpected(*answer);
  acquire_answer grant{true, std::nullopt, std::nullopt};
  if (with_token) grant.token = static_cast<std::uint64_t>(answer->integer);
  return grant;
}

result<bool> was_set(const result<reply>& answer) {
  if (auto error = error_of(answer)) return std::move(*error);
  if (answer->kind == reply_kind::nil) return false;
  if (answer->kind == reply_kind::status && answer->text == "OK") return true;
  return unexpected(*answer);
}

}  // namespace leaselab::redis_replies
