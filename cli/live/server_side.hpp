// The server of a live run: a child of our own, with its data on disk, or somebody else's, in
// which nothing but our prefix is touched.
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/live/setup.hpp"
#include "providers/environment_asio.hpp"
#include "providers/testing/redis_server.hpp"

namespace leaselab::cli::live {

class server_side {
 public:
  // Returns when the server has answered. Throws std::runtime_error of one line when it does not.
  explicit server_side(const setup& of);
  ~server_side();

  const std::string& url() const { return url_; }
  const std::string& prefix() const { return prefix_; }
  std::string name() const;     // for people, without a password
  std::string version() const;  // "7.0.15"; empty where it does not say

  // Its own server only: scripts that write wait, at most that long.
  void hold_writes(milliseconds longest);
  void let_writes_go();
  // Ends the connections of that name; how many there were.
  int cut(const std::string& client_name);
  // The server's own clock, us since 1970; 0 where it does not say.
  std::int64_t time_us();

  // Its own server only.
  void kill_hard();
  void start();
  bool down() const { return down_; }
  bool gone();  // it ended, and not by kill_hard
  void keep_log(const std::filesystem::path& as) const;

  // Removes what the workers have left. They are gone.
  void clean(int keys);

 private:
  void clean_prefix();
  result<reply> ask(std::vector<std::string> words);
  std::vector<std::string> connections(const std::string& client_name);

  std::unique_ptr<testing::redis_server> own_;
  bool down_ = false;
  std::string url_, prefix_, version_;
  asio::io_context context_{1};
  std::unique_ptr<environment_asio> environment_;
};

}  // namespace leaselab::cli::live
