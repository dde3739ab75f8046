#include "cli/program_name.hpp"

#include <unistd.h>

#include <utility>

#include "cli/additions.hpp"
#include "cli/report/text.hpp"

namespace leaselab::cli {
namespace {

std::string typed_name;

}  // namespace

void set_program_name(std::string typed) { typed_name = std::move(typed); }

std::string program_name() {
  if (!typed_name.empty()) return shell_word(typed_name);
  return ::access("leaselab", X_OK) == 0 ? "./leaselab" : "leaselab";
}

}  // namespace leaselab::cli
