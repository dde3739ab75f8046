#include "sim/redis/model_engine.hpp"

#include <algorithm>
#include <boost/assert.hpp>

#include "providers/transaction.hpp"
#include "sim/redis/numbers.hpp"

namespace leaselab::sim::redis {
namespace {

void answer_no_script(reply& out) {
  answer_coded_error(out, "NOSCRIPT No matching script. Please use EVAL.");
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lowered;
}

}  // namespace

model_engine::model_engine() : runtime_(*this), scripts_(runtime_) {}

void model_engine::reset(std::int64_t now_ms) {
  keys_.clear();
  scripts_.flush();
  writes_ = 0;
  set_now(now_ms);
}

void model_engine::load(const script& lua) {
  reply problem;
  const bool loaded = scripts_.load(lua, problem) != nullptr;
  BOOST_ASSERT_MSG(loaded, problem.text.c_str());
  static_cast<void>(loaded);
}

reply model_engine::execute(const command& request, std::int64_t now_ms) {
  set_now(now_ms);
  reply out;
  if (request.lua != nullptr) {
    run_script(request, out);
  } else if (is_transaction(request)) {
    run_transaction(request, out);
  } else {
    run_words({request.words.data(), request.words.size()}, out);
  }
  return out;
}

std::optional<stored> model_engine::peek(std::string_view key, std::int64_t now_ms) {
  set_now(now_ms);
  const entry* item = keys_.find(key, now_unix_ms_);
  if (item == nullptr) return std::nullopt;
  stored found{.value = item->text};
  if (item->told_deadline() != told_as_none) {
    // As PEXPIRETIME tells it, which knows no deadline before 1970.
    found.deadline_ms = std::max<std::int64_t>(item->deadline_unix_ms, 0) - epoch_unix_ms;
  }
  return found;
}

reply model_engine::execute_and_peek(const command& request, std::span<const std::string_view> keys,
                                     std::int64_t now_ms,
                                     std::vector<std::optional<stored>>& after) {
  reply out = execute(request, now_ms);
  after.clear();
  for (const std::string_view key : keys) after.push_back(peek(key, now_ms));
  return out;
}

void model_engine::flush_scripts() { scripts_.flush(); }

void model_engine::erase(std::string_view key) { writes_ += keys_.erase(key); }

void model_engine::overwrite(std::string_view key, std::string_view value) {
  entry* item = keys_.find(key, now_unix_ms_);
  if (item == nullptr) return;
  item->kind = value_kind::text;
  item->text = value;
  item->fields.clear();
  item->items.clear();
  ++writes_;
}

store_snapshot model_engine::save() const { return {keys_.copy(), writes_}; }

void model_engine::restore(const store_snapshot& snapshot) { keys_.assign(snapshot.entries); }

void model_engine::run_script(const command& request, reply& out) {
  const std::size_t key_count = static_cast<std::size_t>(request.key_count);
  if (key_count > request.words.size()) {
    return answer_error(out, "Number of keys can't be greater than number of args");
  }
  const compiled_script* script = prepare(request, out);
  if (script == nullptr) return;
  runtime_.run(*script, {{request.words.data(), request.words.size()}, key_count}, out);
}

compiled_script* model_engine::prepare(const command& request, reply& out) {
  if (request.by_text) return scripts_.load(*request.lua, out);
  compiled_script* known = scripts_.find(*request.lua);
  if (known == nullptr) answer_no_script(out);
  return known;
}

void model_engine::run_words(std::span<const std::string> words, reply& out) {
  BOOST_ASSERT(!words.empty());
  words_.assign(words.begin(), words.end());
  const command_spec* spec = find_command(words_);
  if (spec == nullptr) return answer_unknown_command(out, words_);
  if (!arity_fits(*spec, words.size())) return answer_wrong_arity(out, *spec);
  if (spec->run != nullptr) {
    invocation call{keys_, now_unix_ms_, words_, *spec, out, writes_};
    return spec->run(call);
  }
  if (spec->name == "eval" || spec->name == "evalsha") {
    return run_eval(words, spec->name == "evalsha", out);
  }
  run_script_command(*spec, out);
}

// One that is wrong in itself ends all of them before the first.
void model_engine::run_transaction(const command& request, reply& out) {
  const auto all = commands_of(request);
  for (const auto& each : all) {
    words_.assign(each.begin(), each.end());
    const command_spec* spec = find_command(words_);
    if (spec != nullptr && arity_fits(*spec, each.size())) continue;
    return answer_coded_error(out, "EXECABORT Transaction discarded because of previous errors.");
  }
  answer_nil(out);
  out.kind = reply_kind::array;
  for (const auto& each : all) run_words(each, out.items.emplace_back());
}

void model_engine::run_eval(std::span<const std::string> words, bool by_sha1, reply& out) {
  if (by_sha1 && words[1].size() != 40) return answer_no_script(out);
  const auto key_count = parse_integer(words[2]);
  if (!key_count) return answer_not_an_integer(out);
  const std::span<const std::string> rest = words.subspan(3);
  if (*key_count > static_cast<std::int64_t>(rest.size())) {
    return answer_error(out, "Number of keys can't be greater than number of args");
  }
  if (*key_count < 0) return answer_error(out, "Number of keys can't be negative");
  const compiled_script* script = by_sha1 ? scripts_.find(lower_case(words[1]))
                                          : scripts_.load(sha1_hex(words[1]), words[1], out);
  if (script == nullptr) return by_sha1 ? answer_no_script(out) : void();
  runtime_.run(*script, {rest, static_cast<std::size_t>(*key_count)}, out);
}

void model_engine::run_script_command(const command_spec& spec, reply& out) {
  if (spec.name == "script|kill") {
    return answer_coded_error(out, "NOTBUSY No scripts in execution right now.");
  }
  if (spec.name == "script|load") {
    const std::string sha1 = sha1_hex(words_[2]);
    if (scripts_.load(sha1, words_[2], out) != nullptr) answer_text(out, sha1);
  } else if (spec.name == "script|exists") {
    answer_nil(out);
    out.kind = reply_kind::array;
    for (const std::string_view sha1 : std::span(words_).subspan(2)) {
      answer_integer(out.items.emplace_back(), scripts_.find(lower_case(sha1)) != nullptr);
    }
  } else {
    const bool plain = words_.size() == 2;
    const bool known = words_.size() == 3 && (equals_ignoring_case(words_[2], "sync") ||
                                              equals_ignoring_case(words_[2], "async"));
    if (!plain && !known) return answer_error(out, "SCRIPT FLUSH only support SYNC|ASYNC option");
    scripts_.flush();
    answer_status(out, "OK");
  }
}

void model_engine::call_from_script(std::span<const std::string_view> words, reply& out) {
  const command_spec* spec = find_command(words);
  if (spec == nullptr) return answer_error(out, "Unknown Redis command called from script");
  if (!arity_fits(*spec, words.size())) {
    return answer_error(out, "Wrong number of args calling Redis command from script");
  }
  if (!spec->in_scripts) return answer_error(out, "This Redis command is not allowed from script");
  invocation call{keys_, now_unix_ms_, words, *spec, out, writes_};
  spec->run(call);
}

}  // namespace leaselab::sim::redis
