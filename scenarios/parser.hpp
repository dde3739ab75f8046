// The loader's inside: one file being read. The parts stand in parse_*.cpp.
#pragma once

#include <map>
#include <string>

#include "scenarios/document.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/scenario.hpp"

namespace leaselab::scenarios {

class parser {
 public:
  parser(context in, const node& root) : in_(std::move(in)), root_(root) {}
  scenario run();

 private:
  // parse_scenario.cpp
  void head(const table_reader& top);
  void name_calls();
  const std::vector<node>& tables(std::string_view key) const;
  void check_something_runs(const table_reader& top) const;
  // parse_expect.cpp
  void expectations();
  expectation parse_expectation(const table_reader& table, const std::string& provider) const;
  void call_expectation(const table_reader& call, call_notes& notes, sim::verb what) const;
  answer parse_answer(const table_reader& table, sim::verb what) const;
  std::vector<std::string> provider_filter(const table_reader& table) const;
  void check_provider(const table_reader& table, std::string_view key,
                      const std::string& name) const;
  // parse_call.cpp
  void process(const node& table);
  void call(const node& table, std::uint32_t id);
  void start(const table_reader& table, sim::call_spec& call) const;
  void arguments(const table_reader& table, sim::call_spec& call);
  void repetition(const table_reader& table, sim::call_spec& call) const;
  void check_order() const;
  std::uint32_t call_named(const table_reader& table, std::string_view key,
                           const std::string& name) const;
  sim::process_id process_named(const std::string& name);
  sim::key_id key_named(const std::string& name);
  sim::owner_id owner_named(const std::string& name);
  std::int64_t ttl_ms(const table_reader& table) const;
  // parse_fault.cpp
  void fault(const node& table, std::uint32_t id);
  void timing(const table_reader& table, sim::fault_spec& fault) const;
  void clocks(const table_reader& table, sim::fault_spec& fault) const;
  void message(const table_reader& table, sim::fault_spec& fault) const;
  void partition(const table_reader& table, sim::fault_spec& fault) const;
  void crash(const table_reader& table, sim::fault_spec& fault) const;
  void data(const table_reader& table, sim::fault_spec& fault) const;
  void code_point(const table_reader& table, sim::fault_spec& fault) const;
  sim::process_id known_process(const table_reader& table, std::string_view key,
                                bool may_be_backend) const;
  sim::process_id process_of_name(const table_reader& table, std::string_view key,
                                  const std::string& name, bool may_be_backend = false) const;
  std::uint32_t any_call(const table_reader& table, std::string_view key,
                         const std::string& name) const;
  // parse_generated.cpp
  void workload();
  void client(const table_reader& table);
  void nemesis();
  void explore();
  void phase();
  void claims();
  void signal(const node& table);
  std::uint64_t seed(const table_reader& table) const;

  context in_;
  const node& root_;
  scenario out_;
  std::map<std::string, std::uint32_t> calls_;  // by name
};

}  // namespace leaselab::scenarios
