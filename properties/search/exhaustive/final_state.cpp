#include "properties/search/exhaustive/final_state.hpp"

#include <algorithm>
#include <numeric>

namespace leaselab::properties {
namespace {

using sim::event_kind;

std::uint64_t mix(std::uint64_t so_far, std::uint64_t next) {
  auto x = (so_far ^ next) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  return x ^ (x >> 29);
}

struct held {
  sim::process_id process;
  sim::owner_id owner;
  std::int64_t until_us;
};

// The order of processes in which a state is written down: by program, and among equals any.
using seating = std::vector<std::uint32_t>;

class reading {
 public:
  reading(const sim::run_record& run, const sim::plan& plan) : run_(run), plan_(plan) {
    for (const auto& event : run.events) see(event);
    find_homes();
  }

  std::uint64_t hash(const seating& seats, const std::vector<std::uint32_t>& programs) const {
    std::vector<std::uint32_t> seat_of(seats.size());
    for (std::uint32_t seat = 0; seat < seats.size(); ++seat) seat_of[seats[seat]] = seat;
    std::uint64_t out = 0;
    for (const auto process : seats) {
      out = mix(out, programs[process]);
      for (const auto& call : run_.calls)
        if (call.process == process) out = mix(out, hash_call(call, seat_of));
    }
    for (const auto& record : records_) {
      out = mix(out, named(record.owner, seat_of));
      out = mix(out, std::uint64_t(record.deadline));
      out = mix(out, record.token);
    }
    return mix(out, hash_beliefs(seat_of));
  }

 private:
  void see(const sim::event& event) {
    if (event.kind == event_kind::step || event.kind == event_kind::change) {
      const auto place = std::size_t(event.store) * run_.keys.size() + event.key;
      if (records_.size() <= place) records_.resize(place + 1);
      records_[place] = event.after;
    }
    if (event.kind != event_kind::believe && event.kind != event_kind::disbelieve) return;
    std::erase_if(beliefs_, [&](const held& one) {
      return one.process == event.process && one.owner == event.owner;
    });
    if (event.kind == event_kind::believe)
      beliefs_.push_back({event.process, event.owner, event.value / 1000});
  }

  // A token by its process and its number there, in the order of the plan.
  void find_homes() {
    homes_.assign(run_.owners.size(), {});
    std::vector<std::uint32_t> count(plan_.processes.size());
    for (const auto& call : plan_.calls) {
      for (const auto owner : {call.owner, call.to}) {
        if (owner == sim::nobody || owner >= homes_.size() || homes_[owner].number > 0) continue;
        homes_[owner] = {call.process, ++count[call.process]};
      }
    }
  }

  std::uint64_t named(sim::owner_id owner, const std::vector<std::uint32_t>& seat_of) const {
    if (owner >= homes_.size() || homes_[owner].number == 0) return owner;
    return (std::uint64_t{seat_of[homes_[owner].process]} + 1) << 32 | homes_[owner].number;
  }

  std::uint64_t hash_call(const sim::call_record& call,
                          const std::vector<std::uint32_t>& seat_of) const {
    auto out = mix(std::uint64_t(call.what), named(call.owner, seat_of));
    out = mix(out, std::uint64_t(call.ended) << 8 | std::uint64_t(call.yes));
    out = mix(out, named(call.named, seat_of));
    return mix(out, call.token.value_or(0));
  }

  std::uint64_t hash_beliefs(const std::vector<std::uint32_t>& seat_of) const {
    std::uint64_t sum = 0;  // whatever their order
    for (const auto& one : beliefs_)
      sum += mix(named(one.owner, seat_of), std::uint64_t(one.until_us));
    return sum;
  }

  struct home {
    sim::process_id process = 0;
    std::uint32_t number = 0;
  };
  const sim::run_record& run_;
  const sim::plan& plan_;
  std::vector<sim::record_state> records_;
  std::vector<held> beliefs_;
  std::vector<home> homes_;
};

}  // namespace

std::uint64_t final_state(const sim::run_record& run, const sim::plan& plan,
                          const std::vector<std::uint32_t>& programs) {
  const reading state(run, plan);
  seating seats(programs.size());
  std::iota(seats.begin(), seats.end(), 0U);
  std::uint64_t least = ~std::uint64_t{0};
  do {
    const bool by_program =
        std::is_sorted(seats.begin(), seats.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return programs[a] < programs[b]; });
    if (by_program) least = std::min(least, state.hash(seats, programs));
  } while (std::next_permutation(seats.begin(), seats.end()));
  return least;
}

}  // namespace leaselab::properties
