#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/report/text.hpp"
#include "cli/terminal.hpp"

namespace leaselab::cli {

std::string progress_text(std::uint64_t done, std::uint64_t of, std::uint64_t violations,
                          double seconds) {
  std::string text = fmt::format("{} of {} schedules", grouped(done), grouped(of));
  if (seconds > 0 && done > 0) {
    const double rate = static_cast<double>(done) / seconds;
    const double left = static_cast<double>(of > done ? of - done : 0) / rate;
    text += fmt::format("  {}/s  {:.0f} s left", grouped(static_cast<std::uint64_t>(rate)), left);
  }
  if (violations > 0) text += fmt::format("  {} violations", grouped(violations));
  return text;
}

std::string shrinking_text(std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                           const std::string& property) {
  return fmt::format("{} of {} made smaller  {}  {}", grouped(done),
                     counted(of, "violation", "violations"), counted(runs, "run", "runs"),
                     property);
}

progress_line::progress_line() : enabled_(is_terminal(stderr)) {}

progress_line::~progress_line() { erase(); }

void progress_line::show(std::uint64_t done, std::uint64_t of, std::uint64_t violations) {
  if (!is_due()) return;
  const double seconds = std::chrono::duration<double>(clock::now() - began_).count();
  draw(progress_text(done, of, violations, seconds));
}

void progress_line::show_step(std::uint64_t done, std::uint64_t of, const std::string& step) {
  if (!enabled_) return;
  const double seconds = std::chrono::duration<double>(clock::now() - began_).count();
  std::string text = fmt::format("{} of {}", grouped(done), grouped(of));
  if (done > 0) {
    text += fmt::format("  {:.0f} s left", seconds / static_cast<double>(done) *
                                               static_cast<double>(of > done ? of - done : 0));
  }
  draw(text + "  " + step);
}

void progress_line::show_shrinking(std::uint64_t done, std::uint64_t of, std::uint64_t runs,
                                   const std::string& property) {
  if (is_due()) draw(shrinking_text(done, of, runs, property));
}

bool progress_line::is_due() {
  const auto now = clock::now();
  if (!enabled_ || now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void progress_line::draw(std::string text) {
  const int width = terminal_width(stderr);
  if (width > 0 && text.size() >= static_cast<std::size_t>(width)) text.resize(width - 1);
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

void progress_line::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace leaselab::cli
