// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/cost_sections.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

LineCost line(const std::string& file, int64_t number, int64_t own, int64_t others, const std::string& text) {
  LineCost cost;
  cost.file = file;
  cost.line = number;
  cost.executions = 1000;
  cost.own = own;
  cost.others = others;
  if (others > 0) cost.resource = "load_store";
  cost.text = text;
  return cost;
}

}  // namespace

TEST_CASE("the lines, what they mostly are, and what no line has") {
  const std::vector<LineCost> lines = {line("src/k.cu", 14, 1000, 6000, "a[i] =\tb[i];"),
                                       line("src/k.cu", 7, 500, 500, "")};
  CHECK(cost_table(lines, 10'000) == R"(    cycles  of all  executions  mostly            line
     7,000  70.0 %       1,000  load/store units  k.cu:14  a[i] = b[i];
     1,000  10.0 %       1,000  own wait          k.cu:7
     2,000  20.0 %                                no line  fetching code, dispatch
)");
}

TEST_CASE("more lines than rows are summed up, and a sum that is all leaves no rest") {
  std::vector<LineCost> lines;
  for (int64_t i = 0; i < 12; ++i) lines.push_back(line("k.ptx", i + 1, 10, 0, ""));
  const std::string table = cost_table(lines, 120, 10);
  CHECK(table.find("k.ptx:10\n") != std::string::npos);
  CHECK(table.find("k.ptx:11") == std::string::npos);
  CHECK(table.find("      20  16.7 %                        2 other lines\n") != std::string::npos);
  CHECK(table.find("no line") == std::string::npos);
}

TEST_CASE("rows are as wide as they may be, and texts do nothing to a terminal") {
  const std::vector<LineCost> lines = {line("k.cu", 1, 10, 0, std::string(200, 'x') + "\033[31m")};
  for (const size_t width : {60, 80, 100}) {
    const std::string table = cost_table(lines, 10, 10, width);
    CHECK(table.find(std::string(1, '\033')) == std::string::npos);
    const size_t row = table.find('\n') + 1;
    CHECK(table.find('\n', row) - row == width);
    CHECK(table.substr(table.size() - 5) == " ...\n");
  }
  // No room: the place stays.
  CHECK(cost_table(lines, 10, 10, 10).find("k.cu:1\n") != std::string::npos);
}

TEST_CASE("two files of one name are shown with their paths") {
  const std::string table = cost_table({line("a/k.cu", 1, 10, 0, ""), line("b/k.cu", 1, 10, 0, "")}, 20);
  CHECK(table.find("a/k.cu:1") != std::string::npos);
  CHECK(table.find("b/k.cu:1") != std::string::npos);
}

TEST_CASE("without lines there is no table") { CHECK(cost_table({}, 100).empty()); }
