// An alarm of a control is a bug of ours, and its trace is what one has to go by: it replays, and
// violates what it was written for, also where no provider of the list is what the control ran on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

#include "cli/execution.hpp"
#include "cli/registry.hpp"
#include "cli/traces.hpp"
#include "cli/witness_files.hpp"
#include "properties/mutants/controls.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;
using properties::control;

class control_traces : public ::testing::Test {
 protected:
  control_traces() {
    std::string name = (fs::temp_directory_path() / "leaselab-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    asked_.engine = engine_named("model");
    asked_.strategy = "random";
    asked_.seed = 1;
  }
  ~control_traces() override { fs::remove_all(folder_); }

  // The first alarm's trace; empty: there was none.
  fs::path trace_of(const control& of) {
    const auto result = run_control(of, asked_, 0, 300);
    if (!result.first) return {};
    output_folder folder(folder_, "score");
    return witness_files(folder, asked_, "model", false).write(*result.first).trace;
  }

  void expect_it_shows_again(const fs::path& trace) {
    const auto recorded = read_trace(trace);
    const auto& header = recorded.header;
    execution world(provider_named(header.provider), engine_named(header.engine));
    EXPECT_EQ(world.replay(header.plan).digest, recorded.footer.digest) << trace;
    for (const auto& one : world.judgements()) {
      if (one.property->id() != header.property) continue;
      EXPECT_EQ(one.verdict, properties::verdict::violated) << trace;
    }
  }

  properties::check_options asked_;
  fs::path folder_;
};

// No environment of these: records vanish, and the backend's clock runs fast.
void break_the_backend(sim::plan& plan, sim::random_source&) {
  for (int i = 0; i < 4; ++i) {
    auto& gone = plan.faults.emplace_back();
    gone.kind = sim::fault_kind::evict;
    gone.at = gone.at_latest = plan.ttl_ms * sim::ns_per_ms / 8 * (i + 1);
  }
  auto& fast = plan.faults.emplace_back();
  fast.kind = sim::fault_kind::rate;
  fast.process = sim::backend_process;
  fast.to_ppb = 4 * sim::rate_one;
  fast.lasts = sim::never / 4;
  for (std::size_t i = 0; i < plan.faults.size(); ++i) plan.faults[i].id = std::uint32_t(i);
}

TEST_F(control_traces, replay_whatever_the_control_runs_on) {
  std::set<std::string> alarmed;
  for (control artificial : properties::controls()) {
    artificial.change = break_the_backend;
    if (artificial.processes) artificial.processes = 3;
    const auto trace = trace_of(artificial);
    if (trace.empty()) continue;
    expect_it_shows_again(trace);
    alarmed.insert(artificial.provider->name);
  }
  for (const char* provider : {"control:dead-after", "control:one-process", "memory", "redis"})
    EXPECT_EQ(alarmed.count(provider), 1u) << provider;
}

}  // namespace
}  // namespace leaselab::cli
