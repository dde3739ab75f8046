#include "providers/plugin/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>

#include "providers/declaration.hpp"
#include "providers/error.hpp"
#include "providers/plugin/elf_file.hpp"
#include "providers/plugin/entered.hpp"

namespace leaselab::plugin {
namespace {

// What the loader said last, without the path in front.
std::string loader_said(const std::string& path) {
  const char* const said = ::dlerror();
  std::string text = said != nullptr ? said : "it cannot be loaded";
  const std::string front = path + ": ";
  return text.starts_with(front) ? text.substr(front.size()) : text;
}

void* load(const std::string& path, const std::string& folder) {
  // With a slash in it the loader takes the path as it is, and searches nowhere.
  const std::string whole =
      std::filesystem::absolute(std::filesystem::path(folder) / path).string();
  if (const auto why = why_no_library(whole); !why.empty()) throw no_plugin(path + ": " + why);
  void* const handle = ::dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw no_plugin(fmt::format("{}: {}", path, loader_said(whole)));
  return handle;
}

// Whether the plugin's header had that member.
#define LEASELAB_HAS(declaration, member) \
  ((declaration).size >= offsetof(lease_declaration, member) + sizeof(lease_declaration::member))

}  // namespace

library::library(std::string path, const std::string& folder)
    : path_(std::move(path)), handle_(load(path_, folder)) {
  explain_ends();
  check_version();
  look_for_operations();
  look_up(entry.create, "create");
  look_up(entry.destroy, "destroy");
  look_up(entry.open_host, "open_host");
  look_up(entry.clear_host, "clear_host");
  look_up(entry.close_host, "close_host");
  look_up(entry.peek, "peek");
  if (entry.peek != nullptr) declare_within_host(declared_);
  try {
    read_declaration();
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
}

void library::refuse(const std::string& what) const {
  throw no_plugin(fmt::format("{}: {}", path_, what));
}

void library::fail(const std::string& what) const {
  throw host_failed(fmt::format("{}: {}", path_, what));
}

template <class Entry>
void library::look_up(Entry& into, const char* name) const {
  const std::string symbol = std::string("lease_plugin_") + name;
  into = reinterpret_cast<Entry>(::dlsym(handle_, symbol.c_str()));
}

void library::check_version() const {
  const auto* const version =
      static_cast<const std::uint32_t*>(::dlsym(handle_, "lease_plugin_version"));
  if (version == nullptr) refuse("it is no lease plugin: there is no lease_plugin_version in it");
  const std::uint32_t major = *version >> 16;
  if (major == LEASE_PLUGIN_MAJOR) return;
  refuse(fmt::format("it was built for version {} of lease_plugin.h; this program takes version {}",
                     major, LEASE_PLUGIN_MAJOR));
}

void library::look_for_operations() {
  const auto look = [this](operation what, auto& into) {
    look_up(into, std::string(to_string(what)).c_str());
    if (into == nullptr) missing_.push_back(what);
  };
  look(operation::acquire, entry.acquire_lease);
  look(operation::get, entry.get_lease_owner);
  look(operation::release, entry.release_lease);
  look(operation::renew, entry.renew_lease);
  look(operation::transfer, entry.transfer_lease);
  if (missing_.size() == operation_count) {
    refuse("it has none of the five operations: there is no lease_plugin_acquire_lease in it, ...");
  }
}

void library::read_declaration() {
  decltype(&lease_plugin_declare) declare = nullptr;
  look_up(declare, "declare");
  const lease_declaration* const found = declare != nullptr ? declare() : nullptr;
  if (found == nullptr) return;
  const lease_declaration& said = *found;
  if (LEASELAB_HAS(said, scope) && said.scope) declare_scope(declared_, said.scope);
  if (LEASELAB_HAS(said, expiry) && said.expiry) declare_expiry(declared_, said.expiry);
  if (LEASELAB_HAS(said, granule_ms) && said.granule_ms != 0) {
    declare_granule(declared_, said.granule_ms);
  }
  if (LEASELAB_HAS(said, handoff) && said.handoff) declare_handoff(declared_, said.handoff);
  if (LEASELAB_HAS(said, records) && said.records) {
    expect_known_place(said.records);
    says_where_ = true;
  }
  if (LEASELAB_HAS(said, not_guaranteed_count)) read_exceptions(said);
}

void library::read_exceptions(const lease_declaration& from) {
  for (std::size_t i = 0; i < from.not_guaranteed_count; ++i) {
    const auto& [property, profile] = from.not_guaranteed[i];
    if (property == nullptr) throw std::runtime_error("not_guaranteed names no property");
    declared_.not_guaranteed.push_back({property, profile != nullptr ? profile : "*"});
  }
}

}  // namespace leaselab::plugin
