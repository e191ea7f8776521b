// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/shell_words.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::support;

using Words = std::vector<std::string>;

TEST_CASE("a text is split into words as a shell does, and nothing is expanded") {
  CHECK(*shell_words("") == Words{});
  CHECK(*shell_words(" \t\n ") == Words{});
  CHECK(*shell_words("nvcc -ptx") == Words{"nvcc", "-ptx"});
  CHECK(*shell_words("  a\t b\n") == Words{"a", "b"});
  CHECK(*shell_words("'a b' \"c d\" e\\ f") == Words{"a b", "c d", "e f"});
  CHECK(*shell_words("-D'X=\"1\"'y \"it's\"") == Words{"-DX=\"1\"y", "it's"});
  CHECK(*shell_words("'' \"\"") == Words{"", ""});
  CHECK(*shell_words(R"("a\"b\\c\$d\`e\f")") == Words{R"(a"b\c$d`e\f)"});
  CHECK(*shell_words(R"('a\b' \'c)") == Words{R"(a\b)", "'c"});
  CHECK(*shell_words("$HOME *.cu a;b | c > d `e` #f") ==
        Words{"$HOME", "*.cu", "a;b", "|", "c", ">", "d", "`e`", "#f"});
  CHECK(*shell_words("a\\") == Words{"a\\"});
  CHECK(*shell_words("a \\\n b\\\nc") == Words{"a", "bc"});
}

TEST_CASE("words are told with their places, and comments are left out where there are any") {
  ShellWordReader reader("a # 'b\n \\#c d#e 'f", Comments::after_hash);
  const auto next = [&reader](const std::string& text, size_t begin, bool quoted, char open_quote) {
    const auto word = reader.next();
    REQUIRE(word);
    CHECK(word->text == text);
    CHECK(word->begin == begin);
    CHECK(word->quoted == quoted);
    CHECK(word->open_quote == open_quote);
  };
  next("a", 0, false, '\0');
  next("#c", 8, true, '\0');
  next("d#e", 12, false, '\0');
  next("f", 16, true, '\'');
  CHECK_FALSE(reader.next());
}

TEST_CASE("what does not end is an error") {
  for (const char* text : {"'a", "\"a", "\"a\\\"", "'"}) {
    INFO(text);
    const auto words = shell_words(text);
    REQUIRE_FALSE(words);
    CHECK(words.errors().front().message == "a quote in '" + std::string(text) + "' has no end");
  }
}
