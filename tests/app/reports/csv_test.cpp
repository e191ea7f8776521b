// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/csv.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("fields of tables stand in quotes where they have to") {
  CHECK(csv_row({"a", "", "b c"}) == "a,,b c\n");
  CHECK(csv_row({"a,b", "say \"x\"", "two\nlines"}) == "\"a,b\",\"say \"\"x\"\"\",two\\x0alines\n");
  CHECK(csv_row({}) == "\n");
}

TEST_CASE("no field is a formula, and negative numbers stay numbers") {
  CHECK(csv_row({"=1+1", "@x", "+a", "-b"}) == " =1+1, @x, +a, -b\n");
  CHECK(csv_row({"-5", "-0.5"}) == "-5,-0.5\n");
  CHECK(csv_row({"=\"a\",b"}) == "\" =\"\"a\"\",b\"\n");
}

TEST_CASE("a number that there is not is an empty field") {
  CHECK(csv_number(7) == "7");
  CHECK(csv_number(std::nullopt).empty());
}
