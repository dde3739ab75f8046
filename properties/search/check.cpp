#include "properties/search/check.hpp"

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "properties/foreign.hpp"
#include "properties/search/cells.hpp"
#include "properties/search/exhaustive/exhaustive.hpp"
#include "properties/search/search.hpp"
#include "properties/search/witnesses.hpp"

namespace leaselab::properties {
namespace {

// A block is long enough to make handing it out cheap and short enough to keep all threads busy
// to the end. A program's runs take milliseconds: its blocks are handed out in parts.
constexpr std::uint64_t block_size = 250;
constexpr std::uint64_t part_size = 25;
// Claims are enforced from this many schedules on.
constexpr std::uint64_t enforced_from = 1000;

struct block {
  std::size_t campaign;
  std::uint64_t first, last;
  bool whole;  // otherwise it is a part of one
  bool ends;   // so does the whole one
};

std::vector<campaign> make_campaigns(const check_options& options) {
  const judge judge(options.properties);
  std::vector<campaign> campaigns;
  for (const auto* provider : options.providers) {
    for (const auto& id : options.profiles) {
      const auto* faults = find_profile(id);
      if (!faults) throw std::invalid_argument("there is no profile '" + id + "'");
      campaigns.push_back(make_campaign(*provider, *faults, options, judge));
    }
  }
  return campaigns;
}

bool can_occur(const campaign& one) {
  return std::any_of(one.standings.begin(), one.standings.end(),
                     [](standing value) { return value != standing::not_applicable; });
}

std::vector<block> cut(const std::vector<campaign>& campaigns, std::uint64_t schedules) {
  std::vector<block> blocks;
  for (std::size_t c = 0; c < campaigns.size(); ++c) {
    if (!can_occur(campaigns[c])) continue;
    const bool whole = !is_program(campaigns[c].provider->name);
    const auto size = whole ? block_size : part_size;
    for (std::uint64_t first = 0; first < schedules; first += size) {
      const auto last = std::min(first + size, schedules);
      blocks.push_back({c, first, last, whole, last % block_size == 0 || last == schedules});
    }
  }
  return blocks;
}

// Tells how far the work is, one caller at a time.
class progress_line {
 public:
  progress_line(const check_options& options, std::uint64_t of) : options_(options), of_(of) {}
  void add(const block_result& done) {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    done_ += done.runs;
    violations_ += done.violations;
    options_.progress(done_, of_, violations_);
  }

