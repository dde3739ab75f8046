// A scenario: what is called or drawn, what goes wrong, and what must come of it for each
// provider. Read from a TOML file (README.md is the format), run elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/names.hpp"
#include "sim/plan.hpp"

namespace leaselab::scenarios {

// what() is one line, "file:line: message".
class scenario_error : public std::runtime_error {
 public:
  scenario_error(const std::string& file, int line, const std::string& message);
  scenario_error(const std::string& file, const std::string& message);  // of no line
};

enum class expected : std::uint8_t { holds, violates, violates_only, clean, not_applicable };

struct expectation {
  expected kind = expected::holds;
  std::vector<std::string> properties;  // violates, violates_only
  bool operator==(const expectation&) const = default;
};

enum class call_outcome : std::uint8_t { ok, fail, info, not_made };

// What a call must answer, each repetition of it. Unset: anything will do.
struct answer {
  std::optional<bool> acquired;      // acquire
  std::optional<std::string> owner;  // get, and the owner that a denial names; "": nobody
  std::optional<bool> ok;            // renew, transfer: what it answered
  std::optional<call_outcome> outcome;
  bool operator==(const answer&) const = default;
};

// What a file says about a call besides its call_spec.
struct call_notes {
  answer expect;
  std::map<std::string, answer> expect_of;  // by provider, field by field in front of `expect`
  std::vector<std::string> providers;       // empty: all
  int line = 0;
};

struct fault_notes {
  std::vector<std::string> providers;  // empty: all
  int line = 0;
};

// A signal of the directed runtime form.
struct signal {
  sim::true_time at = 0;
  sim::process_id process = 0;
  sim::key_id key = 0;
  std::string id;
  sim::true_duration run = 0;
  bool plain = false;
  std::optional<sim::true_duration> suspend_at;  // into the run
  sim::true_time resume_at = 0;
  sim::process_id resume_in = 0;
  bool operator==(const signal&) const = default;
};

struct range {
  std::int64_t least = 0, most = 0;
  bool operator==(const range&) const = default;
};

struct client_choice {
  std::string base = "strict";
  std::map<std::string, std::string> policies;  // those that differ from the base
  bool operator==(const client_choice&) const = default;
};

struct workload {
  bool generated = false;  // false: only the calls and signals of the file
  sim::workload_kind kind = sim::workload_kind::contend;
  range processes{2, 4}, keys{1, 2}, calls{4, 12};  // calls: of each process
  std::int64_t margin_ppm = 100'000;
  client_choice client;
  sim::resource_kind resource = sim::resource_kind::local;
  range decorators{0, 0};
  bool operator==(const workload&) const = default;
};

struct nemesis {
  std::string profile;  // empty: the table
  std::map<sim::fault_kind, std::uint32_t> chance_ppb;
  std::uint32_t budget = 3;  // faults a run
  bool operator==(const nemesis&) const = default;
};

struct explore {
  std::string strategy = "portfolio";
  std::uint64_t schedules = 2'000;
  std::uint64_t seed = 1;
  std::string aim;  // "deadline" or empty
  bool operator==(const explore&) const = default;
};

struct scenario {
  std::string file;       // as it was given
  std::string variation;  // "ttl=50ms" where a matrix made several of one file
  std::string title, story, origin;
  std::vector<std::string> providers;
  std::map<std::string, expectation> expect;  // by provider, or "default"

  sim::plan plan;  // the directed part; `processes`, `keys` and `owners` are shared with the rest
  std::vector<call_notes> calls;    // of plan.calls
  std::vector<fault_notes> faults;  // of plan.faults
  std::vector<signal> signals;

  scenarios::workload workload;
  std::optional<scenarios::nemesis> nemesis;
  std::optional<scenarios::explore> explore;
  std::vector<std::string> properties;  // empty: all that apply
  std::vector<std::string> sometimes;

  // One schedule says it all: nothing is drawn.
  bool directed_only() const { return !workload.generated && !nemesis && !explore; }
};

// Reading. A file with a [matrix] makes one scenario a combination. Throws scenario_error.
std::vector<scenario> load(const std::filesystem::path& file, const known_names& known);
std::vector<scenario> parse(std::string_view text, const std::string& file,
                            const known_names& known);

// What to run: the scenario's providers, then those that only [expect] names (mutants, clients),
// without those that are not_applicable.
std::vector<std::string> providers_of(const scenario& value);
// Its own expectation, else the default one, else `holds`.
expectation expectation_of(const scenario& value, const std::string& provider);
// What call `index` must answer. A mutant's answers are asked only where its name stands: it is
// there to be wrong. The same without the client ("redis+published") where that is not named.
answer answer_of(const scenario& value, std::size_t index, const std::string& provider);
// The directed part as this provider meets it: without the calls and faults that are for others,
// and without what hangs on those. Ids stay. `base`: whose filters a mutant obeys.
sim::plan plan_for(const scenario& value, const std::string& provider,
                   const std::string& base = "");

// Writing. TOML with every default filled in, that loads again to the same scenario.
std::string print(const scenario& value);

// What a witness says about itself.
struct witness {
  std::string title, story, origin;
  std::string provider;
  std::vector<std::string> violated;  // properties
};
// A scenario file that states a directed plan (calls with instants, faults with instants or
// messages). Ids are counted anew; bounds other than the call limit and the phases, the phase of
// the backend's clock and decisions have no form here.
std::string to_toml(const sim::plan& value, const witness& header);

// Finding. A folder is a suite: all *.toml in it and below, in order of their paths.
struct found_file {
  std::filesystem::path path;
  std::string suite;  // the folder's own name
  bool needs_server = false;
};
// Throws scenario_error for a path that is not there and for a folder without scenarios.
std::vector<found_file> collect(const std::vector<std::filesystem::path>& paths);

std::string_view to_string(expected value);
std::string to_string(const expectation& value);  // "violates:a,b"
std::string_view to_string(call_outcome value);

}  // namespace leaselab::scenarios
