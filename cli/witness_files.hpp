// What a violation leaves on disk: a scenario that states it, a trace that replays it, and on
// request its picture.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/execution.hpp"
#include "cli/output.hpp"
#include "cli/report/check_report.hpp"

namespace leaselab::cli {

// `name` as one component of a path, of letters, digits and ._-+=,@: alone.
std::string path_component(const std::string& name);

// Components of paths, one for each owner: a/b.so and a_b.so do not share theirs.
class own_names {
 public:
  // The path_component of `wanted`, with -2, -3, ... behind where another owner has it.
  std::string of(const std::string& wanted, const std::string& owner);

 private:
  std::map<std::string, std::string> owners_;
};

class witness_files {
 public:
  witness_files(output_folder& to, const properties::check_options& asked, std::string engine,
                bool pictures);
  // The providers from elsewhere are started in that folder, not in this one.
  void start_in(std::string folder) { folder_ = std::move(folder); }

  // Runs the witness once more, fully recorded, and writes <provider>/<property>/<profile>.*
  written_witness write(const properties::witness& one);
  // The same, to <place>.*
  written_witness write(const properties::witness& one, const std::filesystem::path& place);

 private:
  execution& world_of(const std::string& provider);

  output_folder& to_;
  const properties::check_options& asked_;
  std::string engine_;
  bool pictures_;
  std::string folder_;
  std::map<std::string, std::unique_ptr<execution>> worlds_;
  own_names folders_;
};

}  // namespace leaselab::cli
