// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a gate; what all its formats have to say is in check_mutants_test.cpp.
#include <catch2/catch.hpp>

#include "app/reports/check/check_formats.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Quantity = CheckedLimit::Quantity;

CheckResult result_of(const std::string& kernel, Verdict verdict, std::vector<CheckedLimit> limits) {
  CheckResult result;
  result.file = "fir.ptx";
  result.kernel = kernel;
  result.entry = {"budgets.toml", 3, 1};
  result.location = {"fir.ptx", 12, 1};
  result.verdict = verdict;
  result.limited_by = "waiting for issue slots";
  result.report = test::example_kernel();
  result.limits = std::move(limits);
  return result;
}

CheckReport example() {
  CheckReport report;
  report.budgets = "budgets.toml";
  CheckResult over = result_of("_Z6reduceILi512EEvPKfPfi", Verdict::over,
                               {{Quantity::makespan, 8203, 8000, "8000 cycles", Verdict::over},
                                {Quantity::registers, 32, 64, "64", Verdict::pass},
                                {Quantity::spill, 16, 0, "0", Verdict::over}});
  over.label = "large";
  over.report.edit().lines = {{"fir.cu", 42, 1000, 4000, 3503, "issue", "sum +=\ttaps[i]   * in[i];"},
                              {"fir.cu", 43, 1000, 500, 100, "load_store", "}"},
                              {"fir.cu", 40, 1, 60, 0, "", ""},
                              {"fir.cu", 39, 1, 40, 0, "", "{"}};
  CheckResult fell = result_of("fir", Verdict::fell, {{Quantity::makespan, 8203, 90000, "0.09 ms", Verdict::fell}});
  CheckResult missing;
  missing.kernel = "saxpi";
  missing.entry = {"budgets.toml", 27, 1};
  missing.verdict = Verdict::missing;
  support::Diagnostic error = support::usage_error("the budget names no kernel", "did you mean 'saxpy'?");
  error.location = missing.entry;
  missing.errors = {error};
  report.results = {result_of("fir", Verdict::pass, {{Quantity::makespan, 8203, 10000, "10 us", Verdict::pass}}), over,
                    fell, missing};
  report.errors = {error, support::usage_error("cannot read 'gone.ptx'")};
  return report;
}

}  // namespace

TEST_CASE("the whole text of a gate that does not hold") {
  CHECK(to_text(example()) == R"(         kernel       launch         bound        budget  headroom        limited by
pass     fir                      8.203 us         10 us  #####.  17.9 %  issue slots
over     reduce<512>  large   8,203 cycles  8,000 cycles  !!!!!!  -2.6 %  issue slots
                                   32 regs  registers 64  ###...  50.0 %
                                  16 bytes       spill 0  above 0
fell     fir                   0.008203 ms       0.09 ms  #.....  90.8 %  issue slots
missing  saxpi                           -             -

reduce<512> (large) (fir.ptx:12, budget at budgets.toml:3)
  bound over by 203 cycles: 8,203 cycles where the budget is 8,000 cycles
  spill over by 16 bytes: 16 bytes where the budget is 0
  = 4,000 one warp alone + 3,503 waiting for issue slots + 700 waiting for load/store units
    fir.cu:42  7,503 cycles  sum += taps[i] * in[i];
    fir.cu:43    600 cycles  }
    fir.cu:40     60 cycles

fir (fir.ptx:12, budget at budgets.toml:3)
  bound fell below the budget by 81,797 cycles: 0.008203 ms where it is 0.09 ms
  the budget no longer says what is true: let 'warpspan check --update' write it anew

saxpi (budgets.toml:27)
  the budget names no kernel
    did you mean 'saxpy'?

cannot read 'gone.ptx'

1 of 4 budgets hold; 1 over; 1 fell; 1 without a kernel
)");
}

TEST_CASE("a gate tells what is granted for a bound that is over, and what would help") {
  CheckReport report = example();
  report.results[1].report.edit().assumed.assume(timing::Assumption::no_spills);
  report.results[1].report = test::with_ladder(report.results[1].report.edit());
  const std::string text = to_text(report, {false, 110});
  CHECK(text.find("units\n  granted: no-spills; keeps-constants too would make it 6,000 cycles = 6.000 us, within the "
                  "budget\n    fir.cu:42") != std::string::npos);
}

