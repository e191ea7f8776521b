// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/reports/check/check_formats.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("the JSON of a gate has all that is known of a result") {
  using Json = nlohmann::json;
  CheckReport report;
  report.budgets = "budgets.toml";
  CheckResult result;
  result.file = "fir.ptx";
  result.kernel = "_Z6reduceILi512EEvPKfPfi";
  result.label = "large";
  result.entry = {"budgets.toml", 3, 1};
  result.location = {"fir.ptx", 12, 1};
  result.verdict = Verdict::over;
  result.limited_by = "waiting for issue slots";
  result.report = test::example_kernel();
  result.report.edit().lines = {{"fir.cu", 42, 1000, 4000, 3503, "issue", "x"}};
  result.limits = {{CheckedLimit::Quantity::makespan, 8203, 8000, "8 us", Verdict::over},
                   {CheckedLimit::Quantity::registers, std::nullopt, 64, "64", Verdict::unbounded}};
  CheckResult missing;
  missing.kernel = "none";
  missing.verdict = Verdict::missing;
  missing.errors = {support::usage_error("no kernel", "look again")};
  report.results = {result, missing};
  report.errors = missing.errors;
  const Json document = Json::parse(to_json(report, {false, usual_width, true}));
  CHECK(document.at("schema") == "warpspan.check/2");
  CHECK(document.at("status") == "wrong-use");
  CHECK(document.at("version") == program_version());
  CHECK(document.at("run").is_null());
  CHECK(document.at("budgets") == "budgets.toml");
  const Json& first = document.at("results").at(0);
  CHECK(first.at("kernel") == "_Z6reduceILi512EEvPKfPfi");
  CHECK(first.at("demangled") == "void reduce<512>(float const*, float*, int)");
  CHECK(first.at("label") == "large");
  CHECK(first.at("file") == "fir.ptx");
  CHECK(first.at("line") == 12);
  CHECK(first.at("entry") == Json{{"file", "budgets.toml"}, {"line", 3}, {"column", 1}});
  CHECK(first.at("status") == "over");
  CHECK(first.at("bound") == 8203);
  CHECK(first.at("budget") == 8000);
  CHECK(first.at("unit") == "cycles");
  CHECK(first.at("limits").at(0) == Json{{"quantity", "makespan"},
                                         {"value", 8203},
                                         {"most", 8000},
                                         {"unit", "cycles"},
                                         {"text", "8 us"},
                                         {"status", "over"},
                                         {"tolerance", ""},
                                         {"since_baseline", false}});
  CHECK(first.at("limits").at(1).at("value").is_null());
  CHECK(first.at("limits").at(1).at("unit") == "registers");
  CHECK(first.at("limited_by") == "waiting for issue slots");
  int64_t sum = 0;
  for (const Json& part : first.at("parts")) sum += part.at("cycles").get<int64_t>();
  CHECK(sum == 8203);
  CHECK(first.at("lines").at(0).at("cycles") == 7503);
  CHECK(first.at("machine") == "toy");
  CHECK(first.at("clock_khz") == 1'000'000);
  CHECK(first.at("assumptions").size() == 2);
  CHECK(first.at("granted").empty());
  CHECK(first.at("ladder").empty());
  const Json& second = document.at("results").at(1);
  CHECK(second.at("status") == "missing");
  for (const char* key : {"bound", "budget", "machine", "clock_khz"}) CHECK(second.at(key).is_null());
  CHECK(second.at("errors").at(0).at("message") == "no kernel");
  CHECK(document.at("errors").at(0).at("help") == "look again");
  // In short it is the same without the large parts.
  Json in_full = document;
  for (Json& one : in_full["results"]) {
    for (const char* key : {"parts", "lines", "assumptions", "ladder"}) CHECK(one.erase(key) == 1);
  }
  CHECK(Json::parse(to_json(report)) == in_full);
}

TEST_CASE("the status of a gate is that of its exit") {
  const auto status_after = [](Verdict verdict, const support::Diagnostics& errors) {
    CheckReport report;
    report.results.emplace_back().verdict = verdict;
    report.errors = errors;
    return nlohmann::json::parse(to_json(report)).at("status").get<std::string>();
  };
  support::Diagnostic input, warning;
  warning.severity = support::Severity::warning;
  CHECK(status_after(Verdict::pass, {}) == "done");
  CHECK(status_after(Verdict::pass, {warning}) == "done");
  CHECK(status_after(Verdict::over, {}) == "over-budget");
  CHECK(status_after(Verdict::fell, {}) == "over-budget");
  CHECK(status_after(Verdict::slower, {}) == "over-budget");
  CHECK(status_after(Verdict::missing, {support::usage_error("none")}) == "wrong-use");
  CHECK(status_after(Verdict::over, {support::usage_error("none"), input}) == "not-bounded");
  CHECK(nlohmann::json::parse(to_json(CheckReport())).at("status") == "over-budget");
}
