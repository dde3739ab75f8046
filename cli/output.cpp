#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cli/exit_status.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw usage_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

// Closes and, unless told otherwise, removes what it opened.
class written_file {
 public:
  written_file(fs::path path, int flags) : path_(std::move(path)) {
    handle_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    if (handle_ < 0) refuse(path_, errno);
  }
  ~written_file() {
    if (handle_ >= 0) ::close(handle_);
  }
  written_file(const written_file&) = delete;
  written_file& operator=(const written_file&) = delete;

  // An errno, 0 when all went well.
  int write(std::string_view text) {
    while (!text.empty()) {
      const auto count = ::write(handle_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    const int closed = ::close(std::exchange(handle_, -1));
    return closed == 0 ? 0 : errno;
  }

 private:
  fs::path path_;
  int handle_;
};

void write_standard_output(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) refuse("standard output", errno);
}

// Devices and pipes cannot be replaced by a file, nor would anyone want that.
void write_in_place(const fs::path& path, std::string_view text) {
  const int error = written_file(path, 0).write(text);
  if (error != 0) refuse(path, error);
}

void write_and_rename(const fs::path& path, std::string_view text) {
  fs::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  int error = written_file(temporary, O_CREAT | O_TRUNC).write(text);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  refuse(path, error);
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) refuse(folder, error.value());
}

// The number in front of "0007-check": 0 where there is none.
unsigned number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  unsigned number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

unsigned highest_number(const fs::path& out) {
  unsigned highest = 0;
  std::error_code error;
  for (fs::directory_iterator each(out, error), end; !error && each != end; each.increment(error)) {
    highest = std::max(highest, number_of(each->path()));
  }
  return highest;
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  if (path == "-") return write_standard_output(text);
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) refuse(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_in_place(path, text);
  make_folders(path.parent_path());
  write_and_rename(path, text);
}

void expect_writable(const fs::path& file) {
  if (file.empty() || file == "-") return;
  std::error_code error;
  if (fs::is_directory(file, error)) refuse(file, EISDIR);
  if (fs::exists(file, error)) {
    if (::access(file.c_str(), W_OK) != 0) refuse(file, errno);
    return;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  make_folders(folder);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(file, errno);
}

std::FILE* text_stream(const options& given) {
  for (const auto& file :
       {given.json, given.junit, given.html, given.markdown, given.perfetto, given.svg}) {
    if (file == "-") return stderr;
  }
  return stdout;
}

output_folder::output_folder(fs::path out, std::string name)
    : out_(std::move(out)), name_(std::move(name)) {
  make_folders(out_);
  if (::access(out_.c_str(), W_OK | X_OK) != 0) refuse(out_, errno);
}

// mkdir decides between two runs that want the same number at the same time.
void output_folder::open() {
  for (unsigned number = highest_number(out_) + 1;; ++number) {
    const fs::path wanted = out_ / fmt::format("{:04}-{}", number, name_);
    if (::mkdir(wanted.c_str(), 0777) == 0) {
      folder_ = wanted;
      break;
    }
    if (errno != EEXIST) refuse(wanted, errno);
  }
  link(folder_.filename(), out_ / "latest");
}

fs::path output_folder::write(const fs::path& relative, std::string_view text) {
  if (folder_.empty()) open();
  const fs::path path = folder_ / relative;
  write_file(path, text);
  return path;
}

void output_folder::set_first(const fs::path& trace) {
  link(trace.lexically_relative(folder_), folder_ / "first.jsonl");
}

void output_folder::link(const fs::path& target, const fs::path& name) {
  fs::path temporary = name;
  temporary += fmt::format(".{}.tmp", ::getpid());
  ::unlink(temporary.c_str());
  if (::symlink(target.c_str(), temporary.c_str()) != 0) refuse(name, errno);
  if (::rename(temporary.c_str(), name.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    refuse(name, error);
  }
}

}  // namespace leaselab::cli
