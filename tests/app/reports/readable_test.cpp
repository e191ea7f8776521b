// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/readable.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("sizes are never less, in the largest unit that they fill") {
  CHECK(memory_size(0) == "0 bytes");
  CHECK(memory_size(1) == "1 byte");
  CHECK(memory_size(1023) == "1,023 bytes");
  CHECK(memory_size(1024) == "1 KiB");
  CHECK(memory_size(1025) == "1.1 KiB");
  CHECK(memory_size(1536) == "1.5 KiB");
  CHECK(memory_size(2047) == "2 KiB");
  CHECK(memory_size((1 << 20) - 1) == "1,024 KiB");
  CHECK(memory_size(4'200'000) == "4.1 MiB");
  CHECK(memory_size(int64_t{3} << 30) == "3 GiB");
  CHECK(memory_size(INT64_MAX) == "8,388,608 TiB");
}

TEST_CASE("numbers have separators between thousands") {
  CHECK(thousands(0) == "0");
  CHECK(thousands(999) == "999");
  CHECK(thousands(1000) == "1,000");
  CHECK(thousands(123456) == "123,456");
  CHECK(thousands(1234567) == "1,234,567");
  CHECK(thousands(-999) == "-999");
  CHECK(thousands(-1000) == "-1,000");
  CHECK(thousands(INT64_MAX) == "9,223,372,036,854,775,807");
  CHECK(thousands(INT64_MIN) == "-9,223,372,036,854,775,808");
}

TEST_CASE("a duration is never below the cycles it stands for") {
  CHECK(duration(0, 1'000'000) == "0.000 us");
  CHECK(duration(1, 1'000'000) == "0.001 us");
  CHECK(duration(1, 3'000'000) == "0.001 us");  // a third of a nanosecond
  CHECK(duration(1150, 1'150'000) == "1.000 us");
  CHECK(duration(1151, 1'150'000) == "1.001 us");
  CHECK(duration(999'999, 1'000'000) == "999.999 us");
  CHECK(duration(1'000'000, 1'000'000) == "1.000 ms");
  CHECK(duration(1'000'001, 1'000'000) == "1.001 ms");
  CHECK(duration(999'999'999, 1'000'000) == "1,000.000 ms");
  CHECK(duration(1'000'000'000, 1'000'000) == "1.000 s");
  CHECK(duration(1'000'000'001, 1'000'000) == "1.001 s");
}

TEST_CASE("a duration of extreme cycles or clocks does not overflow") {
  CHECK(duration(INT64_MAX, 1) == "9,223,372,036,854,775.807 s");
  CHECK(duration(INT64_MAX, 1'000'000) == "9,223,372,036.855 s");
  CHECK(duration(1, INT64_MAX) == "0.001 us");
  CHECK(duration(INT64_MAX - 1, INT64_MAX) == "0.001 s");
}

TEST_CASE("a frequency has as many decimals as it needs") {
  CHECK(frequency(1'150'000) == "1150 MHz");
  CHECK(frequency(1'147'500) == "1147.5 MHz");
  CHECK(frequency(1'000'001) == "1000.001 MHz");
  CHECK(frequency(1) == "0.001 MHz");
}

TEST_CASE("an extent shows the dimensions that are more than 1") {
  CHECK(extent({256, 1, 1}) == "256");
  CHECK(extent({16, 16, 1}) == "16x16");
  CHECK(extent({16, 1, 4}) == "16x1x4");
}

TEST_CASE("a counted word has its plural") {
  CHECK(counted(0, "warp") == "0 warps");
  CHECK(counted(1, "warp") == "1 warp");
  CHECK(counted(1200, "warp") == "1,200 warps");
}

TEST_CASE("a long text is cut") {
  CHECK(shorten("LLC", 3) == "LLC");
  CHECK(shorten("LLCC", 3) == "LLC ...");
}

TEST_CASE("text is wrapped with its lines under each other") {
  CHECK(wrap("  1. ", "short") == "  1. short\n");
  CHECK(wrap("- ", "") == "- \n");
  const std::string word(49, 'x');
  CHECK(wrap("- ", word + " " + word) == "- " + word + "\n  " + word + "\n");
  CHECK(wrap("", word + "  " + word + "x") == word + " " + word + "x\n");
  const std::string wide(120, 'y');
  CHECK(wrap("- ", wide + " z") == "- " + wide + "\n  z\n");
}

TEST_CASE("text is wrapped and cut at a width") {
  CHECK(wrap("- ", "aa bb cc", 7) == "- aa bb\n  cc\n");
  CHECK(wrap("- ", "aa bb cc", 10) == "- aa bb cc\n");
  CHECK(one_line("- ", "aa bb cc", 10) == "- aa bb cc\n");
  CHECK(one_line("- ", "aa bb cc", 9) == "- aa ...\n");
  CHECK(one_line("- ", "aaaaaaaaaaaa", 9) == "- aaa ...\n");
  CHECK(one_line("- ", "", 9) == "- \n");
}

TEST_CASE("a time in picoseconds is rounded up, or too long") {
  CHECK(picoseconds(0, 1'000'000) == 0);
  CHECK(picoseconds(1, 1'000'000) == 1000);
  CHECK(picoseconds(1, 3'000'000) == 334);
  CHECK(picoseconds(INT64_MAX, INT64_MAX) == 1'000'000'000);
  CHECK(picoseconds(INT64_MAX / 1000, 1'000'000) == INT64_MAX / 1000 * 1000);
  CHECK_FALSE(picoseconds(INT64_MAX / 1000 + 1, 1'000'000));
  CHECK_FALSE(picoseconds(INT64_MAX, 1));
}

TEST_CASE("the last column of a table is wrapped where a row is too long") {
  const std::vector<Row> rows = {{"a", "one two three four five six seven"}, {"bb", "short"}};
  CHECK(table({Align::left, Align::left}, rows, 2, 35) ==
        "  a   one two three four five six\n      seven\n  bb  short\n");
  CHECK(table({Align::left, Align::left}, rows, 2, 20) == table({Align::left, Align::left}, rows, 2));
}

TEST_CASE("a table has aligned columns and no blanks at the ends of lines") {
  CHECK(table({Align::left, Align::right, Align::left}, {{"a", "1", "x"}, {"bbb", "100", ""}, {"c"}}, 2) ==
        "  a      1  x\n"
        "  bbb  100\n"
        "  c\n");
  CHECK(table({Align::left}, {}, 2).empty());
}
