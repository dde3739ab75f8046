// `conform` on the real package: status 1 exactly where a promise of the contract is broken.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/program.hpp"
#include "properties/mastra/package.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;
using properties::mastra::adapter;
using properties::mastra::has_node;

struct ended {
  int status = -1;
  boost::json::array rows;
};

ended conform(const std::string& command) {
  std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
  const fs::path folder = ::mkdtemp(name.data());
  const auto file = (folder / "report.json").string();
  ::testing::internal::CaptureStdout();
  ended out;
  out.status = program({"conform", "exec:" + command, "--seed", "1", "--json", file});
  ::testing::internal::GetCapturedStdout();
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  out.rows = boost::json::parse(text.str()).at("rows").as_array();
  fs::remove_all(folder);
  return out;
}

TEST(mastra, conform_breaks_off_with_1_over_arguments_and_nothing_else) {
  LEASELAB_NEEDS_NODE();
  const auto got = conform(adapter());
  EXPECT_EQ(got.status, 1);
  int broken = 0;
  for (const auto& row : got.rows) {
    if (row.at("edge") == "an owner of bytes that are no UTF-8") continue;  // JSON carries text
    if (!row.at("broken").as_bool()) continue;
    ++broken;
    EXPECT_EQ(row.at("why"), "argument.refused is promised") << row;
  }
  EXPECT_EQ(broken, 8);
}

// It promises nothing of a lease.
TEST(mastra, conform_on_the_no_op_ends_with_0) {
  LEASELAB_NEEDS_NODE();
  EXPECT_EQ(conform(adapter("noop")).status, 0);
}

}  // namespace
}  // namespace leaselab::cli
