// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/reproduce/reproduce_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/reports/reproduce/reproduce_formats.hpp"
#include "tests/files.hpp"

using namespace warpspan::app;
using warpspan::test::contains;

namespace {

ReproduceReport report() {
  ReproduceReport made;
  made.sources.push_back({"paper",
                          "A. Author, A paper, 2000",
                          {{"First part",
                            {{"table 1", "sum of a|b", "3", "3"},
                             {"table 2", "difference", "4", "5", "a slip"},
                             {"table 3", "product", "6", "7", "a slip"},
                             {"figure 1", "curve", "", "8"}},
                            {{"A schedule", "  ab\n"}},
                            {"Figure 2 is a photograph."}}}});
  return made;
}

}  // namespace

TEST_CASE("a figure agrees, differs for a reason, or is unexplained") {
  CHECK(agreement_of({"table 1", "sum", "3", "3"}) == Agreement::agrees);
  CHECK(agreement_of({"table 1", "sum", "3", "4", "a slip"}) == Agreement::differs);
  CHECK(agreement_of({"table 1", "sum", "", "4"}) == Agreement::not_printed);
  CHECK(agreement_of({"table 1", "sum", "3", "4"}) == Agreement::unexplained);
  // A reason that has become wrong is as bad as none.
  CHECK(agreement_of({"table 1", "sum", "3", "3", "a slip"}) == Agreement::unexplained);
}

TEST_CASE("the summary counts, and one unexplained figure shows") {
  ReproduceReport made = report();
  CHECK(is_explained(made));
  CHECK(summary(made) == "4 figures: 1 agree, 2 differ for a reason that is given, 1 are not printed in the source");
  made.sources[0].parts[0].figures[1].reason.clear();
  CHECK_FALSE(is_explained(made));
  CHECK(contains(summary(made), ", 1 are unexplained"));
  CHECK(nlohmann::json::parse(to_json(made))["status"] == "over-budget");
}

TEST_CASE("the text has each reason once") {
  CHECK(to_text(report()) ==
        "paper: A. Author, A paper, 2000\n"
        "\n"
        "First part\n"
        "  in the source              printed  ours\n"
        "  table 1        sum of a|b        3     3  agrees\n"
        "  table 2        difference        4     5  differs 1)\n"
        "  table 3        product           6     7  differs 1)\n"
        "  figure 1       curve             -     8  not printed\n"
        "  1) a slip\n"
        "  A schedule:\n"
        "  ab\n"
        "  left out: Figure 2 is a photograph.\n"
        "\n"
        "4 figures: 1 agree, 2 differ for a reason that is given, 1 are not printed in the source\n");
}

TEST_CASE("the document is Markdown, whatever the words are") {
  const std::string text = to_markdown(report());
  CHECK(contains(text, "| table 1 | sum of a&#124;b | 3 | 3 | agrees |\n"));
  CHECK(contains(text, "| table 2 | difference | 4 | 5 | **differs**: a slip |\n"));
  CHECK(contains(text, "A schedule:\n\n```\n  ab\n```\n"));
  CHECK(contains(text, "Left out:\n\n- Figure 2 is a photograph.\n"));
}
