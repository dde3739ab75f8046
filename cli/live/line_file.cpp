#include "cli/live/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace leaselab::cli::live {

line_file::line_file(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

line_file::~line_file() { ::close(file_); }

void line_file::add(std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace leaselab::cli::live
