#include "providers/command.hpp"

#include <gtest/gtest.h>

namespace leaselab {
namespace {

using words = std::vector<std::string>;

// The examples of FIPS 180-1, and the longest text that still fits one block with its length,
// where padding errors show.
TEST(command, sha1_agrees_with_the_standard) {
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(command, a_script_knows_its_digest) {
  const script one("one", "return 1");
  EXPECT_EQ(one.sha1, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

TEST(command, a_plain_command_is_its_words) {
  const command get{{"GET", "k"}};
  EXPECT_EQ(get.label(), "GET");
  EXPECT_EQ(get.wire(), (words{"GET", "k"}));
}

TEST(command, a_script_goes_by_digest_or_by_text) {
  const script one("one", "return 1");
  command call{{"k", "a", "15000"}, &one};
  EXPECT_EQ(call.label(), "EVALSHA:one");
  EXPECT_EQ(call.wire(), (words{"EVALSHA", one.sha1, "1", "k", "a", "15000"}));

  call.by_text = true;
  EXPECT_EQ(call.label(), "EVAL:one");
  EXPECT_EQ(call.wire(), (words{"EVAL", "return 1", "1", "k", "a", "15000"}));
}

TEST(command, a_script_says_how_many_of_its_words_are_keys) {
  const script one("one", "return 1");
  const command call{.words = {"k", "k:fence", "a"}, .lua = &one, .key_count = 2};
  EXPECT_EQ(call.wire(), (words{"EVALSHA", one.sha1, "2", "k", "k:fence", "a"}));
}

TEST(command, an_error_reply_is_known_by_its_code) {
  const reply missing{reply_kind::error, 0, "NOSCRIPT No matching script.", {}};
  EXPECT_TRUE(missing.is_error("NOSCRIPT"));
  EXPECT_FALSE(missing.is_error("BUSY"));

  const reply value{reply_kind::text, 0, "NOSCRIPT No matching script.", {}};
  EXPECT_FALSE(value.is_error("NOSCRIPT"));
}

}  // namespace
}  // namespace leaselab
