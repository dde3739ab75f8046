#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/exit_status.hpp"
#include "scenarios/names.hpp"

namespace leaselab::cli {
namespace {

std::string spelling(const flag& one) {
  return one.short_name.empty() ? std::string(one.name)
                                : fmt::format("{},{}", one.short_name, one.name);
}

void add_flag(CLI::App& app, const flag& one, options& into) {
  const auto name = spelling(one);
  if (const auto* yes = std::get_if<bool options::*>(&one.to)) {
    app.add_flag(name, into.**yes);
  } else if (const auto* text = std::get_if<std::string options::*>(&one.to)) {
    app.add_option(name, into.**text);
  } else {
    // Without allow_extra_args(false), `-p redis scenarios/` would swallow the path.
    const auto list = std::get<std::vector<std::string> options::*>(one.to);
    app.add_option(name, into.*list)->allow_extra_args(false);
  }
}

void add_positional(CLI::App& app, const positional& takes, options& into) {
  if (takes.name.empty()) return;
  app.add_option("arguments", into.arguments);
}

// The first word that no flag claims, with the nearest flag if it looks like one.
[[noreturn]] void refuse_extra(const verb& of, const std::string& word) {
  if (word.empty() || word[0] != '-') {
    throw usage_error(fmt::format("{}: `{}` is one argument too many", of.name, word));
  }
  std::vector<std::string> known{"--help"};
  for (const flag& one : of.flags) known.emplace_back(one.name);
  const std::string name = word.substr(0, word.find('='));
  throw usage_error(
      fmt::format("{}: there is no flag `{}`{}", of.name, name, scenarios::suggest(name, known)));
}

void check_positional(const verb& of, const options& given) {
  const std::size_t count = given.arguments.size();
  if (count < of.takes.least) {
    throw usage_error(
        fmt::format("{}: {} is missing ({})", of.name, of.takes.name, of.takes.about));
  }
  if (count > of.takes.most) refuse_extra(of, given.arguments[of.takes.most]);
}

}  // namespace

parsed parse_flags(const verb& of, std::vector<std::string> words) {
  parsed out;
  CLI::App app;
  app.name(std::string(of.name));
  app.set_help_flag("--help,-h");
  app.allow_extras();
  for (const flag& one : of.flags) add_flag(app, one, out.given);
  add_positional(app, of.takes, out.given);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    out.help = true;
    return out;
  } catch (const CLI::ParseError& error) {
    throw usage_error(fmt::format("{}: {}", of.name, error.what()));
  }
  if (const auto extra = app.remaining(); !extra.empty()) refuse_extra(of, extra.front());
  check_positional(of, out.given);
  return out;
}

}  // namespace leaselab::cli
