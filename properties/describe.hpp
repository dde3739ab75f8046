// Names and numbers for the sentences of violations.
#pragma once

#include <string>

#include "sim/history.hpp"

namespace leaselab::properties {

std::string owner_name(const sim::run_record& run, sim::owner_id owner);  // nobody: "nobody"
std::string key_name(const sim::run_record& run, sim::key_id key);
std::string holder_name(const sim::run_record& run, sim::process_id process, int incarnation);
std::string milliseconds(std::int64_t ns);                                // "12.345 ms"
std::string at_instant(const sim::event& event);                          // "at 12.345 ms"
std::string call_text(const sim::run_record& run, sim::call_index call);  // "P1: renew(K, A, 100)"
std::string deadline_text(std::int64_t deadline);                         // "no deadline"
// "A until 1100" or "nobody".
std::string record_text(const sim::run_record& run, const sim::record_state& record);

}  // namespace leaselab::properties
