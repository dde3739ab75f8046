#include "cli/bench_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "cli/additions.hpp"

namespace leaselab::cli {
namespace {

namespace fs = std::filesystem;

// A file descriptor that closes itself.
class handle {
 public:
  explicit handle(int value = -1) : value_(value) {}
  handle(handle&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~handle() { close(); }
  int get() const { return value_; }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }

 private:
  int value_;
};

struct pipe_ends {
  handle read, write;
  pipe_ends() {
    int both[2];
    if (::pipe2(both, O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
    read = handle(both[0]);
    write = handle(both[1]);
  }
};

// The JSON goes to memory that the child inherits under this number.
constexpr int json_number = 3;

[[noreturn]] void become(char** arguments, pid_t parent, int output, int error, int json) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  ::setpgid(0, 0);                        // Ctrl-C is for the program to hand on
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(output, 1);
  ::dup2(error, 2);
  // dup2 to itself would leave the close-on-exec flag.
  json == json_number ? ::fcntl(json, F_SETFD, 0) : ::dup2(json, json_number);
  ::close_range(json_number + 1, ~0U, 0);
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

std::string read_memory(int file) {
  std::string text;
  char part[65536];
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t count; (count = ::read(file, part, sizeof(part))) > 0;) {
    text.append(part, static_cast<std::size_t>(count));
  }
  return text;
}

// One end of a pipe, cut into lines.
class line_reader {
 public:
  explicit line_reader(int from) : from_(from) {}
  bool open() const { return open_; }
  pollfd interest() const { return {open_ ? from_ : -1, POLLIN, 0}; }

  template <class Take>
  void read(Take take) {
    char part[4096];
    const auto count = ::read(from_, part, sizeof(part));
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      open_ = false;
      if (!rest_.empty()) take(std::exchange(rest_, {}));
      return;
    }
    rest_.append(part, static_cast<std::size_t>(count));
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      take(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
  }

 private:
  int from_;
  bool open_ = true;
  std::string rest_;
};

// Asks once, and later insists.
class stopper {
 public:
  stopper(pid_t child, const std::atomic<bool>& stop) : child_(child), stop_(stop) {}
  void look() {
    using clock = std::chrono::steady_clock;
    if (!stop_) return;
    if (!asked_) {
      ::kill(child_, SIGTERM);
      insist_at_ = clock::now() + std::chrono::seconds(10);
      asked_ = true;
    } else if (clock::now() > insist_at_) {
      ::kill(child_, SIGKILL);
    }
  }

 private:
  pid_t child_;
  const std::atomic<bool>& stop_;
  bool asked_ = false;
  std::chrono::steady_clock::time_point insist_at_;
};

}  // namespace

std::string bench_program() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path built = here / "bench/provider_bench";
  const fs::path installed = here / "../libexec/leaselab/provider_bench";
  for (const fs::path& candidate : {built, installed}) {
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.lexically_normal().string();
  }
  throw std::runtime_error("the benchmark program is neither " + built.string() + " nor " +
                           installed.lexically_normal().string());
}

bench_end run_bench_child(std::vector<std::string> flags, const std::atomic<bool>& stop,
                          const std::function<void(const std::string&)>& on_line) {
  const handle json(::memfd_create("leaselab-bench", MFD_CLOEXEC));
  pipe_ends output, error;
  if (benches_itself()) {
    flags.insert(flags.begin(), {"/proc/self/exe", bench_word});
  } else {
    flags.insert(flags.begin(), bench_program());
  }
  flags.push_back("--benchmark_out=/proc/self/fd/" + std::to_string(json_number));
  flags.push_back("--benchmark_out_format=json");
  std::vector<char*> arguments;
  for (std::string& flag : flags) arguments.push_back(flag.data());
  arguments.push_back(nullptr);

  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become(arguments.data(), parent, output.write.get(), error.write.get(), json.get());
  }
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  output.write.close();
  error.write.close();

  bench_end end;
  line_reader lines(output.read.get()), complaints(error.read.get());
  stopper stopper(child, stop);
  while (lines.open() || complaints.open()) {
    pollfd both[] = {lines.interest(), complaints.interest()};
    ::poll(both, 2, 100);
    stopper.look();
    if (both[0].revents != 0) lines.read(on_line);
    if (both[1].revents != 0) {
      complaints.read([&](const std::string& line) {
        if (end.error.empty()) end.error = line;
      });
    }
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  end.json = read_memory(json.get());
  return end;
}

}  // namespace leaselab::cli
