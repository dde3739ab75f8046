#include "cli/execution.hpp"

#include <algorithm>
#include <utility>

#include "cli/registry.hpp"
#include "properties/search/strategy.hpp"

namespace leaselab::cli {

using properties::property_set;
using properties::verdict;

execution::execution(const sim::variant& deployed, const properties::engine_factory& engine)
    : deployed_(deployed),
      world_(deployed, deployed.needs_engine ? engine() : nullptr),
      replay_(properties::make_strategy("replay")),
      in_order_(properties::make_strategy("in_order")),
      judge_(names_of(property_list())) {}

const sim::run_record& execution::run(const sim::plan& value, sim::chooser& choices) {
  run_ = &world_.run(value, choices);
  judge(value);
  return *run_;
}

const sim::run_record& execution::replay(const sim::plan& value) { return run(value, *replay_); }

const sim::run_record& execution::run_in_order(const sim::plan& value) {
  return run(value, *in_order_);
}

verdict execution::try_out(const sim::plan& value, sim::chooser* choices,
                           const properties::property& judged) {
  run_ = &world_.run(value, choices ? *choices : *replay_);
  const property_set bit = property_set{1} << judge_.index_of(judged.id());
  const auto passed = judge_.look(world_, *run_, value, deployed_.declared, bit);
  return passed.violated         ? verdict::violated
         : passed.unknown        ? verdict::unknown
         : passed.not_applicable ? verdict::not_applicable
                                 : verdict::holds;
}

void execution::judge(const sim::plan& value) {
  const property_set all = (property_set{1} << judge_.size()) - 1;
  const auto passed = judge_.look(world_, *run_, value, deployed_.declared, all, true);
  judgements_.resize(judge_.size());
  for (std::size_t i = 0; i < judge_.size(); ++i) {
    const property_set bit = property_set{1} << i;
    judgement& made = judgements_[i];
    made.property = &judge_.at(i);
    made.verdict = passed.violated & bit         ? verdict::violated
                   : passed.unknown & bit        ? verdict::unknown
                   : passed.not_applicable & bit ? verdict::not_applicable
                                                 : verdict::holds;
    const auto& found = judge_.found();
    const auto first = std::find_if(found.begin(), found.end(), [&](const auto& one) {
      return one.property == made.property->id();
    });
    const bool told = first != found.end();
    made.text = told ? first->text : "";
    made.event = told ? first->event : 0;
    made.call = told ? first->call : sim::no_call;
  }
}

sim::trace execution::trace(sim::trace_header header) const {
  sim::trace_footer footer;
  for (const auto& one : judgements_) {
    footer.verdicts.push_back({std::string(one.property->id()),
                               std::string(properties::to_string(one.verdict)), one.text});
  }
  return sim::make_trace(std::move(header), *run_, std::move(footer));
}

}  // namespace leaselab::cli
