#include "cli/witness_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/registry.hpp"
#include "cli/report/timeline.hpp"
#include "cli/scenario_run.hpp"
#include "cli/version.hpp"
#include "properties/search/search.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::cli {
namespace {

constexpr std::size_t longest_component = 120;

// A scenario promises more than the witness knows: everything that its run violates.
std::string scenario_text(const properties::witness& one, execution& world, std::uint64_t seed) {
  scenarios::witness about;
  about.title = fmt::format("{} of {} in {}", one.property, one.provider, one.profile);
  about.story = one.text;
  about.origin = fmt::format("leaselab {}, seed {}, schedule {}", version, seed, one.index);
  about.provider = one.provider;
  world.run_in_order(*one.directed);
  for (const auto& made : world.judgements()) {
    if (made.verdict == properties::verdict::violated) {
      about.violated.emplace_back(made.property->id());
    }
  }
  return scenarios::to_toml(*one.directed, about);
}

// A file that did not say what happened would be worse than none: not everything in a plan has a
// form in scenario files.
bool runs_as_it_says(const std::string& text, const properties::witness& one, execution& world) {
  try {
    for (const auto& told : scenarios::parse(text, one.property, known_names())) {
      if (run_scenario(told, one.provider, world, {}).report.ended != run_end::ok) return false;
    }
    return true;
  } catch (const scenarios::scenario_error&) {
    return false;
  }
}

}  // namespace

std::string path_component(std::string name) {
  if (name.starts_with("./")) name.erase(0, 2);  // a library here: no hidden folder
  std::replace(name.begin(), name.end(), '/', '_');
  if (name.size() <= longest_component) return name;
  // A command of any length: no two that differ share a folder.
  std::uint64_t digest = 0;
  for (const char one : name)
    digest = properties::fold_digest(digest, static_cast<unsigned char>(one));
  return fmt::format("{}-{}", name.substr(0, longest_component - 20), sim::digest_text(digest));
}

witness_files::witness_files(output_folder& to, const properties::check_options& asked,
                             std::string engine, bool pictures)
    : to_(to), asked_(asked), engine_(std::move(engine)), pictures_(pictures) {}

execution& witness_files::world_of(const std::string& provider) {
  auto& world = worlds_[provider];
  if (!world) world = std::make_unique<execution>(provider_named(provider, folder_), asked_.engine);
  return *world;
}

written_witness witness_files::write(const properties::witness& one) {
  return write(one,
               std::filesystem::path(path_component(one.provider)) / one.property / one.profile);
}

written_witness witness_files::write(const properties::witness& one,
                                     const std::filesystem::path& place) {
  execution& world = world_of(one.provider);
  const auto& run = world.replay(one.plan);
  const sim::trace_header header{
      std::string(version), one.provider, one.property,
      one.profile,          engine_,      asked_.seed,
      asked_.strategy,      one.plan,     folder_.empty() ? folder_of(one.provider) : folder_};
  written_witness out;
  out.trace = to_.write(place.string() + ".jsonl", sim::to_text(world.trace(header))).string();
  if (pictures_) out.timeline = timeline_svg(run, one.plan);
  if (one.directed) {
    const auto text = scenario_text(one, world, asked_.seed);
    if (runs_as_it_says(text, one, world)) {
      out.scenario = to_.write(place.string() + ".toml", text).string();
    }
  }
  return out;
}

}  // namespace leaselab::cli
