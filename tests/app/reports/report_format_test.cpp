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

constexpr ReportFormat<Report> formats[] = {
    {"plain",
     [](const Report& report, const TextStyle& style) { return report.name + (style.colour ? " in colour" : ""); }},
    {"table", [](const Report& report, const TextStyle&) { return report.name + ","; }, ".csv", "a table"},
    {"loud", [](const Report& report, const TextStyle&) { return report.name + "!"; }},
    {"picture", [](const Report& report, const TextStyle&) { return "<" + report.name + ">"; }, ".svg", "a picture"},
};

}  // namespace

TEST_CASE("a format is chosen by its name, or by the extension that is its own") {
  const Report report = {"r"};
  CHECK(names_of(formats) == std::vector<std::string>{"plain", "loud"});
  CHECK(render(formats, report, "plain", "", false) == "r");
  CHECK(render(formats, report, "plain", "", true) == "r in colour");
  CHECK(render(formats, report, "loud", "r.txt", false) == "r!");
  CHECK(render(formats, report, "loud", "r.csv", false) == "r,");
  CHECK(render(formats, report, "plain", "folder/r.svg", false) == "<r>");
  CHECK(render(formats, report, "plain", ".svg", false) == "r");  // that is the whole name
  CHECK(render(formats, report, "plain", "r.svg.txt", false) == "r");
}

TEST_CASE("the help of extensions is made from the table") {
  CHECK(extensions_of(formats) == "a name that ends in .csv gets a table, one in .svg a picture");
  CHECK(extensions_of(analyze_formats).empty());
}

TEST_CASE("every report has text, which is the default, and JSON") {
  for (const auto& names :
       {names_of(analyze_formats), names_of(solve_formats), names_of(string_formats), names_of(verify_formats)}) {
    REQUIRE(names.size() >= 2);
    CHECK(names[0] == "text");
    CHECK(names[1] == "json");
  }
}
