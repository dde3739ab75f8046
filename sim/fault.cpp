#include "sim/fault.hpp"

#include "sim/names.hpp"

namespace leaselab::sim {

std::string_view to_string(fault_kind value) { return name_of(value); }

}  // namespace leaselab::sim
