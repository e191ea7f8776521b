// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_changes.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace warpspan;
using namespace warpspan::app;

namespace {

LineCost line(const std::string& file, int64_t number, int64_t cycles, const std::string& text) {
  LineCost cost;
  cost.file = file;
  cost.line = number;
  cost.own = cycles / 3;
  cost.others = cycles - cycles / 3;
  cost.text = text;
  return cost;
}

// "k.cu:3>4 10>12 text".
std::string text_of(const LineChange& change) {
  const auto number = [](const std::optional<int64_t>& value) { return value ? std::to_string(*value) : "none"; };
  return change.file + ":" + number(change.line_before) + ">" + number(change.line_after) + " " +
         std::to_string(change.before) + ">" + std::to_string(change.after) + " " + change.text;
}

using Texts = std::vector<std::string>;

Texts matched(const std::vector<LineCost>& before, const std::vector<LineCost>& after) {
  Texts texts;
  for (const LineChange& change : match_lines(before, after)) texts.push_back(text_of(change));
  return texts;
}

KernelFigures figures() {
  KernelFigures kernel;
  kernel.file = "k.ptx";
  kernel.name = "k";
  kernel.block = {32, 1, 1};
  kernel.bound = 100;
  kernel.words = {{"ld.global.f32", 60}, {"add.s32", 40}};
  return kernel;
}

}  // namespace

TEST_CASE("lines are the same by number and text, then by text, then by number") {
  CHECK(matched({line("k.cu", 1, 10, "a"), line("k.cu", 2, 5, "b")},
                {line("k.cu", 1, 14, "a"), line("k.cu", 2, 5, "b")}) == Texts{"k.cu:1>1 10>14 a"});
  CHECK(matched({line("k.cu", 1, 10, "a"), line("k.cu", 2, 5, "b")},
                {line("k.cu", 2, 10, "a"), line("k.cu", 3, 9, "b")}) == Texts{"k.cu:2>3 5>9 b"});
  CHECK(matched({line("k.cu", 7, 10, "x = a;")}, {line("k.cu", 7, 30, "x = b;")}) == Texts{"k.cu:7>7 10>30 x = a;"});
  CHECK(matched({line("k.cu", 7, 10, "a")}, {line("k.cu", 8, 30, "b")}) ==
        Texts{"k.cu:none>8 0>30 b", "k.cu:7>none 10>0 a"});
}

TEST_CASE("lines whose text is not known are the same by number") {
  CHECK(matched({line("k.cu", 1, 10, ""), line("k.cu", 2, 5, "")}, {line("k.cu", 2, 6, ""), line("k.cu", 3, 5, "")}) ==
        Texts{"k.cu:1>none 10>0 ", "k.cu:none>3 0>5 ", "k.cu:2>2 5>6 "});
}

TEST_CASE("files of two folders are the same by name, unless a side has two of it") {
  CHECK(matched({line("old/k.cu", 1, 10, "a")}, {line("new/k.cu", 1, 11, "a")}) == Texts{"k.cu:1>1 10>11 a"});
  CHECK(matched({line("x/k.cu", 1, 10, "a"), line("y/k.cu", 1, 20, "a")}, {line("y/k.cu", 1, 21, "a")}) ==
        Texts{"x/k.cu:1>none 10>0 a", "y/k.cu:1>1 20>21 a"});
}

TEST_CASE("files of two folders that have several of a name are the same by what follows the folders") {
  CHECK(matched({line("a/x/k.cu", 1, 10, "a"), line("a/y/k.cu", 1, 20, "a")},
                {line("b/x/k.cu", 1, 11, "a"), line("b/y/k.cu", 1, 22, "a")}) ==
        Texts{"y/k.cu:1>1 20>22 a", "x/k.cu:1>1 10>11 a"});
  // Of which of them the only one is cannot be told.
  CHECK(matched({line("a/b/k.cu", 1, 10, "a"), line("a/bc/k.cu", 1, 20, "a")}, {line("z/d/k.cu", 1, 21, "a")}).size() ==
        3);
}

TEST_CASE("a file that one side lacks is the one that the other lacks, renamed") {
  CHECK(matched({line("a/edge.cu", 1, 10, "a"), line("a/common.h", 2, 5, "b")},
                {line("b/sobel.cu", 3, 14, "a"), line("b/common.h", 2, 5, "b")}) == Texts{"edge.cu:1>3 10>14 a"});
  CHECK(matched({line("edge.cu", 7, 10, "")}, {line("sobel.cu", 7, 30, "")}) == Texts{"edge.cu:7>7 10>30 "});
  // Other text at the same number of a renamed file is another line, and is called as its own side has it.
  CHECK(matched({line("edge.cu", 7, 10, "x = a;"), line("edge.cu", 9, 5, "}")},
                {line("sobel.cu", 7, 30, "y = b;"), line("sobel.cu", 8, 6, "}")}) ==
        Texts{"sobel.cu:none>7 0>30 y = b;", "edge.cu:7>none 10>0 x = a;", "edge.cu:9>8 5>6 }"});
  // Which of two it is cannot be told.
  CHECK(matched({line("edge.cu", 1, 10, "a")}, {line("sobel.cu", 1, 14, "a"), line("blur.cu", 1, 3, "a")}).size() == 3);
  bool by_line = false;
  const auto loops = match_loops({{"", "a/edge.cu", 9, 4}}, {{"", "b/sobel.cu", 9, 8}}, by_line);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].after->trips == 8);
}

