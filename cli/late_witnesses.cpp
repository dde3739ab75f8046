#include "cli/late_witnesses.hpp"

#include <memory>
#include <vector>

#include "properties/search/profile.hpp"
#include "properties/search/search.hpp"
#include "properties/search/witnesses.hpp"

namespace leaselab::cli {
namespace {

using properties::bench;
using properties::campaign;

// Those whose cells stand in a result, in the same order.
std::vector<campaign> campaigns_of(const properties::check_options& asked) {
  const properties::judge judge(asked.properties);
  std::vector<campaign> out;
  for (const auto* provider : asked.providers) {
    for (const auto& profile : asked.profiles) {
      out.push_back(make_campaign(*provider, *properties::find_profile(profile), asked, judge));
    }
  }
  return out;
}

properties::witness unshrunk(bench& own, const campaign& of, const properties::cell& shown) {
  properties::witness made;
  made.provider = shown.provider;
  made.property = shown.property;
  made.profile = shown.profile;
  made.index = *shown.first_violation;
  if (shown.found) made.plan = *shown.found;
  const auto& run =
      shown.found ? own.replay(*of.provider, made.plan) : own.run_schedule(of, made.index);
  if (!shown.found) made.plan = own.plan();
  made.digest = run.digest;
  made.events = static_cast<std::uint32_t>(made.plan.decisions.size());
  auto& judge = own.judged_by();
  const auto wanted = properties::property_set{1} << judge.index_of(shown.property);
  judge.look(own.world_of(*of.provider), run, made.plan, of.provider->declared, wanted, true);
  if (!judge.found().empty()) made.text = judge.found().front().text;
  return made;
}

}  // namespace

void shrink_late(const properties::check_options& asked, const std::atomic<bool>& stop,
                 properties::check_result& result) {
  auto options = asked;
  options.stop = &stop;
  std::vector<std::unique_ptr<bench>> benches;
  for (unsigned i = 0; i < options.jobs; ++i) benches.push_back(std::make_unique<bench>(options));
  result.witnesses.clear();
  for (auto& cell : result.cells) cell.witness.reset();
  find_witnesses(campaigns_of(options), benches, options, result);
}

void keep_unshrunk(const properties::check_options& asked, properties::check_result& result) {
  const auto campaigns = campaigns_of(asked);
  bench own(asked);
  const std::size_t each = asked.properties.size();  // cells of one campaign
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    auto& cell = result.cells[i];
    if (!cell.first_violation || cell.witness) continue;
    cell.witness = result.witnesses.size();
    result.witnesses.push_back(unshrunk(own, campaigns[i / each], cell));
  }
}

}  // namespace leaselab::cli
