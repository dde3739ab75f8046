#include "properties/search/judge.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/lock.hpp"

namespace leaselab::properties {

judge::judge(const std::vector<std::string>& ids) {
  for (auto& one : all_properties()) {
    if (std::find(ids.begin(), ids.end(), one->id()) != ids.end())
      properties_.push_back(std::move(one));
  }
  for (const auto& id : ids) {
    if (index_of(id) == size()) throw std::invalid_argument("there is no property '" + id + "'");
  }
}

std::size_t judge::index_of(std::string_view id) const {
  const auto found = std::find_if(properties_.begin(), properties_.end(),
                                  [&](const auto& one) { return one->id() == id; });
  return std::size_t(found - properties_.begin());
}

judge::sentence judge::look(const sim::world& world, const sim::run_record& run,
                            const sim::plan& plan, const guarantees& declared, property_set wanted,
                            bool explain) {
  sentence passed;
  found_.clear();
  if (wanted == 0) return passed;
  timeline_.build(run, plan, declared);
  run_context context{run, plan, declared, timeline_};
  context.fallback_selected = world.fallback_selected();
  context.lacks_operations = world.lacks_operations();
  context.explain = explain;
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    const auto bit = property_set{1} << i;
    if (!(wanted & bit)) continue;
    if (!asked_of(properties_[i]->id(), declared)) {
      passed.not_applicable |= bit;
      continue;
    }
    switch (properties_[i]->check(context, found_)) {
      case verdict::violated:
        passed.violated |= bit;
        break;
      case verdict::unknown:
        passed.unknown |= bit;
        break;
      case verdict::not_applicable:
        passed.not_applicable |= bit;
        break;
      case verdict::holds:
        break;
    }
  }
  return passed;
}

}  // namespace leaselab::properties
