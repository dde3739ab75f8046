#include "providers/pipe/traffic.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "providers/pipe/setup_commands.hpp"
#include "providers/transaction.hpp"

namespace leaselab::pipe {
namespace {

constexpr const char* no_resp3 =
    "its client asked for RESP3 (HELLO 3), was told NOPROTO, and hung up; have it speak RESP2 (npm "
    "redis: RESP: 2, redis-py: protocol=2)";

std::string on_the_wire(reply_kind kind, std::string text) {
  std::string out;
  append_reply({kind, 0, std::move(text), {}}, out);
  return out;
}

// The answer, or none for EXEC: it is a trip.
std::optional<std::string> in_transaction(connection& on, const std::string& name, request& asked) {
  if (name == "MULTI") return on_the_wire(reply_kind::error, "ERR MULTI calls can not be nested");
  if (name == "DISCARD" || name == "EXEC") on.in_transaction = false;
  if (name == "EXEC") return std::nullopt;
  if (name == "DISCARD") {
    on.transaction.clear();
    return on_the_wire(reply_kind::status, "OK");
  }
  if (name != "PING" && setup_answer(asked))
    throw std::runtime_error(name + " between MULTI and EXEC is not carried");
  on.transaction.push_back(std::move(asked));
  return on_the_wire(reply_kind::status, "QUEUED");
}

}  // namespace

int errand::fits(const command& sent) const {
  const auto named = [&](const std::string& name) {
    return !name.empty() && std::any_of(sent.words.begin() + 1, sent.words.end(),
                                        [&](const auto& word) { return word.ends_with(name); });
  };
  return (named(key) ? 4 : 0) + (named(owner) ? 2 : 0) + (named(to) ? 1 : 0);
}

bool traffic::take(const std::vector<socket_news>& said, deadline until,
                   const std::shared_ptr<const errand>& by, const errands& open) {
  take_up(front_.take(said, until), by, open);
  return front_.has_news();
}

void traffic::take_any(deadline until, const std::shared_ptr<const errand>& by,
                       const errands& open) {
  take_up(front_.take_any(until), by, open);
  front_.news();  // there is nobody to tell
}

void traffic::take_up(std::vector<front::arrival> arrived, const std::shared_ptr<const errand>& by,
                      const errands& open) {
  std::erase_if(channels_, [](const auto& each) {
    return each->on->gone && each->queue.empty() && !each->carried;
  });
  for (auto& one : arrived) {
    channel& to = channel_of(one.on);
    const auto said = std::ranges::find_if(
        open, [&](const auto& each) { return one.call != 0 && each->call == one.call; });
    const bool known = said != open.end();
    for (auto& asked : one.requests) {
      admit(to, std::move(asked), known ? *said : by, open, known);
    }
    answer_constants(to);
    if (one.on->wants_resp3 && *one.on->hung_up) throw std::runtime_error(no_resp3);
  }
}

channel& traffic::channel_of(const std::shared_ptr<connection>& on) {
  for (const auto& each : channels_)
    if (each->on == on) return *each;
  channels_.push_back(std::make_shared<channel>());
  channels_.back()->on = on;
  return *channels_.back();
}

void traffic::admit(channel& to, request asked, const std::shared_ptr<const errand>& by,
                    const errands& open, bool known) {
  auto& one = to.queue.emplace_back();
  connection& on = *to.on;
  const std::string name = in_capitals(asked.front());
  if (on.in_transaction) {
    if (auto known = in_transaction(on, name, asked)) {
      one.constant = std::move(*known);
      return;
    }
    one.request = transaction_of(std::exchange(on.transaction, {}));
  } else if (name == "MULTI") {
    on.in_transaction = true;
    one.constant = on_the_wire(reply_kind::status, "OK");
    return;
  } else if (const auto known = setup_answer(asked)) {
    append_reply(*known, one.constant);
    on.wants_resp3 = on.wants_resp3 || known->is_error("NOPROTO");
    return;
  } else {
    asked.front() = name;
    std::ranges::move(asked, std::back_inserter(one.request.words));
  }
  one.by = by;
  one.wants_list = expects_list(one.request);
  on.wants_resp3 = false;
  // Said by the child, it counts unless it cannot be.
  if (known && by->is_about(one.request)) return;
  int best = by ? by->fits(one.request) : -1;
  for (const auto& each : open) {
    const int fit = each->fits(one.request);
    if (fit <= best) continue;
    best = fit;
    one.by = each;
  }
}

void traffic::answer_constants(channel& on) {
  while (!on.queue.empty() && !on.queue.front().constant.empty()) {
    front_.write(*on.on, on.queue.front().constant);
    on.queue.pop_front();
  }
}

void traffic::adopt(const std::shared_ptr<const errand>& by) {
  for (const auto& each : channels_) {
    for (auto& one : each->queue)
      if (one.constant.empty() && !one.by) one.by = by;
  }
}

std::vector<std::shared_ptr<channel>> traffic::to_carry() {
  std::vector<std::shared_ptr<channel>> out;
  for (const auto& each : channels_) {
    if (each->carried || each->queue.empty() || !each->queue.front().by) continue;
    each->carried = true;
    out.push_back(each);
  }
  return out;
}

void traffic::answer(channel& on, const reply& with) {
  std::string bytes;
  if (with.kind == reply_kind::nil && on.queue.front().wants_list) {
    bytes = no_list;
  } else {
    append_reply(with, bytes);
  }
  front_.write(*on.on, bytes);
  on.queue.pop_front();
  answer_constants(on);
}

void traffic::lose(channel& on) {
  front_.cut(*on.on);
  on.queue.clear();
}

bool traffic::busy() const {
  return std::ranges::any_of(channels_, [](const auto& each) { return !each->queue.empty(); });
}

void traffic::reset() {
  channels_.clear();
  front_.forget();
}

}  // namespace leaselab::pipe
