#include "sim/names.hpp"

#include <gtest/gtest.h>

#include <set>

namespace leaselab::sim {
namespace {

template <class Enum>
void expect_both_ways() {
  std::set<std::string_view> seen;
  for (const auto name : names<Enum>()) {
    ASSERT_TRUE(named<Enum>(name));
    EXPECT_EQ(name_of(*named<Enum>(name)), name);
    EXPECT_TRUE(seen.insert(name).second) << name;
  }
  EXPECT_FALSE(named<Enum>("?"));
  EXPECT_EQ(name_of(static_cast<Enum>(250)), "?");
}

TEST(names, every_name_leads_back_to_its_value) {
  expect_both_ways<event_label>();
  expect_both_ways<fault_kind>();
  expect_both_ways<leg>();
  expect_both_ways<data_kept>();
  expect_both_ways<which_clock>();
  expect_both_ways<verb>();
  expect_both_ways<event_kind>();
  expect_both_ways<resource_kind>();
  expect_both_ways<workload_kind>();
}

TEST(names, a_few_by_hand) {
  EXPECT_EQ(to_string(fault_kind::reap_late), "reap_late");
  EXPECT_EQ(to_string(fault_kind::error_reply), "error_reply");
  EXPECT_EQ(to_string(workload_kind::directed), "directed");
  EXPECT_EQ(name_of(event_kind::work_refused), "work_refused");
}

TEST(names, labels_read_as_phrases) {
  EXPECT_EQ(to_string(label{event_label::request, 0, 2, 0, 3}), "P1 call 3 trip 2 request");
  EXPECT_EQ(to_string(label{event_label::reply, 1, 1, 4, 3}),
            "P2 call 3 repetition 4 trip 1 reply");
  EXPECT_EQ(to_string(label{event_label::start, 2, 0, 0, 9}), "P3 call 9 start");
  EXPECT_EQ(to_string(label{event_label::work, 0, 5, 0, 1}), "P1 call 1 work 5");
  EXPECT_EQ(to_string(label{event_label::begin, 0, 0, 0, 6}), "fault 6 begins");
  EXPECT_EQ(to_string(label{event_label::restart, 1, 0, 0, 6}), "fault 6 restarts P2");
  EXPECT_EQ(to_string(label{event_label::quiet}), "quiet phase begins");
}

}  // namespace
}  // namespace leaselab::sim
