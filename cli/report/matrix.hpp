// The guarantee matrix as reports look at it: by provider, property and profile, in the order in
// which they were asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "properties/search/check.hpp"

namespace leaselab::cli {

// From harmless to alarming, for "the worst". What nobody promised and nothing was found against
// says less than a promise kept where it lies outside the model, and more inside it.
int badness(const properties::cell& one);

class matrix {
 public:
  // `result` must outlive the matrix.
  matrix(const properties::check_options& asked, const properties::check_result& result);

  const std::vector<std::string>& providers() const { return providers_; }
  const std::vector<std::string>& properties() const { return properties_; }
  const std::vector<std::string>& profiles() const { return profiles_; }

  // Null: there is no such cell.
  const properties::cell* at(const std::string& provider, const std::string& property,
                             const std::string& profile) const;
  // The worst over all profiles, the first of them where several are as bad. Null: no cell.
  const properties::cell* worst(const std::string& provider, const std::string& property) const;
  // How many cells have that result.
  std::size_t count(properties::cell_result result) const;

 private:
  using place = std::tuple<std::string, std::string, std::string>;

  std::vector<std::string> providers_, properties_, profiles_;
  std::map<place, const properties::cell*> cells_;
};

// All results in the order in which summaries list them.
const std::vector<properties::cell_result>& all_results();

}  // namespace leaselab::cli
