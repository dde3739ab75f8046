// A shared library that is a lease provider: what it exports and what it declares
// (lease_plugin.h). Once loaded it stays for good, since its threads and handlers might.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "providers/error.hpp"
#include "providers/guarantees.hpp"
#include "providers/lease_provider.hpp"
#include "providers/plugin/lease_plugin.h"

namespace leaselab::plugin {

// A path leads to nothing that could be a provider here: it is no library, speaks another version,
// or has no operation at all. One line.
class no_plugin : public host_failed {
 public:
  using host_failed::host_failed;
};

class library {
 public:
  // Throws no_plugin, and host_failed where what it declares is nonsense. A relative path begins in
  // `folder`, the present one where that is empty.
  explicit library(std::string path, const std::string& folder = {});

  // Null where it is missing.
  struct {
    decltype(&lease_plugin_acquire_lease) acquire_lease = nullptr;
    decltype(&lease_plugin_get_lease_owner) get_lease_owner = nullptr;
    decltype(&lease_plugin_release_lease) release_lease = nullptr;
    decltype(&lease_plugin_renew_lease) renew_lease = nullptr;
    decltype(&lease_plugin_transfer_lease) transfer_lease = nullptr;
    decltype(&lease_plugin_create) create = nullptr;
    decltype(&lease_plugin_destroy) destroy = nullptr;
    decltype(&lease_plugin_open_host) open_host = nullptr;
    decltype(&lease_plugin_clear_host) clear_host = nullptr;
    decltype(&lease_plugin_close_host) close_host = nullptr;
    decltype(&lease_plugin_peek) peek = nullptr;
  } entry;

  const std::string& path() const { return path_; }
  const std::vector<operation>& missing() const { return missing_; }  // in the contract's order
  const guarantees& declared() const { return declared_; }
  // Its records are Redis keys `<prefix>:lease:<key>`.
  bool says_where() const { return says_where_; }

  // Throws host_failed that says so of this library.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  template <class Entry>
  void look_up(Entry& into, const char* name) const;
  [[noreturn]] void refuse(const std::string& what) const;
  void check_version() const;
  void look_for_operations();
  void read_declaration();
  void read_exceptions(const lease_declaration& from);

  const std::string path_;
  void* handle_ = nullptr;
  std::vector<operation> missing_;
  guarantees declared_;
  bool says_where_ = false;
};

// What the processes of one host share.
class host_memory {
 public:
  explicit host_memory(std::shared_ptr<const library> of)
      : of_(std::move(of)), shared_(of_->entry.open_host ? of_->entry.open_host() : nullptr) {}
  ~host_memory() {
    if (of_->entry.close_host) of_->entry.close_host(shared_);
  }
  host_memory(const host_memory&) = delete;
  host_memory& operator=(const host_memory&) = delete;

  const library& of() const { return *of_; }
  void* shared() const { return shared_; }

 private:
  const std::shared_ptr<const library> of_;
  void* const shared_;
};

}  // namespace leaselab::plugin
