#include "sim/workload/client_kit.hpp"

#include "sim/core.hpp"

namespace leaselab::sim {

std::unique_ptr<client> client_kit::make_client(core& world) const {
  return std::make_unique<client>(world);
}
std::unique_ptr<resource> client_kit::make_resource(core& world) const {
  return std::make_unique<resource>(world);
}
std::unique_ptr<signals_runtime> client_kit::make_runtime(core& world) const {
  return std::make_unique<signals_runtime>(world);
}
std::unique_ptr<offers> client_kit::make_offers(core& world) const {
  return std::make_unique<offers>(world);
}

const client_kit& kit_of(const variant& value) {
  static const client_kit correct;
  return value.clients ? *value.clients : correct;
}

}  // namespace leaselab::sim
