#include "properties/mutants/hunt.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/builtin.hpp"
#include "properties/search/witnesses.hpp"

namespace leaselab::properties {
namespace {

check_options for_mutant(const mutant& of, check_options asked) {
  asked.providers = {&of.variant};
  asked.properties = of.killed_by;
  asked.workload.reset();
  asked.client = {};
  return asked;
}

const sim::variant& base_of(const mutant& of) {
  const auto* const found = find_variant(of.base);
  if (!found) throw std::logic_error(of.id + " has no base " + of.base);
  return *found;
}

// Bounds on standing clocks are bounds on pauses: elsewhere they mean nothing.
bool belongs(const profile& faults, const sim::variant& variant) {
  if (!faults.in_model) return false;
  if (!variant.clocks) return true;
  const bool pauses =
      std::any_of(faults.injects.begin(), faults.injects.end(),
                  [](const injection& one) { return one.kind == sim::fault_kind::pause; });
  return pauses && faults.client == client_level::guaranteed;
}

// Whether a violation says something about the mutant. What is promised does; so does a promise to
// clients where only the base's own policy keeps it from being one. A fence has to hold whatever
// clocks do. That the base passes is asked besides.
bool convicts(const property& judged, standing where, const profile& faults) {
  if (where == standing::guaranteed) return true;
  if (where != standing::not_guaranteed || judged.at() != level::client) return false;
  return faults.client == client_level::guaranteed || judged.id() == "single_owner.fenced";
}

}  // namespace

hunter::hunter(const mutant& of, const check_options& asked)
    : of_(of), base_(base_of(of)), options_(for_mutant(of, asked)), bench_(options_) {
  for (const auto& one : profiles())
    if (belongs(one, of.variant)) add_campaign(one);
}

void hunter::add_campaign(const profile& faults) {
  auto made = make_campaign(of_.variant, faults, options_, bench_.judged_by());
  const auto& standings = made.standings;
  property_set convicting = 0;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (convicts(bench_.judged_by().at(i), standings[i], faults))
      convicting |= property_set{1} << i;
  }
  // Schedules on which nothing that it breaks is judged say nothing, and do not count.
  for (std::size_t i = made.worlds.size(); i-- > 0;) {
    made.judged[i] &= convicting;
    if (made.judged[i] != 0) continue;
    made.worlds.erase(made.worlds.begin() + std::ptrdiff_t(i));
    made.judged.erase(made.judged.begin() + std::ptrdiff_t(i));
  }
  if (!made.worlds.empty()) campaigns_.push_back(std::move(made));
}

// The profiles take turns, and within each of them the workloads.
std::optional<kill> hunter::hunt(std::uint64_t schedules) {
  done_ = 0;
  for (std::uint64_t i = 0; i < schedules && !campaigns_.empty(); ++i) {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return std::nullopt;
    auto found = look(campaigns_[i % campaigns_.size()], i / campaigns_.size());
    done_ = i + 1;
    if (!found) continue;
    found->schedules = done_;
    return found;
  }
  return std::nullopt;
}

property_set hunter::violated(const sim::variant& by, const sim::run_record& run,
                              const sim::plan& plan, property_set wanted) {
  return bench_.judged_by().look(bench_.world_of(by), run, plan, by.declared, wanted).violated;
}

// By the order in which the mutant names them: its own before what follows from it.
std::size_t hunter::foremost(property_set violated) {
  for (const auto& id : of_.killed_by) {
    const auto index = bench_.judged_by().index_of(id);
    if (violated >> index & 1) return index;
  }
  throw std::logic_error(of_.id + " violates what it is not judged by");
}

std::optional<kill> hunter::look(const campaign& of, std::uint64_t index) {
  const auto wanted = of.judged[index % of.judged.size()];
  const auto& run = bench_.run_schedule(of, index);
  const auto found = violated(of_.variant, run, bench_.plan(), wanted);
  if (found == 0) return std::nullopt;
  const kill made{0, foremost(found), &of, index};
  auto bare = bench_.plan();
  bare.decisions.clear();
  if (violated(base_, bench_.run_drawn(base_, bare), bare, wanted) != 0) return std::nullopt;
  return made;
}

witness hunter::prove(const kill& found) {
  const auto wanted = property_set{1} << found.property;
  claim_to_prove what{found.property, found.index, full_budget};
  what.also = [&](const sim::plan& candidate) {
    auto same = candidate;
    const auto& run = bench_.replay(base_, same);
    return violated(base_, run, same, wanted) == 0;
  };
  return *properties::prove(bench_, *found.of, what);
}

}  // namespace leaselab::properties
