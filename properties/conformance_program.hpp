// Writes the cases of the contract suite in few words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "properties/conformance.hpp"

namespace leaselab::properties::conformance {

inline constexpr sim::process_id P1 = 0, P2 = 1, P3 = 2;
// Of most leases in the suite. The margins around its end are wide enough for real time.
inline constexpr std::int64_t usual_ttl_ms = 100;

// The steps in order: calls, each followed by what is said about it.
class program {
 public:
  program& acquire(double at_ms, sim::process_id who, std::string owner,
                   std::int64_t ttl_ms = usual_ttl_ms) {
    return call(sim::verb::acquire, at_ms, who, std::move(owner), "", ttl_ms);
  }
  program& get(double at_ms, sim::process_id who) {
    return call(sim::verb::get, at_ms, who, "", "", 0);
  }
  program& release(double at_ms, sim::process_id who, std::string owner) {
    return call(sim::verb::release, at_ms, who, std::move(owner), "", 0);
  }
  program& renew(double at_ms, sim::process_id who, std::string owner,
                 std::int64_t ttl_ms = usual_ttl_ms) {
    return call(sim::verb::renew, at_ms, who, std::move(owner), "", ttl_ms);
  }
  program& transfer(double at_ms, sim::process_id who, std::string from, std::string to,
                    std::int64_t ttl_ms = usual_ttl_ms) {
    return call(sim::verb::transfer, at_ms, who, std::move(from), std::move(to), ttl_ms);
  }
  program& close(double at_ms, sim::process_id who) {
    return call(sim::verb::close, at_ms, who, "", "", 0);
  }

  // About the last call.
  program& on(std::string key);
  program& exact_ttl();
  program& alive() { return lease(lease_time::alive); }
  program& over() { return lease(lease_time::over); }
  program& token(token_rule rule);
  program& breaks(std::string property);  // when it departs
  // Holds for the next expectation only; without it an expectation holds always.
  program& when(under condition);

  program& wins() { return expect(wanted::acquired, "", "acquired"); }
  program& denied(std::string name);
  program& names(std::string name);
  program& nobody() { return expect(wanted::nobody, "", "none: the key is free"); }
  program& yes() { return expect(wanted::yes, "", "true"); }
  program& no() { return expect(wanted::no, "", "false"); }
  program& done() { return expect(wanted::done, "", "ends ok"); }
  program& refused() { return expect(wanted::refused, "", "fail invalid_argument"); }
  program& closed() { return expect(wanted::closed, "", "fail closed"); }

  std::vector<step> steps() const { return steps_; }

 private:
  program& call(sim::verb what, double at_ms, sim::process_id who, std::string owner,
                std::string to, std::int64_t ttl_ms);
  program& lease(lease_time where);
  program& expect(wanted answer, std::string name, std::string sentence);

  std::vector<step> steps_;
  under next_ = under::always;
};

// On real time and in the simulator.
conformance_case on_both(operation what, std::string edge, std::string sentence,
                         const program& steps);
// At instants that only the simulator can hit.
conformance_case at_instants(operation what, std::string edge, std::string sentence,
                             const program& steps);

using case_list = std::vector<conformance_case>;

// One file each: conformance_acquire.cpp, ...
case_list acquire_cases();
case_list get_cases();
case_list release_cases();
case_list renew_cases();
case_list transfer_cases();
case_list argument_cases();  // unlawful ones, of all five
case_list name_cases();      // odd but lawful keys and owners
case_list closed_cases();
case_list token_cases();

}  // namespace leaselab::properties::conformance
