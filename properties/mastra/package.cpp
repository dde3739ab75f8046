#include "properties/mastra/package.hpp"

namespace leaselab::properties::mastra {
namespace {

const std::string source = LEASELAB_SOURCE;
const std::string program = LEASELAB_NODE;

std::string run(const std::string& script) {
  return "env NODE_PATH=" LEASELAB_NODE_MODULES " " + program + " " + source + "/" + script;
}

}  // namespace

std::string node(const std::string& script) { return run("properties/mastra/" + script); }

std::string adapter(const std::string& which) {
  return run("providers/pipe/node/samples-npm/mastra/mastra.js " + which);
}

bool has_node() { return !program.empty(); }

}  // namespace leaselab::properties::mastra
