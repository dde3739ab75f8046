// Writes TOML line by line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/duration.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {

class toml_writer {
 public:
  // `full`: also what has its default value.
  explicit toml_writer(bool full) : full_(full) {}

  bool full() const { return full_; }
  void header(const std::string& name);
  void line(const std::string& key, const std::string& value);
  void text(const std::string& key, const std::string& value);
  void texts(const std::string& key, const std::vector<std::string>& values);  // not if empty
  void duration(const std::string& key, sim::true_duration value);
  void duration(const std::string& key, sim::true_duration value, sim::true_duration fallback);
  void flag(const std::string& key, bool value, bool fallback);
  void span(const std::string& key, const range& value);
  std::string take() { return std::move(out_); }

 private:
  bool full_;
  std::string out_;
};

std::string toml_text(const std::string& text);        // quoted and escaped
std::string toml_key(const std::string& key);          // quoted where it must be
std::string decimal(std::int64_t parts_per_billion);   // "1.01"
std::string fraction(std::int64_t parts_per_million);  // "0.1"

// The name of the call with this id, which has one; or of a runtime's call.
std::string call_name(const sim::plan& plan, std::uint32_t id);

void write_fault(toml_writer& out, const sim::plan& plan, const sim::fault_spec& fault,
                 const std::vector<std::string>& providers);

}  // namespace leaselab::scenarios
