#include "cli/live/worker_log.hpp"

#include <fmt/format.h>

#include "cli/live/clock_table.hpp"

namespace leaselab::cli::live {

worker_log::worker_log(const worker_config& config)
    : process_(config.name()),
      ttl_ns_(config.ttl_ms * 1'000'000),
      history_(config.history_path()),
      beliefs_(config.beliefs_path()) {
  for (int key = 0; key < config.keys; ++key) {
    work_.push_back(std::make_unique<line_file>(work_path(config.folder, key)));
  }
  history_.add(
      fmt::format(R"({{"history":1,"unit":"ns","ttl":{},"granule":1000000,"reading":"after"}})"
                  "\n",
                  ttl_ns_));
}

worker_log::call worker_log::begin(const char* op, int key, const std::string& owner) {
  call out{++calls_, ""};
  const auto name = owner.empty() ? std::string() : fmt::format(R"("owner":"{}",)", owner);
  out.head = fmt::format(R"({{"id":{},"process":"{}","op":"{}","key":"k{}",{}"call":{})", out.id,
                         process_, op, key, name, true_now());
  history_.add(out.head + R"(,"return":null,"outcome":"info"})"
                          "\n");
  return out;
}

void worker_log::end(const call& of, const std::string& result) {
  history_.add(fmt::format(R"({},"return":{},"outcome":"ok"{}}})"
                           "\n",
                           of.head, true_now(), result));
}

void worker_log::end(const call& of, const lease_error& error) {
  history_.add(fmt::format(R"({},"return":{},"outcome":"{}","error":"{}"}})"
                           "\n",
                           of.head, true_now(), to_string(error.kind), to_string(error.code)));
}

void worker_log::believes(int key, const std::string& owner, std::int64_t at, std::int64_t until) {
  beliefs_.add(fmt::format(R"({{"key":"k{}","owner":"{}","at":{},"until":{}}})"
                           "\n",
                           key, owner, at, until));
}

void worker_log::believes_no_more(int key, const std::string& owner, std::int64_t at,
                                  const char* why) {
  beliefs_.add(fmt::format(R"({{"key":"k{}","owner":"{}","at":{},"end":"{}"}})"
                           "\n",
                           key, owner, at, why));
}

void worker_log::work(int key, const std::string& owner, std::int64_t at) {
  work_[static_cast<std::size_t>(key)]->add(fmt::format("{} {}\n", at, owner));
}

}  // namespace leaselab::cli::live
