// A file to which lines are appended, each by one write and at once: what a process did is there
// even when it is killed in the next moment, and lines of several processes do not mix.
#pragma once

#include <string>
#include <string_view>

namespace leaselab::cli::live {

class line_file {
 public:
  // Made where it is missing. Throws std::runtime_error.
  explicit line_file(const std::string& path);
  ~line_file();
  line_file(const line_file&) = delete;
  line_file& operator=(const line_file&) = delete;

  // `text` ends in a newline. Throws std::runtime_error: a full disk must not pass for silence.
  void add(std::string_view text);

 private:
  std::string path_;
  int file_;
};

}  // namespace leaselab::cli::live