TEST_CASE("with the sides changed every line has the other sign, and sums stay") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<LineCost> sides[2];
    int64_t difference = 0;
    for (int side = 0; side < 2; ++side) {
      for (int64_t number = 1; number < 12; ++number) {
        if (random() % 3 == 0) continue;
        const int64_t cycles = static_cast<int64_t>(random() % 50);
        sides[side].push_back(line(random() % 2 == 0 ? "a.cu" : "b.cu", number, cycles,
                                   std::string(1, static_cast<char>('p' + random() % 4))));
        difference += side == 0 ? -cycles : cycles;
      }
    }
    int64_t sum = 0;
    std::vector<std::pair<int64_t, int64_t>> there, back;
    for (const LineChange& change : match_lines(sides[0], sides[1])) {
      sum += change.change();
      there.emplace_back(change.before, change.after);
    }
    for (const LineChange& change : match_lines(sides[1], sides[0])) back.emplace_back(change.after, change.before);
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    CHECK(sum == difference);
    CHECK(there == back);
  }
}

TEST_CASE("loops are matched by source line where all have one, else by order") {
  const LoopFigure inner{"$L3", "old/k.cu", 9, 16}, outer{"$L1", "old/k.cu", 7, 4};
  bool by_line = false;
  const auto lines = match_loops({outer, inner}, {{"$X", "k.cu", 9, 8}, {"$Y", "k.cu", 20, 2}}, by_line);
  CHECK(by_line);
  REQUIRE(lines.size() == 3);
  CHECK_FALSE(lines[0].after);
  CHECK(lines[1].after->trips == 8);
  CHECK(lines[2].after->label == "$Y");
  const auto order = match_loops({outer, inner}, {{"$X", "", 0, 8}}, by_line);
  CHECK_FALSE(by_line);
  REQUIRE(order.size() == 2);
  CHECK(order[0].after->trips == 8);
  CHECK_FALSE(order[1].after);
}

TEST_CASE("without line tables instructions are compared, and the reason is told") {
  KernelFigures before = figures(), after = figures();
  before.lines = {line("k.ptx", 4, 100, "ld")};
  after.lines = {line("new.ptx", 5, 120, "ld")};
  after.file = "new.ptx";
  after.words = {{"ld.global.f32", 90}, {"fma.rn.f32", 30}};
  const KernelChanges changes = changes_between(before, after);
  CHECK(changes.lines.empty());
  CHECK(changes.lines_missing.find("-lineinfo") != std::string::npos);
  REQUIRE(changes.words.size() == 3);
  CHECK(changes.words[0].name == "add.s32");
  CHECK(changes.words[0].after == 0);
  before.lines.reset();
  before.words.reset();
  CHECK(changes_between(before, after).lines_missing == "a report does not tell what lines cost");
  CHECK(changes_between(before, after).words.empty());
}

TEST_CASE("code without a source line is compared as a whole, so that all changes add up") {
  KernelFigures before = figures(), after = figures();
  before.lines = {line("k.cu", 1, 60, "a"), line("k.ptx", 9, 30, "x"), line("k.ptx", 10, 10, "y")};
  after.lines = {line("k.cu", 1, 60, "a"), line("<PTX of k.cu>", 12, 90, "z")};
  after.file = "k.cu2";
  const KernelChanges changes = changes_between(before, after);
  REQUIRE(changes.lines.size() == 1);
  CHECK(text_of(changes.lines[0]) == ":none>none 40>90 ");
}

TEST_CASE("what is not known is never taken for 0") {
  KernelFigures before = figures(), after = figures();
  after.transactions = {{ir::MemorySpace::global, 7}};
  CHECK(changes_between(before, after).transactions.empty());
  before.transactions.emplace();
  const auto known = changes_between(before, after).transactions;
  REQUIRE(known.size() == 1);
  CHECK_FALSE(known[0].before);
  CHECK(known[0].after == 7);
}

TEST_CASE("bounds under different launches cannot be compared") {
  KernelFigures before = figures(), after = figures();
  CHECK(changes_between(before, after).not_comparable.empty());
  after.block = {64, 1, 1};
  CHECK(changes_between(before, after).not_comparable ==
        "the launches differ: block 32, one block against block 64, one block");
  after.block = before.block;
  after.grid = ir::Extent{1, 1, 1};
  CHECK_FALSE(changes_between(before, after).not_comparable.empty());
  before.grid = after.grid;
  CHECK(changes_between(before, after).not_comparable.empty());
}
