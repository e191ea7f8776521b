// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/report_format.hpp"

#include <catch2/catch.hpp>

#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/solve/solve_formats.hpp"
#include "app/reports/solve/verify_formats.hpp"
#include "app/reports/string_formats.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

struct Report {
  std::string name;
};

std::string with_comma(const Report& report, const TextStyle&) { return report.name + ","; }

constexpr ReportFormat<Report> formats[] = {
    {"plain",
     [](const Report& report, const TextStyle& style) -> LongText {
       return report.name + (style.colour ? " in colour" : "");
     }},
    {"table", in_one_piece<Report, with_comma>, ".csv .tsv"},
    {"loud", [](const Report& report, const TextStyle&) -> LongText { return report.name + "!"; }, ".loud"},
};

}  // namespace

TEST_CASE("a format is chosen by its name") {
  const Report report = {"r"};
  CHECK(names_of(forms_of(formats)) == std::vector<std::string>{"plain", "table", "loud"});
  CHECK(render(formats, report, "plain", false).str() == "r");
  CHECK(render(formats, report, "plain", true).str() == "r in colour");
  CHECK(render(formats, report, "table", false).str() == "r,");
  CHECK(render(formats, report, "loud", false).str() == "r!");
}

TEST_CASE("a format has the endings of its files") {
  const std::vector<FormatName> forms = forms_of(formats);
  REQUIRE(forms.size() == 3);
  CHECK(forms[0].endings.empty());
  CHECK(forms[1].name == "table");
  CHECK(forms[1].endings == std::vector<std::string>{".csv", ".tsv"});
  CHECK(forms[2].endings == std::vector<std::string>{".loud"});
}

TEST_CASE("every report has text, which is the default, and JSON") {
  for (const auto& names : {names_of(forms_of(analyze_formats)), names_of(forms_of(solve_formats)),
                            names_of(forms_of(string_formats)), names_of(forms_of(verify_formats))}) {
    REQUIRE(names.size() >= 2);
    CHECK(names[0] == "text");
    CHECK(names[1] == "json");
  }
}
