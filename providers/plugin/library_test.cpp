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
      {"/nowhere/lib.so", "/nowhere/lib.so: there is no file"},
      {text, "no_library.so: it is no shared library"},
      {folder, "it is a folder"},
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

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What has the loader die, or say that a file that is there is not.
TEST(plugin, files_that_would_mislead_the_loader_are_refused) {
  const std::string whole = bytes_of(folder + "script_lease.so");
  const auto with = [&](std::size_t at, char byte) {
    std::string out = whole;
    out[at] = byte;
    return out;
  };
  const std::pair<std::string, std::string> all[] = {
      {"", "no shared library"},
      {whole.substr(0, 30), "it is cut off"},
      {whole.substr(0, 70), "it is cut off"},
      {whole.substr(0, whole.size() / 4), "it is cut off"},
      {with(18, '\x02'), "it is built for machine 2, and this program for"},
      {with(4, '\x01'), "another word size"},
      {with(16, '\x01'), "link it with -shared"},
  };
  const std::string path = ::testing::TempDir() + "leaselab_no_library.so";
  for (const auto& [bytes, complaint] : all) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_NE(refusal(path).find(complaint), std::string::npos) << refusal(path);
  }
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/nowhere/lib.so", path);
  EXPECT_NE(refusal(path).find("leads nowhere"), std::string::npos) << refusal(path);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(folder + "script_lease.so", path);
  EXPECT_EQ(refusal(path), "it was taken");
  std::filesystem::remove(path);
}

// A path without a slash is one in this folder, not one that the loader searches for.
TEST(plugin, the_loader_searches_nowhere) {
  EXPECT_NE(refusal("libc.so.6").find("libc.so.6: there is no file"), std::string::npos);
}

}  // namespace
}  // namespace leaselab::plugin
