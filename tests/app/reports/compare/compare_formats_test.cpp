// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/compare/compare_formats.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/requests/compare/compare_kernels.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using test::contains;

KernelFigures kernel(const std::string& name, int64_t bound) {
  KernelFigures figures;
  figures.file = "k.ptx";
  figures.name = name;
  figures.machine = "ampere";
  figures.block = {32, 1, 1};
  figures.bound = bound;
  figures.one_warp = bound / 2;
  figures.parts = {{"path", bound / 2}, {"resource memory", bound - bound / 2}};
  figures.loops = {{"$L1", "", 0, 16}, {"$L2", "", 0, std::nullopt}};
  return figures;
}

CompareReport example() {
  KernelFigures before = kernel("_Z6reduceILi4EEvPKf", 1'000'000), after = kernel("_Z6reduceILi4EEvPKf", 1'053'000);
  after.loops[0].trips = 32;
  LineCost line;
  line.file = "k.cu";
  line.line = 7;
  line.text = "sum += a[i] | b;";
  line.own = 1000;
  before.lines = {line};
  line.own = 51'000;
  after.lines = {line};
  return compare_kernels({{"old", {before, kernel("gone", 7)}}, {"new", {after}}}, parse_percent("--x", "5%").value());
}

}  // namespace

TEST_CASE("a change in per cent is rounded to tenths, halves away from zero") {
  CHECK(percent_change(1000, 1053) == "+5.3 %");
  CHECK(percent_change(1000, 1000) == "0 %");
  CHECK(percent_change(10'000, 10'005) == "+0.1 %");
  CHECK(percent_change(10'000, 9'995) == "-0.1 %");
  CHECK(percent_change(10'000, 10'004) == "+0.0 %");
  CHECK(percent_change(3, 1) == "-66.7 %");
  CHECK(percent_change(0, 4) == "new");
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  CHECK(percent_change(largest, largest / 2) == "-50.0 %");
  CHECK(percent_change(largest / 2, largest) == "+100.0 %");
  CHECK(percent_change(1, largest) == "> +10^15 %");
}

TEST_CASE("the text has the figures of both sides and what changed them") {
  const std::string text = to_text(example());
  INFO(text);
  CHECK(contains(text, "before  old\nafter   new\n"));
  CHECK(contains(text, "kernel reduce<4>\n"));
  CHECK(contains(text, "  bound, cycles               1,000,000  1,053,000  +53,000    +5.3 %\n"));
  CHECK(contains(text, "  loop $L1, trips                    16         32      +16  +100.0 %\n"));
  CHECK(contains(text,
                 "1 loop with the same trips\n  change: after less before, and in % of before; L, C, S: memory, "
                 "arithmetic and special-function\n  instructions of a warp\n"));
  CHECK(contains(text, "waiting for memory       500,000  526,500  +26,500\n"));
  CHECK(contains(text, "    +50,000  1,000  51,000  k.cu:7  sum += a[i] | b;\n"));
  CHECK(contains(text, "REGRESSION: more than 5%"));
  CHECK(contains(text, "  gone (k.ptx): only in before\n"));
  CHECK_FALSE(contains(text, "one warp, cycles     500,000  500,000"));
}

TEST_CASE("bounds under different launches have no change") {
  KernelFigures other = kernel("k", 50);
  other.block = {64, 1, 1};
  const std::string text = to_text(compare_kernels({{"old", {kernel("k", 100)}}, {"new", {other}}}, std::nullopt));
  INFO(text);
  CHECK(contains(text, "  bound, cycles                   100     50\n"));
  CHECK(contains(text, "the bounds cannot be compared: the launches differ: block 32, one block against block 64"));
}

TEST_CASE("a kernel in which nothing changed has one line") {
  const KernelFigures same = kernel("k", 100);
  CHECK(to_text(compare_kernels({{"old", {same}}, {"new", {same}}}, std::nullopt)) ==
        "before  old\nafter   new\n\nkernels without a change\n  k: 100 cycles\n");
  CHECK(contains(to_text(compare_kernels({{"1", {same}}, {"2", {same}}, {"3", {same}}}, std::nullopt)),
                 "kernels without a change\n  k: 100 cycles\n"));
  KernelFigures other = same;
  other.instructions = {1, 0, 0};
  CHECK(contains(to_text(compare_kernels({{"old", {same}}, {"new", {other}}}, std::nullopt)), "  L instructions"));
}

