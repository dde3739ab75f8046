// What all checks have in common: a rule is a function over one run that reports what it finds.
#pragma once

#include <memory>
#include <utility>

#include "properties/property.hpp"
#include "properties/timeline.hpp"

namespace leaselab::properties {

class reporter {
 public:
  reporter(std::string_view id, bool explain, std::vector<violation>& found)
      : id_(id), explain_(explain), found_(found) {}

  // `text()` is called only when somebody will read it.
  template <class Text>
  void operator()(std::uint32_t event, sim::call_index call, Text&& text,
                  std::int64_t size_ns = 0) {
    if (++count_ > most) return;
    found_.push_back({id_, event, explain_ ? text() : std::string(), size_ns, call});
  }
  bool silent() const { return count_ == 0; }
  bool full() const { return count_ >= most; }  // more would not be kept

 private:
  static constexpr int most = 4;  // the first says it; more of the same help nobody
  std::string_view id_;
  bool explain_;
  std::vector<violation>& found_;
  int count_ = 0;
};

// A property whose check is `judge`: it answers whether it could look, and reports.
class rule : public property {
 public:
  rule(std::string_view id, level at, std::string_view statement)
      : id_(id), level_(at), statement_(statement) {}
  std::string_view id() const final { return id_; }
  level at() const final { return level_; }
  std::string_view statement() const final { return statement_; }
  verdict check(const run_context& context, std::vector<violation>& found) final {
    reporter report(id_, context.explain, found);
    const verdict looked = judge(context, report);
    return report.silent() ? looked : verdict::violated;
  }

 protected:
  virtual verdict judge(const run_context& context, reporter& report) = 0;

 private:
  std::string_view id_;
  level level_;
  std::string_view statement_;
};

// A rule without memory of its own.
using judging = verdict (*)(const run_context&, reporter&);

class plain_rule final : public rule {
 public:
  plain_rule(std::string_view id, level at, std::string_view statement, judging judge)
      : rule(id, at, statement), judge_(judge) {}

 private:
  verdict judge(const run_context& context, reporter& report) override {
    return judge_(context, report);
  }
  judging judge_;
};

// Calls `visit(index, call)` for each call of that verb that a provider must serve.
template <class Visit>
void each_served(const run_context& context, sim::verb what, Visit&& visit) {
  const auto& calls = context.run.calls;
  for (sim::call_index i = 0; i < calls.size(); ++i)
    if (calls[i].what == what && calls[i].arguments_lawful && !calls[i].closed) visit(i, calls[i]);
}

// The event to show for a call: its completion, or its invocation.
inline std::uint32_t shown_at(const sim::call_record& call) {
  return call.completed == sim::never ? call.invoke_event : call.complete_event;
}

}  // namespace leaselab::properties
