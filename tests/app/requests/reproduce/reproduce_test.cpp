// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/reproduce.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "app/reports/reproduce/reproduce_formats.hpp"
#include "app/requests/reproduce/string_problems.hpp"
#include "tests/paths.hpp"

using namespace warpspan::app;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string document() {
  std::ifstream in(warpspan::test::source_dir() + "/docs/sources.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

const ReproduceReport& quick_report() {
  static const ReproduceReport report = reproduce({});
  return report;
}

std::string ours(const std::string& source, const std::string& what) {
  for (const ReproducedSource& s : quick_report().sources) {
    for (const ReproducedPart& part : s.parts) {
      for (const ReproducedFigure& figure : part.figures) {
        if (s.name == source && figure.what == what) return figure.ours;
      }
    }
  }
  return "no such figure";
}

}  // namespace

TEST_CASE("each figure of the sources agrees, or has its reason") {
  const ReproduceReport& report = quick_report();
  CHECK(report.errors.empty());
  REQUIRE(report.sources.size() == source_names().size());
  for (const ReproducedSource& source : report.sources) {
    for (const ReproducedPart& part : source.parts) {
      for (const ReproducedFigure& figure : part.figures) {
        INFO(source.name << ", " << figure.place << ", " << figure.what << ": " << figure.printed << " / "
                         << figure.ours);
        CHECK(agreement_of(figure) != Agreement::unexplained);
        CHECK_FALSE(figure.ours.empty());
      }
    }
  }
}

// Worked out apart from the program, in the sources or by hand.
TEST_CASE("figures known from elsewhere") {
  CHECK(ours("makespan", "LCLL, W = 4: T(W,2) as an upper bound") == "13");
  CHECK(ours("makespan", "CC, two servers, W = 4: pessimistic bound") == "5");
  CHECK(ours("makespan", "LLCLL, W = 600: a bound that is proven (certificate)") == "2401");
  CHECK(ours("finishing-time", "FT as an upper bound, n = 4, r = 3") == "32");
  CHECK(ours("fermi", "columns: best case") == "1380");
  CHECK(ours("tx2", "K2 K1 K3 K4 end at (measured)") == "6, 8, 12, 11");
}

TEST_CASE("sources are chosen by name, in their order") {
  const ReproduceReport report = reproduce({{"tx2", "finishing-time"}});
  REQUIRE(report.sources.size() == 2);
  CHECK(report.sources[0].name == "finishing-time");
  CHECK(report.sources[1].name == "tx2");
}

TEST_CASE("docs/sources.md has all that is found in seconds") {
  const std::vector<std::string> shown = lines_of(document()), found = lines_of(to_markdown(quick_report()));
  size_t at = 0;
  std::vector<std::string> others;  // of the document
  for (const std::string& line : found) {
    if (line.find(" figures: ") != std::string::npos) {  // counts what is slow, too
      ++at;
      continue;
    }
    while (at < shown.size() && shown[at] != line) others.push_back(shown[at++]);
    INFO(line);
    REQUIRE(at < shown.size());
    ++at;
  }
  CHECK(at == shown.size());
  REQUIRE(others.size() == 2);
  for (const std::string& line : others) CHECK(line.find("LLCLL, W = 3, ") != std::string::npos);
}

TEST_CASE("docs/sources.md is what the program writes", "[.slow]") {
  CHECK(to_markdown(reproduce({{}, true})) == document());
}

TEST_CASE("a schedule of a source that is none is found out") {
  const auto problem = string_problem("LLC", 2);
  CHECK(checked_schedule({"LLC", "..LLC"}, problem) == "5 cycles");
  CHECK(checked_schedule({"LLC", "...LLC"}, problem) == "not work-conserving");
  CHECK(checked_schedule({"LLC", "..LL"}, problem) == "not work-conserving");
  CHECK(checked_schedule({"LLC", "..LCL"}, problem) == "another string");
  CHECK(checked_schedule({"LLC"}, string_problem("LLC", 1)) == "3 cycles");
}
