// The npm package @mastra/core as the build tree has it.
#pragma once

#include <string>

namespace leaselab::properties::mastra {

// A command for /bin/sh: node with that script of this folder and its arguments.
std::string node(const std::string& script);
// The adapter of the package's EventEmitterPubSub, or `noop`.
std::string adapter(const std::string& which = {});
bool has_node();

}  // namespace leaselab::properties::mastra

// In every test that needs the package: where Node is missing, this says so.
#define LEASELAB_NEEDS_NODE() \
  if (!has_node()) GTEST_SKIP() << "skipped: there is no node or no npm on this machine"
