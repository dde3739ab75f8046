// A run in plain words: what a call asks, what came back, what a fault does, which choice a label
// names. Stories, diagrams and the critical choice share them.
#pragma once

#include <string>
#include <string_view>

#include "sim/decision.hpp"
#include "sim/history.hpp"
#include "sim/plan.hpp"

namespace leaselab::cli {

std::string key_words(const sim::run_record& run, sim::key_id key);
std::string owner_words(const sim::run_record& run, sim::owner_id owner);  // "nobody"
// "P2", "P2.1" for its second incarnation.
std::string process_words(const sim::run_record& run, sim::process_id process, int incarnation);
// "asks for K as A for 100 ms".
std::string call_words(const sim::run_record& run, const sim::call_record& call);
// "granted", "denied, and told that it is B's".
std::string answer_words(const sim::run_record& run, const sim::call_record& call);
// "K is A's until 100".
std::string record_words(const sim::run_record& run, sim::key_id key,
                         const sim::record_state& record, std::string_view is = "is");
// "P2's clocks stand still for 10ms".
std::string fault_words(const sim::plan& value, std::size_t fault);
// "s1", or its number where it has no name.
std::string signal_words(const sim::plan& value, std::uint32_t signal);
// "the request of P2's acquire of K as A".
std::string label_words(const sim::plan& value, const sim::run_record& run,
                        const sim::label& label);

// "12.345 ms".
std::string ms_words(std::int64_t ns);
// In the unit that shows it: "1 ns", "2.500 us", "12.345 ms".
std::string length_words(sim::true_duration length);

}  // namespace leaselab::cli
