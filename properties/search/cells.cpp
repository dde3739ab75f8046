#include "properties/search/cells.hpp"

namespace leaselab::properties {
namespace {

cell_result result_of(standing where, const tally& counted) {
  const bool found = counted.violations > 0;
  switch (where) {
    case standing::not_applicable:
      return cell_result::not_applicable;
    case standing::limit:
      return found ? cell_result::limit : cell_result::unwitnessed;
    case standing::not_guaranteed:
      return found ? cell_result::witness : cell_result::unwitnessed;
    case standing::guaranteed:
      break;
  }
  if (found) return cell_result::broken;
  return counted.judged == 0 || counted.unknown > 0 ? cell_result::unknown : cell_result::holds;
}

}  // namespace

cell make_cell(const campaign& of, std::size_t property, const tally& counted, const judge& judge) {
  cell made;
  made.provider = of.provider->name;
  made.property = judge.at(property).id();
  made.profile = of.faults->id;
  made.guaranteed = of.standings[property] == standing::guaranteed;
  made.schedules = counted.judged;
  made.violations = counted.violations;
  made.violating = counted.violating;
  made.result = result_of(of.standings[property], counted);
  if (counted.first_violation != no_index_yet) made.first_violation = counted.first_violation;
  return made;
}

std::vector<std::unique_ptr<bench>> make_benches(const check_options& options) {
  std::vector<std::unique_ptr<bench>> benches;
  for (unsigned i = 0; i < std::max(options.jobs, 1U); ++i)
    benches.push_back(std::make_unique<bench>(options));
  return benches;
}

}  // namespace leaselab::properties
