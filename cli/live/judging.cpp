#include "cli/live/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "properties/judge_file.hpp"

namespace leaselab::cli::live {
namespace {

using properties::verdict;

// By key and owner, so that the order is always the same.
using owner_on_key = std::pair<std::string, std::string>;

std::string sentence(const std::string& key, const interval& one, const interval& other,
                     const overlap& found, const judging_options& options) {
  const double ms = static_cast<double>(found.length) / 1e6;
  return fmt::format("{}: {} and {} for {:.1f} ms ({:.2f} ttl) from {:.3f} s on", key, one.label,
                     other.label, ms, ms / static_cast<double>(options.ttl_ms),
                     static_cast<double>(found.from - options.begin) / 1e9);
}

void add_overlap(judged& into, const std::string& key, const interval& one, const interval& other,
                 const overlap& found, const judging_options& options) {
  const bool first = into.overlaps++ == 0;
  if (!first && found.length <= into.longest_ns) return;
  into.longest_ns = found.length;
  into.text = sentence(key, one, other, found, options);
}

void settle(judged& into) {
  if (into.looked_at == 0) return;  // nothing seen is nothing known
  into.value = into.overlaps > 0 ? verdict::violated : verdict::holds;
}

using by_key = std::map<std::string, std::vector<interval>>;

std::set<std::pair<std::string, std::string>> pairs_of(const std::vector<interval>& list,
                                                       const std::vector<overlap>& found) {
  std::set<std::pair<std::string, std::string>> out;
  for (const auto& each : found) {
    out.insert(std::minmax(list[each.one].label, list[each.other].label));
  }
  return out;
}

// Overlaps that are certain, and pairs that may overlap besides.
void compare(const by_key& certain, const by_key& possible, const judging_options& options,
             judged& into) {
  for (const auto& [key, list] : certain) {
    const auto found = overlaps_of(list);
    for (const auto& each : found) {
      add_overlap(into, key, list[each.one], list[each.other], each, options);
    }
    const auto sure = pairs_of(list, found);
    const auto maybe = possible.find(key);
    if (maybe == possible.end()) continue;
    for (const auto& pair : pairs_of(maybe->second, overlaps_of(maybe->second))) {
      into.uncertain += sure.count(pair) == 0;
    }
  }
}

// --- grants ---

struct grant_calls {
  std::vector<const call_line*> grants;  // acquires and renewals that may have set a deadline
  std::int64_t release_called = unanswered;
  std::int64_t release_over = unanswered;  // a release was answered: nothing is left then
};

std::map<owner_on_key, grant_calls> grants_in(const live_record& record) {
  std::map<owner_on_key, grant_calls> out;
  for (const auto& call : record.calls) {
    auto& here = out[{call.key, call.owner}];
    const bool sets = call.op == "acquire" || call.op == "renew";
    const bool effective = call.outcome == "info" || (call.outcome == "ok" && call.yes);
    if (sets && effective) here.grants.push_back(&call);
    if (call.op != "release") continue;
    here.release_called = std::min(here.release_called, call.called);
    if (call.outcome == "ok") here.release_over = std::min(here.release_over, call.returned);
  }
  return out;
}

// Renewals that follow each other are one grant: their pieces are joined.
void add_piece(std::vector<interval>& list, std::size_t first, interval piece) {
  if (piece.to <= piece.from) return;
  if (list.size() > first && piece.from <= list.back().to) {
    list.back().to = std::max(list.back().to, piece.to);
  } else {
    list.push_back(std::move(piece));
  }
}

std::vector<const call_line*> by_return(const grant_calls& of) {
  std::vector<const call_line*> out;
  std::ranges::copy_if(of.grants, std::back_inserter(out),
                       [](const call_line* call) { return call->outcome == "ok"; });
  std::ranges::stable_sort(out, {}, [](const call_line* call) { return call->returned; });
  return out;
}

}  // namespace

judged judge_grants(const live_record& record, const judging_options& options) {
  judged out{.property = "single_owner.grant", .of = "grants"};
  const std::int64_t ttl = options.ttl_ms * 1'000'000;
  by_key certain, possible;
  for (const auto& [where, calls] : grants_in(record)) {
    const auto& [key, owner] = where;
    if (calls.grants.empty()) continue;
    auto& sure = certain[key];
    const auto first = sure.size();
    for (const auto* call : by_return(calls)) {
      const auto to = std::min(call->called + ttl - options.clock_error_ns, calls.release_called);
      add_piece(sure, first, {call->returned, to, owner, owner});
    }
    interval widest{calls.grants.front()->called, 0, owner, owner};
    for (const auto* call : calls.grants) {
      const auto last = call->returned == unanswered ? call->called : call->returned;
      widest.to = std::max(widest.to, last + ttl + options.clock_error_ns);
    }
    widest.to = std::min(widest.to, calls.release_over);
    out.looked_at += sure.size() > first;
    possible[key].push_back(std::move(widest));
  }
  compare(certain, possible, options, out);
  settle(out);
  return out;
}

judged judge_beliefs(const live_record& record, const judging_options& options) {
  judged out{.property = "single_owner.belief", .of = "beliefs"};
  std::map<owner_on_key, std::vector<const belief_line*>> lines;
  for (const auto& line : record.beliefs) lines[{line.key, line.owner}].push_back(&line);
  by_key certain, possible;
  for (const auto& [where, list] : lines) {
    const auto& [key, owner] = where;
    const auto process = record.processes.find(std::string(incarnation_of(owner)));
    if (process == record.processes.end() || list.front()->ends) continue;
    const auto& facts = process->second;
    interval span{list.front()->at, 0, std::string(incarnation_of(owner)), owner};
    std::int64_t ended = unanswered;
    for (const auto* line : list) {
      if (line->ends) ended = std::min(ended, line->at);
      if (!line->ends) span.to = std::max(span.to, when_it_reads(facts.clock, line->until));
    }
    span.to = std::min(span.to, ended);
    interval widest = span;
    span.to = std::min(span.to, facts.killed_from);
    widest.to = std::min(widest.to, facts.killed_by);
    ++out.looked_at;
    certain[key].push_back(span);
    possible[key].push_back(widest);
  }
  compare(certain, possible, options, out);
  settle(out);
  return out;
}

namespace {

// A token's steps on one key: by their place in the file and by their instants.
struct span {
  std::size_t first_line = 0, last_line = 0;
  std::int64_t from = 0, to = 0;
};

std::map<std::string, span> spans_in(const std::vector<work_line>& steps) {
  std::map<std::string, span> out;
  for (std::size_t line = 0; line < steps.size(); ++line) {
    const auto& step = steps[line];
    auto& here = out.try_emplace(step.owner, span{line, line, step.at, step.at}).first->second;
    here.last_line = line;
    here.from = std::min(here.from, step.at);
    here.to = std::max(here.to, step.at);
  }
  return out;
}

std::vector<std::pair<std::string, span>> by_first_line(const std::vector<work_line>& steps) {
  const auto spans = spans_in(steps);
  std::vector<std::pair<std::string, span>> out(spans.begin(), spans.end());
  std::ranges::sort(out, {}, [](const auto& each) { return each.second.first_line; });
  return out;
}

void judge_key(const std::string& key, const std::vector<work_line>& steps,
               const judging_options& options, judged& out) {
  const auto spans = by_first_line(steps);
  out.looked_at += spans.size();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto& [early, a] = spans[i];
    for (std::size_t j = i + 1; j < spans.size(); ++j) {
      const auto& [late, b] = spans[j];
      if (b.first_line > a.last_line) break;  // so do all that follow
      if (incarnation_of(early) == incarnation_of(late)) continue;
      const auto from = std::max(a.from, b.from);
      const auto to = std::min(a.to, b.to);
      if (to < from) {
        ++out.uncertain;
        continue;
      }
      add_overlap(out, key, {.label = early}, {.label = late}, {i, j, from, to - from}, options);
    }
  }
}

}  // namespace

judged judge_effects(const live_record& record, const judging_options& options) {
  judged out{.property = "single_owner.effect", .of = "spans of work"};
  for (const auto& [key, steps] : record.work) judge_key(key, steps, options, out);
  settle(out);
  return out;
}

judged judge_history(const std::string& text) {
  judged out{.property = "lease.linearizable", .of = "operations"};
  const auto history = properties::parse_history(text, "history.jsonl");
  out.looked_at = history.operations;
  if (out.looked_at == 0) return out;
  const auto judgement = properties::judge(history, 20'000'000);
  out.value = judgement.value;
  if (out.value == verdict::violated) {
    out.text = fmt::format("{}: no lease explains its first {} answers; the last is operation {}",
                           judgement.key, judgement.prefix, judgement.last_id);
  }
  return out;
}

}  // namespace leaselab::cli::live
