#include "cli/program.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "cli/command_line.hpp"
#include "cli/exit_status.hpp"
#include "cli/help.hpp"
#include "cli/live/worker.hpp"
#include "cli/report/text.hpp"
#include "cli/version.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli {
namespace {

void say(std::FILE* to, const std::string& text) { std::fputs(text.c_str(), to); }

[[noreturn]] void refuse_verb(const std::string& word) {
  std::vector<std::string> known;
  for (const verb& one : verbs()) known.emplace_back(one.name);
  throw usage_error(fmt::format("there is no verb `{}`{}", word, scenarios::suggest(word, known)));
}

int run_verb(const std::string& name, const std::vector<std::string>& rest) {
  const verb* const found = find_verb(name);
  if (!found) refuse_verb(name);
  parsed flags = parse_flags(*found, rest);
  if (flags.help) {
    say(stdout, help_text(*found));
    return as_expected;
  }
  flags.given.command = name;
  for (const auto& word : rest) flags.given.command += " " + shell_word(word);
  return found->run(flags.given);
}

int run_words(const std::vector<std::string>& words) {
  if (words.empty()) {
    say(stderr, help_text());
    return usage;
  }
  if (words[0] == "--help" || words[0] == "-h") {
    say(stdout, help_text());
    return as_expected;
  }
  if (words[0] == "--version") {
    say(stdout, fmt::format("leaselab {}\n", version));
    return as_expected;
  }
  if (words[0] == live::worker_word) return live::run_worker();
  return run_verb(words[0], {words.begin() + 1, words.end()});
}

// What was printed may still be on its way to a full disk.
int after_flush(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  say(stderr, fmt::format("leaselab: cannot write to standard output: {}\n", std::strerror(errno)));
  return usage;
}

}  // namespace

int program(const std::vector<std::string>& words) {
  try {
    return after_flush(run_words(words));
  } catch (const usage_error& error) {
    std::fflush(stdout);
    say(stderr, fmt::format("leaselab: {}\n", error.what()));
    return usage;
  } catch (const std::bad_alloc&) {
    say(stderr, "leaselab: out of memory\n");
    return unknown;
  } catch (const std::exception& error) {
    // Such as a redis-server that cannot be started: nothing is known then.
    std::fflush(stdout);
    say(stderr, fmt::format("leaselab: {}\n", error.what()));
    return unknown;
  }
}

}  // namespace leaselab::cli
