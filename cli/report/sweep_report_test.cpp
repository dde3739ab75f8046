#include "cli/report/sweep_report.hpp"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>

#include "cli/registry.hpp"

namespace leaselab::cli {
namespace {

using properties::sweep_axis;

// Two lines of a region, by hand.
sweep_report region(std::int64_t violated_ppm = 898'900) {
  sweep_report out;
  out.seed = 7;
  out.axis = sweep_axis::clock_rate;
  out.second = sweep_axis::margin;
  swept_provider one{"redis", provider_named("redis").declared, {}};
  properties::sweep_line edge;
  edge.belief = {violated_ppm + 100, violated_ppm, 899'000.0};
  edge.effect = {violated_ppm + 100, violated_ppm, 899'000.0};
  properties::sweep_line open;
  open.at[sweep_axis::margin] = 900'000;
  open.belief = {200'000, std::nullopt, std::nullopt};
  open.effect = {std::nullopt, 1'500'000, std::nullopt};
  one.result.lines = {edge, open};
  out.providers.push_back(one);
  return out;
}

TEST(sweep_report, a_table_says_where_it_holds_and_how_far_off_that_is) {
  const std::string text = sweep_text(region());
  EXPECT_NE(text.find("belief   from 0.8990"), std::string::npos) << text;
  EXPECT_NE(text.find("-0.01 %"), std::string::npos) << text;
  EXPECT_NE(text.find("everywhere (0.2000 to 1.5000)"), std::string::npos) << text;
  EXPECT_NE(text.find("nowhere"), std::string::npos) << text;
  EXPECT_NE(text.find("analytic: belief ends"), std::string::npos) << text;
}

TEST(sweep_report, machines_get_every_edge) {
  const auto value = sweep_json(region());
  const auto& edges = value.at("edges").as_array();
  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(edges[0].at("guarantee").as_string(), "belief");
  EXPECT_DOUBLE_EQ(edges[0].at("holds").as_double(), 0.899);
  EXPECT_DOUBLE_EQ(edges[0].at("at").at("margin").as_double(), 0.1);
  EXPECT_TRUE(edges[2].at("violated").is_null());
  EXPECT_TRUE(edges[3].at("holds").is_null());
  EXPECT_FALSE(edges[0].at("early").as_bool());
}

TEST(sweep_report, what_ends_too_early_is_said) {
  EXPECT_EQ(region().early().size(), 1u) << "the effect that holds nowhere";
  EXPECT_EQ(region(950'000).early().size(), 3u);
  EXPECT_NE(sweep_text(region(950'000)).find("violated: belief of redis is violated at clock.rate"),
            std::string::npos);
}

TEST(sweep_report, the_picture_has_areas_and_lines) {
  const std::string svg = sweep_svg(region());
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0u);
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (auto at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<polygon "), 2u);
  EXPECT_EQ(count("<polyline "), 2u);
  EXPECT_EQ(count("</svg>"), 1u);
  EXPECT_NE(svg.find(">clock.rate</text>"), std::string::npos);
}

}  // namespace
}  // namespace leaselab::cli
