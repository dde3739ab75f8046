#include "providers/guarantees.hpp"

#include <algorithm>

namespace leaselab {
namespace {

bool any_covers(const std::vector<claim>& claims, std::string_view property,
                std::string_view profile) {
  return std::any_of(claims.begin(), claims.end(), [&](const claim& one) {
    return glob_match(one.property, property) && glob_match(one.profile, profile);
  });
}

}  // namespace

bool guarantees::excludes(std::string_view property, std::string_view profile) const {
  return any_covers(not_guaranteed, property, profile);
}

bool guarantees::inapplicable(std::string_view property, std::string_view profile) const {
  return any_covers(not_applicable, property, profile);
}

// Only the last `*` is ever widened: what matched before it needs no second look, so the cost is
// pattern times text and never exponential.
bool glob_match(std::string_view pattern, std::string_view text) {
  constexpr auto none = std::string_view::npos;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = none;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != none) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace leaselab
