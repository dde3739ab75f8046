// What a library may ask of its host: the table of functions that lease_plugin.h describes.
#pragma once

#include "providers/plugin/lease_plugin.h"

namespace leaselab::plugin {

const lease_host& host_table();

}  // namespace leaselab::plugin
