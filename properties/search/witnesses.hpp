// From cells that show a violation to small runs that prove it.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "properties/search/search.hpp"

namespace leaselab::properties {

// Runs spent on one witness: the first of its provider and property gets what a good story needs,
// the same violation under further profiles less.
inline constexpr std::uint32_t full_budget = 1500;
inline constexpr std::uint32_t short_budget = 400;

// Runs the first violation of every cell again, shrinks it and states it as a directed plan.
// Fills in check_result::witnesses and the cells' references to them. `campaigns` are those whose
// cells stand in `out`, in the same order.
void find_witnesses(const std::vector<campaign>& campaigns,
                    std::vector<std::unique_ptr<bench>>& benches, const check_options& options,
                    check_result& out);

// Which schedule to prove a violation by.
struct claim_to_prove {
  std::size_t property = 0;  // of the judge
  std::uint64_t index = 0;   // of the schedule
  std::uint32_t budget = 0;  // runs to shrink it in
  // Where set, the violation must vanish from the same plan under this client.
  const sim::client_policy* without = nullptr;
  // Where set, what each plan has to pass besides; it may use the bench.
  std::function<bool(const sim::plan& candidate)> also = {};
  // Once it is set, what has been found is not made smaller.
  const std::atomic<bool>* stop = nullptr;
  // Where set, called before each run.
  std::function<void()> runs = {};
};
// The violation, shrunk. Nothing where that schedule violates the property without the client's
// doing. `known`: the plan of the violation, where it is not drawn by its index.
std::optional<witness> prove(bench& own, const campaign& of, const claim_to_prove& what,
                             const std::optional<sim::plan>& known = std::nullopt);

// Calls work(own, i) for each i below `count`, each thread with one of `owns`. Rethrows the first
// exception.
template <class Own, class Work>
void in_parallel(std::vector<Own>& owns, std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&](Own& own) {
    try {
      for (auto i = next++; i < count; i = next++) work(own, i);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < owns.size(); ++i)
      threads.emplace_back([&run, &own = owns[i]] { run(own); });
    run(owns.front());
  }
  if (failure) std::rethrow_exception(failure);
}

// The same with a bench for each thread.
template <class Work>
void for_each_in_parallel(std::vector<std::unique_ptr<bench>>& benches, std::size_t count,
                          Work work) {
  in_parallel(benches, count, [&](std::unique_ptr<bench>& own, std::size_t i) { work(*own, i); });
}

}  // namespace leaselab::properties