TEST_CASE("the text of a gate is as wide as the terminal") {
  CheckReport report = example();
  report.results[1].report.edit().lines = {
      {"fir.cu", 42, 1000, 4000, 3503, "issue", "\ta\t=  " + std::string(90, 'b') + ";"}};
  const auto cut_line = [&report](size_t width) {
    const std::string text = to_text(report, {false, width});
    const size_t begin = text.find("    fir.cu:42");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string before = "    fir.cu:42  7,503 cycles  a = ";
  const std::string whole = before + std::string(90, 'b') + ";";
  CHECK(cut_line(whole.size()) == whole);
  CHECK(cut_line(whole.size() - 1).size() == whole.size() - 1);
  CHECK(cut_line(100).size() == 100);
  CHECK(cut_line(60).size() == 60);
  CHECK(cut_line(60) == before + std::string(60 - before.size() - 4, 'b') + " ...");
  const std::string narrow = to_text(report, {false, 60});
  CHECK(narrow.find("  = 4,000 one warp alone + 3,503 waiting for issue slots +\n    700 waiting") !=
        std::string::npos);
}

TEST_CASE("headroom is never shown larger than it is") {
  const auto line = [](int64_t value, int64_t most) {
    CheckReport report;
    const Verdict verdict = value > most ? Verdict::over : Verdict::pass;
    report.results = {result_of("k", verdict, {{Quantity::stack, value, most, std::to_string(most), verdict}})};
    const std::string text = to_text(report);
    const size_t end = text.find(" %");
    const size_t begin = text.find_last_of("#.!", end - 4) + 1;  // behind the bar
    return text.substr(begin, end - begin);
  };
  CHECK(line(0, 100) == " 100.0");
  CHECK(line(1, 1'000'000) == "  99.9");
  CHECK(line(999'999, 1'000'000) == "   0.0");
  CHECK(line(100, 100) == "   0.0");
  CHECK(line(1'000'001, 1'000'000) == "  -0.1");
  CHECK(line(150, 100) == " -50.0");
  CHECK(line(1, INT64_MAX) == "  99.9");
  CHECK(line(INT64_MAX, INT64_MAX) == "   0.0");
}

TEST_CASE("a bound has the unit of its budget, and is never shown below what it is") {
  const auto shown = [](int64_t cycles, const std::string& limit) {
    CheckReport report;
    report.results = {result_of("k", Verdict::pass, {{Quantity::makespan, cycles, INT64_MAX, limit, Verdict::pass}})};
    report.results.front().report.edit().machine.clock_khz = 1'410'000;
    const std::string text = to_text(report);
    const size_t row = text.find("pass  k  ") + 9;
    const size_t begin = text.find_first_not_of(' ', row);
    return text.substr(begin, text.find("  ", begin) - begin);
  };
  CHECK(shown(1'410, "5 us") == "1 us");
  CHECK(shown(1'411, "5 us") == "1.001 us");
  CHECK(shown(1'411, "5 \u00b5s") == "1.001 \u00b5s");
  CHECK(shown(1'411, "5000 ns") == "1001 ns");
  CHECK(shown(1'411, "1 ms") == "0.001001 ms");
  CHECK(shown(141'000'000, "0.2 s") == "0.1 s");
  CHECK(shown(1, "1 s") == "0.000000001 s");
  CHECK(shown(1'411, "2000 cycles") == "1,411 cycles");
}

TEST_CASE("only a gate without an error, with results that pass, passes") {
  CheckReport report;
  CHECK_FALSE(passes(report));
  report.results = {result_of("fir", Verdict::pass, {})};
  CHECK(passes(report));
  support::Diagnostic warning = support::usage_error("unused");
  warning.severity = support::Severity::warning;
  report.errors = {warning};
  CHECK(passes(report));
  report.errors.push_back(support::usage_error("cannot read"));
  CHECK_FALSE(passes(report));
  report.errors.clear();
  for (const Verdict verdict :
       {Verdict::over, Verdict::slower, Verdict::fell, Verdict::unbounded, Verdict::missing, Verdict::unused}) {
    report.results.push_back(result_of("fir", verdict, {}));
    CHECK_FALSE(passes(report));
    report.results.pop_back();
  }
}

TEST_CASE("a kernel that was bounded is not unbounded where only a log is missing") {
  CheckReport report;
  report.results = {result_of("heavy", Verdict::unbounded,
                              {{Quantity::makespan, 8203, 10000, "10 us", Verdict::pass},
                               {Quantity::registers, std::nullopt, 64, "64", Verdict::unbounded}})};
  const std::string text = to_text(report);
  CHECK(text.find("unknown  heavy") != std::string::npos);
  CHECK(text.find("no log") != std::string::npos);
  report.results[0].report.reset();
  CHECK(to_text(report).find("unbounded  heavy") != std::string::npos);
}
