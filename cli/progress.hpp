// One line on a terminal that says how far long work is; nothing in a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace leaselab::cli {

// "12,000 of 98,000 schedules  61,000/s  1.4 s left  3 violations".
std::string progress_text(std::uint64_t done, std::uint64_t of, std::uint64_t violations,
                          double seconds);
// "1 of 3 violations made smaller  340 runs  handoff.honest".
std::string shrinking_text(std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                           const std::string& property);

class progress_line {
 public:
  progress_line();
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  // Draws at most ten times a second. Never called twice at once.
  void show(std::uint64_t done, std::uint64_t of, std::uint64_t violations);
  // Of steps that differ: "17 of 200  1 min left  redis/renew/tcp".
  void show_step(std::uint64_t done, std::uint64_t of, const std::string& step);
  // Of violations that are made smaller, at most ten times a second as well.
  void show_shrinking(std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                      const std::string& property);
  void erase();

 private:
  using clock = std::chrono::steady_clock;
  bool is_due();
  void draw(std::string text);

  bool enabled_;
  bool drawn_ = false;
  clock::time_point began_ = clock::now();
  clock::time_point next_ = clock::now();
};

}  // namespace leaselab::cli
