// From what was counted to a cell of the matrix.
#pragma once

#include "properties/search/check.hpp"
#include "properties/search/search.hpp"

namespace leaselab::properties {

cell make_cell(const campaign& of, std::size_t property, const tally& counted, const judge& judge);
std::vector<std::unique_ptr<bench>> make_benches(const check_options& options);

}  // namespace leaselab::properties
