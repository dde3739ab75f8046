// What every redis-server that we start as a child needs: the binary, a folder of its own, and a
// word from its log when it fails.
#pragma once

#include <stdexcept>
#include <string>

namespace leaselab {

// No server to be found, or it did not start, or it went away; the text holds the end of its log.
class server_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `what` and the text of errno.
std::string system_error(const std::string& what);

// The binary's path; it is to be started under the name redis-server. Throws server_failed.
std::string find_redis_server();

// A folder below TMPDIR, short enough for a socket's path, removed with all that is in it.
class server_folder {
 public:
  // Throws server_failed.
  server_folder();
  ~server_folder();
  server_folder(const server_folder&) = delete;
  server_folder& operator=(const server_folder&) = delete;

  std::string file(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The last lines of a log, each on a line of its own.
std::string log_tail(const std::string& path);

}  // namespace leaselab
