#include "cli/report/check_report.hpp"

#include <algorithm>
#include <numeric>

#include "cli/program_name.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {

std::vector<std::size_t> witnesses_by_badness(const check_report& report) {
  std::vector<int> bad(report.result.witnesses.size());
  for (const auto& one : report.result.cells) {
    if (one.witness && *one.witness < bad.size()) bad[*one.witness] = badness(one);
  }
  std::vector<std::size_t> out(bad.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return bad[a] > bad[b]; });
  return out;
}

std::string replay_command(const std::string& trace) {
  return program_name() + " replay " + shell_word(trace);
}

}  // namespace leaselab::cli
