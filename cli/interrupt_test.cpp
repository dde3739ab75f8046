// Ctrl-C: what is known so far is printed and kept. A test waits until the program has shown on its
// terminal that it knows something, and never for a time.
#include <boost/json/parse.hpp>

#include "cli/testing/program_run.hpp"
#include "cli/testing/terminal_run.hpp"

namespace leaselab::cli {
namespace {

using namespace testing;

class interrupt : public program_run {
 protected:
  // Interrupted once it has shown `words`; the exit status.
  int interrupted_at(const std::string& words, const std::string& command) const {
    terminal_run running(folder_, command);
    EXPECT_TRUE(running.shows(words)) << running.shown();
    running.interrupt();
    return running.wait();
  }
  std::string said() const { return text_of(folder_ / "stdout.txt"); }
};

TEST_F(interrupt, what_was_left_unshrunk_shrinks_later) {
  ASSERT_EQ(interrupted_at(" violations",
                           "check -p release-then-acquire -f interleave "
                           "-g handoff.no_gap --workload handoff "
                           "--schedules 100000000 --seed 1"),
            130)
      << said();
  const ended small = run("shrink latest");
  EXPECT_EQ(small.status, 0) << small.error;
  EXPECT_NE(small.text.find("handoff.no_gap of release-then-acquire: "), std::string::npos);
  EXPECT_EQ(run("replay latest").status, 0);
  EXPECT_EQ(run("run leaselab-out/latest/release-then-acquire").status, 0);
}

TEST_F(interrupt, a_check_says_what_it_knows) {
  ASSERT_EQ(interrupted_at(" violations",
                           "check -p release-then-acquire -f interleave "
                           "--schedules 100000000 --seed 1 --json r.json"),
            130)
      << said();
  const auto report = boost::json::parse(text_of(folder_ / "r.json")).as_object();
  EXPECT_TRUE(report.at("digest").is_null());
  EXPECT_NE(said().find("stopped early"), std::string::npos);
  EXPECT_EQ(run("replay latest").status, 0);
}

TEST_F(interrupt, a_sweep_keeps_the_lines_that_are_done) {
  ASSERT_EQ(interrupted_at("2 of 21",
                           "sweep clock.rate margin --schedules 100 --jobs 1 --seed 1 "
                           "--json s.json --svg s.svg"),
            130)
      << said();
  const auto report = boost::json::parse(text_of(folder_ / "s.json")).as_object();
  const auto& edges = report.at("edges").as_array();
  EXPECT_GE(edges.size(), 4u);
  for (const auto& edge : edges) EXPECT_FALSE(edge.at("early").as_bool());
  EXPECT_NE(said().find("interrupted"), std::string::npos);
}

}  // namespace
}  // namespace leaselab::cli
