// What a shared library has and says, and those that are none.
#include "providers/plugin/library.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace leaselab::plugin {
namespace {

const std::string folder = LEASELAB_PLUGINS;

std::string refusal(const std::string& path) {
  try {
    const library loaded(path);
  } catch (const host_failed& error) {
    return error.what();
  }
  return "it was taken";
}

TEST(plugin, what_is_missing_is_found_out) {
  EXPECT_TRUE(library(folder + "script_lease.so").missing().empty());
  const std::vector<operation> two{operation::get, operation::transfer};
  EXPECT_EQ(library(folder + "lock_lease.so").missing(), two);
}

TEST(plugin, what_is_declared_is_read) {
  const library in_redis(folder + "script_lease.so");
  EXPECT_EQ(in_redis.declared().scope, scope::cluster);
  EXPECT_TRUE(in_redis.says_where());
  const library in_host(folder + "memory_lease.so");
  EXPECT_EQ(in_host.declared().scope, scope::host);
  EXPECT_EQ(in_host.declared().reading, expiry_reading::at);
  EXPECT_TRUE(in_host.declared().inapplicable("renew.honest", "lossy"));
  EXPECT_FALSE(in_host.says_where());
}

// Of a smaller declaration nothing is read beyond its end, of a bigger one what is known here.
TEST(plugin, declarations_of_other_copies_of_the_header_are_read) {
  EXPECT_EQ(library(folder + "older_lease.so").declared().scope, scope::host);
  EXPECT_FALSE(library(folder + "older_lease.so").says_where());
  EXPECT_TRUE(library(folder + "newer_lease.so").says_where());
}

TEST(plugin, what_is_no_plugin_is_refused_in_one_line) {
  const std::string text = ::testing::TempDir() + "no_library.so";
  std::ofstream(text) << "This is a text that is longer than the head of a library would be, "
                         "and says nothing that a loader could make anything of.\n";
  const std::pair<std::string, std::string> all[] = {
      {"/nowhere/lib.so", "/nowhere/lib.so: cannot open shared object file"},
      {text, "no_library.so: invalid ELF header"},
      {folder, "file"},
      {folder + "stranger.so", "no lease_plugin_version in it"},
      {folder + "other_version.so", "built for version 2 of lease_plugin.h; this program takes"},
      {folder + "nothing.so", "none of the five operations"},
      {folder + "boastful.so", "scope `world`; allowed: cluster, host, none"},
  };
  for (const auto& [path, complaint] : all) {
    const auto said = refusal(path);
    EXPECT_NE(said.find(complaint), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with(path + ": ")) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
  std::filesystem::remove(text);
}

// A path without a slash is one in this folder, not one that the loader searches for.
TEST(plugin, the_loader_searches_nowhere) {
  EXPECT_NE(refusal("libc.so.6").find("libc.so.6: cannot open"), std::string::npos);
}

}  // namespace
}  // namespace leaselab::plugin
