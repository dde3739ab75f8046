#include "cli/witness_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/provider_files.hpp"
#include "cli/registry.hpp"
#include "cli/report/timeline.hpp"
#include "cli/scenario_run.hpp"
#include "cli/version.hpp"
#include "properties/search/search.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::cli {
namespace {

constexpr std::size_t longest_component = 120;

// What no shell and no file system takes for anything else.
bool is_plain(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') ||
         std::string_view("._-+=,@:").find(one) != std::string_view::npos;
}

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

std::string path_component(const std::string& name) {
  std::string out = name;
  if (out.starts_with("./")) out.erase(0, 2);  // a library here
  std::replace(out.begin(), out.end(), '/', '_');
  const bool odd = !std::all_of(out.begin(), out.end(), is_plain);
  std::replace_if(
      out.begin(), out.end(), [](char one) { return !is_plain(one); }, '_');
  if (out.starts_with('.')) out[0] = '_';  // no hidden folder
  if (!odd && out.size() <= longest_component) return out;
  // A command, mostly: no two that differ share a folder.
  std::uint64_t digest = 0;
  for (const char one : name)
    digest = properties::fold_digest(digest, static_cast<unsigned char>(one));
  return fmt::format("{}-{}", out.substr(0, longest_component - 20), sim::digest_text(digest));
}

std::string own_names::of(const std::string& wanted, const std::string& owner) {
  const std::string name = path_component(wanted);
  std::string out = name;
  for (int i = 2; owners_.try_emplace(out, owner).first->second != owner; ++i)
    out = fmt::format("{}-{}", name, i);
  return out;
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
  return write(one, std::filesystem::path(folders_.of(one.provider, one.provider)) / one.property /
                        one.profile);
}

written_witness witness_files::write(const properties::witness& one,
                                     const std::filesystem::path& place) {
  execution& world = world_of(one.provider);
  const auto& run = world.replay(one.plan);
  const sim::trace_header header{std::string(version),
                                 one.provider,
                                 one.property,
                                 one.profile,
                                 engine_,
                                 asked_.seed,
                                 asked_.strategy,
                                 one.plan,
                                 folder_.empty() ? folder_of(one.provider) : folder_,
                                 files_digest(one.provider, folder_)};
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
