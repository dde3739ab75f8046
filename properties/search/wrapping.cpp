#include "properties/search/wrapping.hpp"

#include <algorithm>

namespace leaselab::properties {

using sim::choice;
using sim::moment;

// Apart from what the inner chooser draws.
void aiming_chooser::begin(const sim::plan& value) {
  drawing_chooser::begin(value);
  random_.reseed(split(random_.draw(), sim::purpose::choices, 2));
  inner_->begin(value);
}

choice aiming_chooser::choose(const moment& now) {
  auto made = inner_->choose(now);
  const auto earliest = now.candidates[made.index].earliest;
  std::uint64_t inside = 0;
  for (const auto at : now.deadlines) inside += at >= earliest && at <= now.limit;
  if (inside == 0 || random_.below(4) == 0) return made;
  auto nth = random_.below(inside);
  for (const auto at : now.deadlines) {
    if (at < earliest || at > now.limit || nth-- > 0) continue;
    made.at = at;
    break;
  }
  return made;
}

void prefix_chooser::begin(const sim::plan& value) {
  taken_ = 0;
  const auto length = std::min(prefix_, value.decisions.size());
  first_.assign(value.decisions.begin(), value.decisions.begin() + std::ptrdiff_t(length));
  rest_->begin(value);
}

choice prefix_chooser::choose(const moment& now) {
  if (taken_ < first_.size()) {
    const auto& next = first_[taken_];
    const auto found =
        std::find_if(now.candidates.begin(), now.candidates.end(),
                     [&](const sim::candidate& one) { return one.event == next.event; });
    if (found != now.candidates.end()) {
      ++taken_;
      return {std::size_t(found - now.candidates.begin()), std::max(next.at, found->earliest)};
    }
    taken_ = first_.size();  // not the run that it was: from here on it is another one anyway
  }
  return rest_->choose(now);
}

}  // namespace leaselab::properties
