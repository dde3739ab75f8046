// The program and its benchmarks in one executable: the one file that knows both.
#include "cli/testbed.hpp"

#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/provider_bench.hpp"
#include "cli/additions.hpp"
#include "cli/exit_status.hpp"
#include "cli/program.hpp"
#include "providers/memory/memory_provider.hpp"

namespace leaselab {
namespace {

int complain(int status, const std::exception& error) {
  std::fprintf(stderr, "leaselab: %s\n", error.what());
  return status;
}

}  // namespace

testbed::testbed(int count, char** words) : count_(count), words_(words) {}

guarantees in_memory_guarantees() { return memory_provider::declare(); }

void testbed::add(handed_in value) { given_.push_back(std::move(value)); }

int testbed::run() {
  try {
    if (count_ > 0) cli::set_program_name(words_[0]);
    cli::set_benches_itself();
    for (handed_in& each : given_) cli::add_provider(std::move(each));
  } catch (const cli::usage_error& error) {
    return complain(cli::usage, error);
  } catch (const std::exception& error) {
    return complain(cli::unknown, error);
  }
  if (count_ > 1 && std::string_view(words_[1]) == cli::bench_word) {
    std::vector<handed_in> added;
    for (const auto& each : cli::added_providers()) added.push_back(each.given);
    return bench::provider_bench(count_ - 1, words_ + 1, added);
  }
  return cli::program(count_ > 0 ? std::vector<std::string>(words_ + 1, words_ + count_)
                                 : std::vector<std::string>());
}

}  // namespace leaselab
