#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "cli/additions.hpp"
#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/live/judging.hpp"
#include "cli/live/report.hpp"
#include "cli/live/run.hpp"
#include "cli/live/worker_config.hpp"
#include "cli/output.hpp"
#include "cli/program_name.hpp"
#include "cli/report/json.hpp"
#include "cli/stop.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"

namespace leaselab::cli {
namespace live {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

live_record read_record(const run_books& books, const setup& of, const fs::path& folder) {
  live_record record;
  for (const auto& one : books.incarnations) {
    read_calls(text_of(folder / (one.name + ".history.jsonl")), record);
    read_beliefs(text_of(folder / (one.name + ".beliefs.jsonl")), record);
    record.processes[one.name] = {books.clocks[static_cast<std::size_t>(one.worker)],
                                  one.killed_from.value_or(unanswered),
                                  one.killed_by.value_or(unanswered)};
  }
  for (int key = 0; key < of.keys; ++key) {
    read_work(text_of(work_path(folder.string(), key)), "k" + std::to_string(key), record);
  }
  sort_calls(record);
  return record;
}

std::string clocks_text(const run_books& books) {
  std::string text;
  for (std::size_t worker = 0; worker < books.clocks.size(); ++worker) {
    for (const auto& piece : books.clocks[worker]) {
      text +=
          fmt::format(R"({{"worker":"w{}","from_true_ns":{},"from_reading_ns":{},"rate_ppm":{}}})"
                      "\n",
                      worker, piece.from_true, piece.from_reading, piece.rate_ppm);
    }
  }
  return text;
}

// The phase of the server's granules is not known (one of them), nor how far its clock creeps
// from true time within a ttl (another), nor what it is known to have crept in all.
std::int64_t clock_error(const run_books& books) { return 2'000'000 + books.clock_spread_ns; }

// As the provider declares it; those that are built in and run live are dead after.
std::string_view reading_of(const std::string& provider) {
  const auto* const added = find_added(provider);
  return added && added->given.declared.reading == expiry_reading::at ? "at" : "after";
}

void judge_all(const run_books& books, output_folder& kept, live_report& report) {
  const setup& of = *report.of;
  const auto record = read_record(books, of, kept.folder());
  const judging_options options{of.ttl_ms, clock_error(books), books.begin};
  const auto history =
      merged_history(record, of.ttl_ms, options.clock_error_ns, reading_of(of.provider));
  kept.write("history.jsonl", history);
  report.verdicts = {judge_history(history), judge_grants(record, options),
                     judge_beliefs(record, options), judge_effects(record, options)};
  for (const auto& call : record.calls) report.without_answer += call.outcome == "info";
  for (const auto& [key, steps] : record.work) report.work_steps += steps.size();
}

void keep_books(const run_books& books, output_folder& kept) {
  std::string events;
  for (const auto& line : books.events) events += line;
  kept.write("events.jsonl", events);
  kept.write("clocks.jsonl", clocks_text(books));
}

run_books run_in(const setup& of, const std::vector<planned_fault>& plan, server_side& server,
                 const fs::path& folder, const stop_source& stop) {
  run_books books = run(of, plan, server, folder, *stop.flag());
  server.clean(of.keys);
  server.keep_log(folder / "server.log");
  return books;
}

}  // namespace
}  // namespace live

int run_live(const options& given) {
  const auto of = live::setup_of(given);
  const auto plan = live::make_plan(of);
  for (const auto& file : {given.json, given.junit, given.html}) expect_writable(file);
  output_folder kept(given.out, fmt::format("live-seed-{}", of.seed));
  // From here on, so that Ctrl-C never leaves a server's folder behind.
  const stop_source stop;
  live::server_side server(of);

  live::live_report report;
  report.of = &of;
  const auto typed = live::without_password(given.command);
  report.head = fmt::format("leaselab {}  seed {}  {}", version, of.seed, typed);
  report.server = server.name() + (server.version().empty() ? "" : " " + server.version());
  report.plan = live::summary(plan);
  report.repeat = fmt::format("{} {}{}", program_name(), typed,
                              given.seed.empty() ? fmt::format(" --seed {}", of.seed) : "");
  std::FILE* const to = text_stream(given);
  std::fputs(live::opening(report).c_str(), to);
  std::fflush(to);

  kept.write("plan.jsonl", live::to_json_lines(plan));
  report.folder = kept.folder().string();
  const auto books = live::run_in(of, plan, server, std::filesystem::absolute(kept.folder()), stop);
  report.books = &books;
  live::keep_books(books, kept);
  live::judge_all(books, kept, report);
  if (!given.json.empty()) write_file(given.json, to_lines(live::live_json(report)));
  if (!given.junit.empty()) write_file(given.junit, live::live_junit(report));
  if (!given.html.empty()) write_file(given.html, live::live_html(report));
  std::fputs(live::findings(report, wants_colour(to)).c_str(), to);
  return live::status_of(report);
}

}  // namespace leaselab::cli
