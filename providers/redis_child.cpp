#include "providers/redis_child.hpp"

#include <stdlib.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace leaselab {

std::string system_error(const std::string& what) { return what + ": " + std::strerror(errno); }

// redis-tools brings no redis-server, but redis-check-rdb is the same binary and goes by the name
// it is started under.
std::string find_redis_server() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  for (const char* name : {"redis-server", "redis-check-rdb"}) {
    std::string_view rest = folders;
    while (!rest.empty()) {
      const auto folder = rest.substr(0, rest.find(':'));
      const std::string candidate = std::string(folder) + "/" + name;
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    }
  }
  throw server_failed("no redis-server in PATH (the package redis-tools brings one)");
}

server_folder::server_folder() {
  const char* base = std::getenv("TMPDIR");
  path_ = std::string(base == nullptr || *base == '\0' ? P_tmpdir : base) + "/leaselab-XXXXXX";
  // The socket's path must fit, with its name and the final zero.
  if (path_.size() + 3 > sizeof(sockaddr_un::sun_path)) path_ = P_tmpdir "/leaselab-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) throw server_failed(system_error(path_));
}

server_folder::~server_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string log_tail(const std::string& path) {
  constexpr std::size_t lines_shown = 8;
  std::ifstream log(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  std::string tail;
  const std::size_t first = lines.size() > lines_shown ? lines.size() - lines_shown : 0;
  for (std::size_t i = first; i < lines.size(); ++i) tail += "\n  " + lines[i];
  return tail.empty() ? "\n  (its log is empty)" : tail;
}

}  // namespace leaselab
