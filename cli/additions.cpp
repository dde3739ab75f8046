#include "cli/additions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/exit_status.hpp"
#include "cli/registry.hpp"
#include "properties/handed_in_variant.hpp"

namespace leaselab::cli {
namespace {

// A deque: variants are referred to by their addresses.
std::deque<added_provider> added;
bool benches = false;

bool is_name(const std::string& text) {
  const auto fits = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  const bool begins = !text.empty() && text[0] != '-' && text[0] != '.';
  return begins && std::all_of(text.begin(), text.end(), fits);
}

void expect_free(const std::string& name) {
  // Scenario files have a meaning for these.
  const bool reserved = name == "default" || name == "backend" || name == "none";
  if (!is_name(name) || reserved) {
    throw usage_error(fmt::format(
        "a provider cannot be called `{}`: letters, digits, `_`, `-` and `.` make a name, not "
        "beginning with `-` or `.`, and not `default`, `backend` or `none`",
        name));
  }
  if (find_added(name)) throw usage_error(fmt::format("two providers are called `{}`", name));
  if (find_provider(name)) {
    throw usage_error(fmt::format("`{}` is the name of a built-in provider; choose another", name));
  }
}

}  // namespace

const std::deque<added_provider>& added_providers() { return added; }

const added_provider* find_added(const std::string& name) {
  const auto found = std::find_if(added.begin(), added.end(),
                                  [&](const auto& one) { return one.given.name == name; });
  return found == added.end() ? nullptr : &*found;
}

void add_provider(handed_in value) {
  expect_free(value.name);
  auto variant = properties::handed_in_variant(value);
  value.missing = variant.missing;
  added.push_back({std::move(value), std::move(variant)});
}

void set_benches_itself() { benches = true; }
bool benches_itself() { return benches; }

}  // namespace leaselab::cli
