#include "sim/trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace leaselab::sim {
namespace {

// P1 acquires; P2 is told so; the record is evicted.
struct small_run {
  trace_header header;
  run_record run;
  trace_footer footer;

  small_run() {
    header = {"0.1.0", "redis", "single_owner.grant", "eviction", "model", 42, "random", {}};
    header.plan.keys = {"K"};
    header.plan.owners = {"", "A", "B"};
    header.plan.processes = {{"P1"}, {"P2"}};
    header.plan.calls.resize(2);
    header.plan.calls[0].name = "first";
    header.plan.calls[1].id = 5;
    header.plan.calls[1].process = 1;
    header.plan.faults.resize(1);
    header.plan.faults[0].kind = fault_kind::evict;
    header.plan.decisions = {{{event_label::start, 0, 0, 0, 0}, 0}};
    run.owners = header.plan.owners;
    run.keys = header.plan.keys;
    run.processes = {"P1", "P2"};
    run.digest = 0xabc;
    add_calls();
    add_events();
    footer.verdicts = {{"single_owner.grant", "violated", "A and B hold K"},
                       {"renew.honest", "holds", ""}};
  }

  void add_calls() {
    call_record won;
    won.what = verb::acquire;
    won.owner = 1;
    won.ttl_ms = 100;
    won.ended = outcome::ok;
    won.yes = true;
    won.token = 3;
    call_record denied = won;
    denied.spec = 1;
    denied.process = 1;
    denied.owner = 2;
    denied.yes = false;
    denied.named = 1;
    denied.token.reset();
    run.calls = {won, denied};
  }

  void add_events() {
    event one;
    one.kind = event_kind::invoke;
    one.call = 0;
    run.events.push_back(one);
    one.kind = event_kind::step;
    one.after = {1, 100, 3};
    run.events.push_back(one);
    one = {};
    one.at = 7;
    one.kind = event_kind::complete;
    one.process = 1;
    one.call = 1;
    run.events.push_back(one);
    one = {};
    one.at = 8;
    one.kind = event_kind::fault;
    run.events.push_back(one);
    one.kind = event_kind::change;
    one.before = {1, no_deadline, 0};
    run.events.push_back(one);
  }

  trace made() const { return make_trace(header, run, footer); }
};

std::string error_of(const std::string& text) {
  std::istringstream from(text);
  try {
    read_trace(from, "t.jsonl");
  } catch (const trace_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(trace, lines_say_who_did_what) {
  const trace made = small_run().made();
  ASSERT_EQ(made.lines.size(), 7u);
  EXPECT_EQ(made.lines[1],
            R"({"t_ns":0,"granule":0,"kind":"invoke","process":"P1","incarnation":0,"call":0,)"
            R"("spec":0,"name":"first","do":"acquire","key":"K","owner":"A","ttl_ms":100})");
  EXPECT_EQ(made.lines[2],
            R"({"t_ns":0,"granule":0,"kind":"step","process":"P1","incarnation":0,"call":0,)"
            R"("spec":0,"name":"first","key":"K","before":null,)"
            R"("after":{"owner":"A","deadline":100,"token":3}})");
  EXPECT_EQ(made.lines[3],
            R"({"t_ns":7,"granule":0,"kind":"complete","process":"P2","incarnation":0,"call":1,)"
            R"("spec":5,"do":"acquire","outcome":"ok","acquired":false,"owner":"A"})");
  EXPECT_EQ(made.lines[4],
            R"({"t_ns":8,"granule":0,"kind":"fault","fault":0,"fault_kind":"evict"})");
  EXPECT_EQ(made.lines[5], R"({"t_ns":8,"granule":0,"kind":"change","key":"K",)"
                           R"("before":{"owner":"A","deadline":null},"after":null})");
}

TEST(trace, what_is_read_is_what_was_written) {
  const trace made = small_run().made();
  std::istringstream from(to_text(made));
  const trace back = read_trace(from, "t.jsonl");
  EXPECT_EQ(back.lines, made.lines);
  EXPECT_EQ(to_json(back.header.plan), to_json(made.header.plan));
  EXPECT_EQ(back.header.seed, 42u);
  EXPECT_EQ(back.header.property, "single_owner.grant");
  EXPECT_EQ(back.footer.digest, 0xabcu);
  EXPECT_EQ(back.footer.verdicts[0].text, "A and B hold K");
  EXPECT_EQ(first_difference(made, back), std::nullopt);
}

TEST(trace, the_first_difference_is_a_line_of_the_file) {
  const trace made = small_run().made();
  trace other = made;
  other.lines[0] = "the header does not count";
  EXPECT_EQ(first_difference(made, other), std::nullopt);
  other.lines[3].back() = ' ';
  EXPECT_EQ(first_difference(made, other), 4u);
  other = made;
  other.lines.pop_back();
  EXPECT_EQ(first_difference(made, other), 7u);
}

TEST(trace, refusals_name_file_and_line) {
  const std::string good = to_text(small_run().made());
  const std::string header = good.substr(0, good.find('\n') + 1);
  EXPECT_EQ(error_of(""), "t.jsonl: is empty, not a trace");
  EXPECT_EQ(error_of(std::string("\x7f"
                                 "ELF\0\xff",
                                 6)),
            "t.jsonl:1: not a JSON object");
  EXPECT_EQ(error_of("{}\n"), "t.jsonl:1: not the header of a leaselab trace");
  EXPECT_EQ(error_of(header), "t.jsonl:1: the trace ends without its footer");
  EXPECT_EQ(error_of(header + "{}\n"), "t.jsonl:2: the trace ends without its footer");
  EXPECT_EQ(error_of(header + "nonsense\n{}\n"), "t.jsonl:2: not a JSON object");
  std::string other = good;
  other.replace(other.find("\"format\":1"), 10, "\"format\":9");
  EXPECT_EQ(error_of(other), "t.jsonl:1: format 9 is not known; this program reads format 1");
  other = good;
  other.replace(other.find("\"do\":"), 5, "\"to\":");
  EXPECT_EQ(error_of(other), "t.jsonl:1: plan.calls[0].do: is missing");
  EXPECT_THROW(read_trace(std::string("/nonexistent/trace")), trace_error);
  EXPECT_THROW(read_trace(std::string("/")), trace_error);
}

}  // namespace
}  // namespace leaselab::sim
