// `conform` as a user sees it: status, table, JSON and JUnit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/program.hpp"
#include "properties/conformance.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

class conform : public ::testing::Test {
 protected:
  conform() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~conform() override { fs::remove_all(folder_); }

  int run(std::vector<std::string> more) {
    std::vector<std::string> words{"conform"};
    words.insert(words.end(), more.begin(), more.end());
    for (const char* flag : {"--json", "--junit"}) {
      words.emplace_back(flag);
      words.push_back((folder_ / flag).string());
    }
    ::testing::internal::CaptureStdout();
    const int status = program(words);
    text_ = ::testing::internal::GetCapturedStdout();
    return status;
  }
  std::string written(const char* flag) const {
    std::ifstream file(folder_ / flag);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  boost::json::object json() const { return boost::json::parse(written("--json")).as_object(); }

  fs::path folder_;
  std::string text_;
};

TEST_F(conform, a_correct_provider_has_every_row_ok) {
  EXPECT_EQ(run({"redis-fenced", "--seed", "1"}), 0) << text_;
  const auto report = json();
  const auto& rows = report.at("rows").as_array();
  EXPECT_EQ(rows.size(), properties::conformance::cases().size());
  for (const auto& one : rows) EXPECT_EQ(one.at("result").as_string(), "ok") << one;
  EXPECT_EQ(report.at("summary").at("broken").to_number<int>(), 0);
  EXPECT_EQ(written("--junit").find("<failure"), std::string::npos);
  EXPECT_EQ(text_.rfind("leaselab ", 0), 0u);
}

TEST_F(conform, a_departure_from_no_promise_is_told_and_is_status_0) {
  EXPECT_EQ(run({"release-then-acquire", "--seed", "1"}), 0) << text_;
  EXPECT_GT(json().at("summary").at("departed").to_number<int>(), 0);
  EXPECT_NE(text_.find("handoff.no_gap is not promised"), std::string::npos);
  EXPECT_EQ(run({"noop", "--seed", "1"}), 0) << text_;
  EXPECT_EQ(run({"memory-per-process", "--seed", "1"}), 0) << text_;
}

TEST_F(conform, a_broken_promise_is_status_1) {
  EXPECT_EQ(run({"mutant:M15", "--seed", "1"}), 1);
  EXPECT_GT(json().at("summary").at("broken").to_number<int>(), 0);
  EXPECT_NE(text_.find("renew.honest is promised"), std::string::npos) << text_;
  EXPECT_NE(written("--junit").find("<failure"), std::string::npos);
}

TEST_F(conform, runs_on_a_real_server_with_the_same_rows) {
  ASSERT_EQ(run({"redis", "--seed", "1"}), 0);
  const auto model = json().at("rows");
  ASSERT_EQ(run({"redis", "--seed", "1", "--engine", "server"}), 0) << text_;
  EXPECT_EQ(json().at("rows"), model);
}

TEST_F(conform, wants_one_provider_that_there_is) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(program({"conform"}), 3);
  EXPECT_EQ(program({"conform", "rediss"}), 3);
  EXPECT_EQ(program({"conform", "redis", "--engine", "modle"}), 3);
  const auto error = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(error.find("did you mean `redis`?"), std::string::npos) << error;
}

}  // namespace
}  // namespace leaselab::cli
