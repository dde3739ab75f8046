#include "cli/report/matrix.hpp"

#include <algorithm>

#include "properties/search/profile.hpp"

namespace leaselab::cli {

using properties::cell;
using properties::cell_result;

namespace {

bool in_model(const cell& one) {
  const auto* const profile = properties::find_profile(one.profile);
  return !profile || profile->in_model;
}

}  // namespace

int badness(const cell& one) {
  switch (one.result) {
    case cell_result::broken:
      return 7;
    case cell_result::unknown:
      return 6;
    case cell_result::witness:
      return 5;
    case cell_result::limit:
      return 4;
    case cell_result::unwitnessed:
      return in_model(one) ? 3 : 1;
    case cell_result::holds:
      return 2;
    case cell_result::not_applicable:
      break;
  }
  return 0;
}

const std::vector<cell_result>& all_results() {
  static const std::vector<cell_result> all = {cell_result::holds,         cell_result::broken,
                                               cell_result::witness,       cell_result::unwitnessed,
                                               cell_result::limit,         cell_result::unknown,
                                               cell_result::not_applicable};
  return all;
}

matrix::matrix(const properties::check_options& asked, const properties::check_result& result)
    : properties_(asked.properties), profiles_(asked.profiles) {
  for (const auto* one : asked.providers) providers_.push_back(one->name);
  for (const auto& one : result.cells) {
    cells_.emplace(place{one.provider, one.property, one.profile}, &one);
  }
}

const cell* matrix::at(const std::string& provider, const std::string& property,
                       const std::string& profile) const {
  const auto found = cells_.find({provider, property, profile});
  return found == cells_.end() ? nullptr : found->second;
}

const cell* matrix::worst(const std::string& provider, const std::string& property) const {
  const cell* out = nullptr;
  for (const auto& profile : profiles_) {
    const cell* const one = at(provider, property, profile);
    if (one && (!out || badness(*one) > badness(*out))) out = one;
  }
  return out;
}

std::size_t matrix::count(cell_result result) const {
  return static_cast<std::size_t>(
      std::count_if(cells_.begin(), cells_.end(),
                    [&](const auto& each) { return each.second->result == result; }));
}

}  // namespace leaselab::cli
