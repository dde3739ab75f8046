#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "cli/exit_status.hpp"
#include "cli/help.hpp"

namespace leaselab::cli {
namespace {

using words = std::vector<std::string>;

parsed parse(std::string_view verb, const words& given) {
  return parse_flags(*find_verb(verb), given);
}

std::string error_of(std::string_view verb, const words& given) {
  try {
    parse(verb, given);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(command_line, flags_reach_their_options) {
  const options given = parse("check", {"-p", "redis", "--provider=memory", "-f", "chaos", "--seed",
                                        "0x2a", "-v", "--schedules", "500", "--json", "-"})
                            .given;
  EXPECT_EQ(given.providers, (words{"redis", "memory"}));
  EXPECT_EQ(given.profiles, words{"chaos"});
  EXPECT_EQ(given.seed, "0x2a");
  EXPECT_EQ(given.schedules, "500");
  EXPECT_EQ(given.json, "-");
  EXPECT_TRUE(given.verbose);
  EXPECT_EQ(given.out, "leaselab-out");
}

TEST(command_line, a_repeated_flag_takes_one_word_each_time) {
  const options given = parse("run", {"-p", "redis", "a.toml", "b.toml", "-p", "memory"}).given;
  EXPECT_EQ(given.providers, (words{"redis", "memory"}));
  EXPECT_EQ(given.arguments, (words{"a.toml", "b.toml"}));
}

TEST(command_line, a_path_may_bear_the_name_of_a_verb) {
  EXPECT_EQ(parse("run", {"check", "--print"}).given.arguments, words{"check"});
}

TEST(command_line, mistakes_are_named) {
  EXPECT_EQ(error_of("check", {"--schedule", "5"}),
            "check: there is no flag `--schedule`; did you mean `--schedules`?");
  EXPECT_EQ(error_of("check", {"--sede=5"}),
            "check: there is no flag `--sede`; did you mean `--seed`?");
  EXPECT_EQ(error_of("check", {"redis"}), "check: `redis` is one argument too many");
  EXPECT_EQ(error_of("replay", {}),
            "replay: TRACE is missing (a file, `latest`, or a cell such as "
            "latest/redis/single_owner.grant)");
  EXPECT_EQ(error_of("replay", {"a", "b"}), "replay: `b` is one argument too many");
  EXPECT_NE(error_of("check", {"--seed"}).find("--seed"), std::string::npos);
  EXPECT_NE(error_of("check", {"--seed", "1", "--seed", "2"}).find("--seed"), std::string::npos);
}

TEST(command_line, help_is_asked_for_anywhere) {
  EXPECT_TRUE(parse("run", {"--help"}).help);
  EXPECT_TRUE(parse("check", {"-p", "redis", "-h"}).help);
  EXPECT_FALSE(parse("check", {}).help);
}

TEST(command_line, every_verb_and_flag_explains_itself) {
  for (const verb& one : verbs()) {
    EXPECT_NE(help_text().find(one.name), std::string::npos);
    EXPECT_FALSE(one.examples.empty()) << one.name;
    const std::string text = help_text(one);
    for (const flag& each : one.flags) {
      EXPECT_NE(text.find(each.name), std::string::npos) << one.name << " " << each.name;
      EXPECT_NE(text.find(each.about), std::string::npos) << one.name << " " << each.name;
    }
  }
}

std::string docs() {
  std::ifstream file("docs/CLI.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// All words that look like a flag.
std::set<std::string> flags_in(const std::string& text) {
  std::set<std::string> out;
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    const auto end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at), text.size());
    const bool whole_word = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    if (end > at + 2 && whole_word && text[at + 2] != '-') out.insert(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// The part of the manual under a verb's heading.
std::string section_of(const std::string& text, std::string_view verb) {
  const std::string heading = "\n## `" + std::string(verb);
  const auto begin = text.find(heading);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

TEST(command_line, the_manual_says_what_the_table_says) {
  const std::string text = docs();
  ASSERT_FALSE(text.empty()) << "docs/CLI.md; tests run in the root of the tree";
  std::set<std::string> known{"--help", "--version"};
  for (const verb& one : verbs()) {
    const std::string section = section_of(text, one.name);
    ASSERT_FALSE(section.empty()) << one.name << " has no section";
    const auto documented = flags_in(section);
    for (const flag& each : one.flags) {
      EXPECT_TRUE(documented.count(std::string(each.name))) << one.name << " " << each.name;
      known.insert(std::string(each.name));
    }
    for (const auto example : one.examples) {
      EXPECT_NE(section.find(example), std::string::npos) << example;
    }
  }
  for (const auto& name : flags_in(text)) {
    EXPECT_TRUE(known.count(name)) << name << " is in docs/CLI.md and in no verb";
  }
}

}  // namespace
}  // namespace leaselab::cli
