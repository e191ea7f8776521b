#include "support/shell_words.hpp"

#include <catch2/catch.hpp>

namespace warpspan::support {

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
}

TEST_CASE("what does not end is an error") {
  for (const char* text : {"'a", "\"a", "a\\", "\"a\\\"", "'"}) {
    INFO(text);
    const auto words = shell_words(text);
    REQUIRE_FALSE(words);
    CHECK(words.errors().front().message == "a quote or \\ in '" + std::string(text) + "' has no end");
  }
}

}  // namespace warpspan::support
