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
  std::string folder_named(const std::string& provider);

  output_folder& to_;
  const properties::check_options& asked_;
  std::string engine_;
  bool pictures_;
  std::string folder_;
  std::map<std::string, std::unique_ptr<execution>> worlds_;
  std::map<std::string, std::string> folders_;  // whose each is
};

// `name` as one component of a path, of letters, digits and ._-+=,@: alone.
std::string path_component(const std::string& name);

}  // namespace leaselab::cli
