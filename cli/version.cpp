#include "cli/version.hpp"

namespace leaselab::cli {

constinit const std::string_view version = LEASELAB_VERSION;

}  // namespace leaselab::cli
