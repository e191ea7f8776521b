// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>
#include <limits>

#include "support/checked.hpp"
#include "support/diagnostic.hpp"
#include "support/rational.hpp"
#include "support/source_file.hpp"
#include "tests/paths.hpp"

using namespace warpspan::support;

TEST_CASE("an overflow sticks") {
  const Integer largest = std::numeric_limits<int64_t>::max();
  CHECK((largest + 1).overflowed());
  CHECK((largest + 1 - largest).overflowed());
  CHECK((largest * 2).overflowed());
  CHECK((Integer(0) - std::numeric_limits<int64_t>::min()).overflowed());
  CHECK(max(largest + 1, Integer(3)).overflowed());
  CHECK(min(largest + 1, Integer(3)).overflowed());
  CHECK(min(Integer(4), Integer(3)) == Integer(3));
  CHECK(!(largest + 1).value());
  CHECK((Integer(6) * 7).value() == 42);
  CHECK(!(largest + 1 == largest + 1));
}

TEST_CASE("division rounds as its name says") {
  CHECK(floor_divide(Integer(7), 2).value() == 3);
  CHECK(ceil_divide(Integer(7), 2).value() == 4);
  CHECK(floor_divide(Integer(-7), 2).value() == -4);
  CHECK(ceil_divide(Integer(-7), 2).value() == -3);
  CHECK(floor_divide(Integer(6), 3).value() == 2);
  CHECK(ceil_divide(Integer(6), 3).value() == 2);
}

TEST_CASE("fractions are kept in lowest terms") {
  CHECK(parse_rational("4/8") == Rational{1, 2});
  CHECK(parse_rational("3") == Rational{3, 1});
  CHECK(make_rational(3, -6) == Rational{-1, 2});
  CHECK(to_string(Rational{1, 2}) == "1/2");
  CHECK(to_string(Rational{5, 1}) == "5");
  for (const char* text : {"", "1/0", "a", "1/", "/2", "1/2/3", "1.5", " 1"}) CHECK(!parse_rational(text));
}

TEST_CASE("places in a file") {
  const SourceFile file("k.ptx", "first\r\n\n  third");
  CHECK(file.locate(0).line == 1);
  CHECK(file.locate(7).line == 2);
  CHECK(file.locate(10).line == 3);
  CHECK(file.locate(10).column == 3);
  CHECK(file.locate(15).column == 8);
  CHECK(file.line_at(2) == "first");
  CHECK(file.line_at(10) == "  third");
  CHECK(file.line(1) == file.line_at(2));
  CHECK(file.line(3) == "  third");
  CHECK(file.line(0).empty());
  CHECK(file.line(99).empty());
  CHECK(SourceFile("e", "").locate(0).line == 1);
}

TEST_CASE("a diagnostic points at its place") {
  const SourceFile file("k.ptx", "a\n\tadd.s33 %r1, %r2;\n");
  CHECK(render(file.error_at(3, "unknown opcode", "did you mean 'add.s32'?"), false) ==
        "k.ptx:2:2: error: unknown opcode\n   add.s33 %r1, %r2;\n   ^\n  help: did you mean 'add.s32'?\n");
  CHECK(render(usage_error("no"), false) == "error: no\n");
  CHECK(render(usage_error("no"), true).find("\033[1;31merror:\033[0m no") == 0);
}

TEST_CASE("a very long or binary line is cut to its interesting part") {
  const SourceFile file("k.ptx", std::string(500000, 'x') + "\x01" + std::string(500000, 'y'));
  const std::string text = render(file.error_at(500000, "bad byte"), false);
  CHECK(text.size() < 400);
  CHECK(text.find("xxx\\x01yyy") != std::string::npos);
  CHECK(text.find('\x01') == std::string::npos);
}

TEST_CASE("a file that is not there is wrong use") {
  const auto missing = read_source("/nonexistent/k.ptx");
  REQUIRE(!missing.ok());
  CHECK(missing.errors().front().cause == Cause::usage);
  CHECK(missing.errors().front().message == "cannot read '/nonexistent/k.ptx': No such file or directory");
  CHECK(!read_source("/").ok());
}

TEST_CASE("a file that was read is known by any of its names") {
  const std::string path = warpspan::test::source_dir() + "/tests/support/support_test.cpp";
  CHECK_FALSE(was_read(path));
  REQUIRE(read_source(path).ok());
  CHECK(was_read(path));
  CHECK(was_read(warpspan::test::source_dir() + "/tests/../tests/support/./support_test.cpp"));
  CHECK_FALSE(was_read(warpspan::test::source_dir() + "/tests/support/digits_test.cpp"));
  CHECK_FALSE(was_read("/nonexistent/k.ptx"));
}