 private:
  const check_options& options_;
  std::mutex mutex_;
  std::uint64_t of_, done_ = 0, violations_ = 0;
};

std::vector<block_result> run_all(const std::vector<campaign>& campaigns,
                                  const std::vector<block>& blocks, const check_options& options,
                                  std::vector<std::unique_ptr<bench>>& benches) {
  std::vector<block_result> results(blocks.size());
  std::uint64_t total = 0;
  for (const auto& one : blocks) total += one.last - one.first;
  progress_line progress(options, total);
  for_each_in_parallel(benches, blocks.size(), [&](bench& own, std::size_t i) {
    if (options.stop && options.stop->load()) return;
    const auto& [of, first, last, whole, ends] = blocks[i];
    results[i] = own.run_block(campaigns[of], first, last, whole);
    progress.add(results[i]);
  });
  return results;
}

// The blocks of each campaign in the order of their schedules, as if one thread had run them.
std::vector<block_result> sum_up(const std::vector<campaign>& campaigns,
                                 const std::vector<block>& blocks,
                                 const std::vector<block_result>& results, check_result& out) {
  std::vector<block_result> sums(campaigns.size());
  for (std::size_t c = 0; c < campaigns.size(); ++c) {
    sums[c].tallies.resize(campaigns[c].standings.size());
  }
  std::uint64_t digest = 0, of_block = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& part = results[i];
    auto& sum = sums[blocks[i].campaign];
    out.stopped |= !part.complete;
    out.schedules += part.runs;
    sum.runs += part.runs;
    sum.blind |= part.blind;
    if (part.runs > 0) sum.statistics.add(part.statistics);
    if (blocks[i].whole) of_block = part.digest;
    for (const auto each : part.digests) of_block = fold_digest(of_block, each);
    if (blocks[i].ends) digest = fold_digest(digest, std::exchange(of_block, 0));
    for (std::size_t p = 0; p < part.tallies.size(); ++p) sum.tallies[p].add(part.tallies[p]);
    for (std::size_t r = 0; r < part.reached.size(); ++r) sum.reached[r] += part.reached[r];
    out.nondeterminism.insert(out.nondeterminism.end(), part.nondeterminism.begin(),
                              part.nondeterminism.end());
  }
  if (!out.stopped) out.digest = digest;
  return sums;
}

void add_cells(const campaign& of, const block_result& sum, const judge& judge, check_result& out) {
  for (std::size_t p = 0; p < sum.tallies.size(); ++p) {
    auto& made = out.cells.emplace_back(make_cell(of, p, sum.tallies[p], judge));
    // What is judged by the records alone is no question where nobody sees them.
    if (sum.blind && sum.tallies[p].judged == 0 && made.result == cell_result::unknown)
      made.result = cell_result::not_applicable;
  }
}

void add_reached(const campaign& of, const block_result& sum, check_result& out) {
  const auto all = claims();
  for (std::size_t r = 0; r < all.size(); ++r) {
    const bool owed = of.owed >> r & 1;
    if (!owed && sum.reached[r] == 0) continue;
    out.sometimes.push_back({std::string(all[r].reach), std::string(of.faults->id),
                             of.provider->name, sum.reached[r],
                             owed && !sum.blind && sum.runs >= enforced_from});
  }
}

void add_coverage(const campaign& of, search_statistics& counted, check_result& out) {
  const auto distinct = counted.count_distinct();
  out.covered.push_back(
      {of.provider->name, std::string(of.faults->id), counted, distinct, counted.estimated()});
}

}  // namespace

std::string_view to_string(cell_result value) {
  switch (value) {
    case cell_result::holds:
      return "holds";
    case cell_result::broken:
      return "broken";
    case cell_result::witness:
      return "witness";
    case cell_result::unwitnessed:
      return "unwitnessed";
    case cell_result::limit:
      return "limit";
    case cell_result::unknown:
      return "unknown";
    case cell_result::not_applicable:
      return "not_applicable";
  }
  return "?";
}

check_result check(const check_options& options) {
  if (options.strategy == "exhaustive") return check_exhaustively(options);
  const auto begun = std::chrono::steady_clock::now();
  check_result out;
  const auto campaigns = make_campaigns(options);
  auto benches = make_benches(options);
  const auto blocks = cut(campaigns, options.schedules);
  const auto results = run_all(campaigns, blocks, options, benches);
  auto sums = sum_up(campaigns, blocks, results, out);
  for (std::size_t c = 0; c < campaigns.size(); ++c) {
    add_cells(campaigns[c], sums[c], benches.front()->judged_by(), out);
    if (can_occur(campaigns[c])) add_reached(campaigns[c], sums[c], out);
    if (sums[c].runs > 0) add_coverage(campaigns[c], sums[c].statistics, out);
  }
  const std::chrono::duration<double> searched = std::chrono::steady_clock::now() - begun;
  out.seconds = searched.count();
  // Gone are all threads of the search but this one, and a program dies with the thread that
  // started it.
  for (std::size_t i = 1; i < benches.size(); ++i) benches[i] = std::make_unique<bench>(options);
  find_witnesses(campaigns, benches, options, out);
  return out;
}

int exit_status(const check_result& result) {
  if (!result.nondeterminism.empty()) return 4;
  const auto any = [&](cell_result wanted) {
    return std::any_of(result.cells.begin(), result.cells.end(),
                       [wanted](const cell& one) { return one.result == wanted; });
  };
  if (any(cell_result::broken)) return 1;
  const bool unreached = std::any_of(result.sometimes.begin(), result.sometimes.end(),
                                     [](const reached& one) { return one.enforced && !one.count; });
  return unreached || any(cell_result::unknown) ? 2 : 0;
}

}  // namespace leaselab::properties