TEST_CASE("kernels of one name are told apart by their files") {
  KernelFigures other = kernel("k", 200);
  other.file = "l.ptx";
  const std::vector<KernelFigures> both = {kernel("k", 100), other};
  const std::string text = to_text(compare_kernels({{"old", both}, {"new", both}}, std::nullopt));
  CHECK(contains(text, "  k (k.ptx): 100 cycles\n  k (l.ptx): 200 cycles\n"));
}

TEST_CASE("several sides have a column each") {
  const std::string text =
      to_text(compare_kernels({{"-O3", {kernel("k", 100)}}, {"-O1", {kernel("k", 150)}}, {"-O0", {}}}, std::nullopt));
  INFO(text);
  CHECK(contains(text, "(1)  -O3\n(2)  -O1\n(3)  -O0\n"));
  CHECK(contains(text, "  bound, cycles                100      150    -\n"));
  CHECK(contains(text, "  change of the bound               +50.0 %    -\n"));
  CHECK(contains(text, "what the bound is made of (2) against (1)"));
  CHECK(contains(text, "  changes: in % of (1), the base; L, C, S: "));
}

TEST_CASE("nothing of a name or a source line acts in a terminal or a page") {
  CompareReport report = example();
  report.sides[0] = "\033[31m<b>|`x`";
  report.kernels[0].sides[0]->name = "k\033[2J<script>|*_";
  report.kernels[0].changes[1]->lines[0].text = "<img src=x> | `c` \033[0m";
  const std::string text = to_text(report), markdown = to_markdown(report);
  for (const std::string& rendered : {text, markdown}) CHECK_FALSE(contains(rendered, "\033"));
  CHECK_FALSE(contains(markdown, "<script>"));
  CHECK_FALSE(contains(markdown, "<img"));
  CHECK(contains(markdown, "&#60;img src=x&#62; &#124; &#96;c&#96; &#92;x1b&#91;0m"));
}

TEST_CASE("tabs in source lines are blanks, and remarks are as wide as the terminal") {
  CompareReport report = example();
  report.kernels[0].changes[1]->lines[0].text = "\tx\t=  y;";
  report.kernels[0].changes[1]->lines_missing = "no line of the one says anything of a line of the other";
  const std::string text = to_text(report, {false, 60});
  CHECK(contains(text, "  x = y;\n"));
  CHECK(contains(text, "  - no line of the one says anything of a line of the other\n"));
  CHECK(contains(to_text(report, {false, 50}), "  - no line of the one says anything of a line of\n    the other\n"));
}

TEST_CASE("the Markdown has one table of all kernels, the regression and the errors") {
  const std::string markdown = to_markdown(example());
  INFO(markdown);
  CHECK(contains(markdown, "| worst-case bound, cycles | before | after | change | % |\n"));
  CHECK(contains(markdown, "| reduce&#60;4&#62; | 1,000,000 | 1,053,000 | +53,000 | +5.3 % |\n"));
  CHECK(contains(markdown, "| gone | 7 | &#45; |  |  |\n"));
  CHECK(contains(markdown, "**Regression: some bound rose by more than 5%.**"));
  CHECK(contains(markdown, "**Not compared:**\n\n- k.ptx: kernel 'gone' is missing"));
}

TEST_CASE("the JSON has what is known, and null for what is not") {
  const auto json = nlohmann::json::parse(to_json(example()));
  CHECK(json["schema"] == "warpspan.compare/1");
  CHECK(json["regression"] == true);
  CHECK(json["version"].is_string());
  CHECK(json["allowed"] == "5%");
  const auto& kernel = json["kernels"][0];
  CHECK(kernel["sides"][1]["bound"] == 1'053'000);
  CHECK(kernel["sides"][1]["registers"].is_null());
  CHECK(kernel["sides"][1]["transactions"].is_null());
  const auto& changes = kernel["changes"][0];
  CHECK(changes["bound"] == 53'000);
  CHECK(changes["loops"][0]["after"]["trip_count"] == 32);
  CHECK(changes["loops"][1]["after"]["trip_count"].is_null());
  CHECK(changes["lines"][0]["line_before"] == 7);
  CHECK(changes["regressed"] == true);
  CHECK(json["kernels"][1]["sides"][1].is_null());
  CHECK(json["kernels"][1]["changes"][0].is_null());
}
