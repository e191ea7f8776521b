// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/check/check_findings.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/app/reports/example_check_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Quantity = CheckedLimit::Quantity;

std::vector<std::string> lines_of(const CheckReport& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings(report).failures) {
    lines.push_back(std::string(rule(finding.rule).id) + " " + finding.location.file + ":" +
                    std::to_string(finding.location.line) + " " +
                    (finding.result == nullptr ? "" : title_of(*finding.result)) + ": " + finding.message);
  }
  return lines;
}

CheckReport with_one(Verdict verdict) {
  CheckReport report;
  report.budgets = "budgets.toml";
  CheckResult result;
  result.kernel = "k";
  result.entry = {"budgets.toml", 4, 1};
  result.verdict = verdict;
  report.results = {result};
  return report;
}

// A report as a gate might leave it, consistent or not.
CheckReport random_report(std::mt19937& random) {
  const auto pick = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  const auto verdict = [&] { return pick(3) != 0 ? Verdict::pass : static_cast<Verdict>(pick(7)); };
  CheckReport report;
  for (int i = pick(4); i > 0; --i) {
    CheckResult result;
    result.kernel = "k" + std::to_string(pick(3));
    result.verdict = verdict();
    for (int j = pick(3); j > 0; --j) {
      const Verdict own = result.verdict == Verdict::pass ? Verdict::pass : verdict();
      result.limits.push_back(
          {static_cast<Quantity>(pick(6)), pick(2) == 0 ? std::optional<int64_t>() : pick(99), pick(99), "limit", own});
    }
    if (result.verdict != Verdict::pass && pick(2) == 0) result.errors = {support::usage_error("of a kernel")};
    report.errors.insert(report.errors.end(), result.errors.begin(), result.errors.end());
    report.results.push_back(std::move(result));
  }
  if (pick(4) == 0) report.errors.push_back(support::usage_error("of a file"));
  return report;
}

}  // namespace

TEST_CASE("every verdict but pass is a finding, and so is an error of no kernel") {
  CHECK(lines_of(test::example_check_report()) ==
        std::vector<std::string>{
            "over-budget fir.ptx:12 reduce<512>, large: worst-case makespan <= 8,203 cycles = 8.203 us, budget 8,000 "
            "cycles, over by 2.6 %",
            "over-budget fir.ptx:12 reduce<512>, large: spilled memory 16 bytes, budget 0 bytes",
            "below-budget fir.ptx:12 reduce<512>, small: worst-case makespan <= 8,203 cycles = 8.203 us, budget 0.09 "
            "ms (90,000 cycles), headroom 90.8 %: fell by more than --ratchet allows",
            "not-bounded search.ptx:30 search: the loop at '$L__BB0_4' has no bound",
            "no-such-kernel budgets.toml:27 saxpi: no kernel is called 'saxpi'",
            "no-budget fir.ptx:90 scale: no budget is for kernel 'scale'",
            "not-checked budgets.toml:0 : cannot read 'gone.ptx': No such file or directory"});
  const CheckReport report = test::example_check_report();
  REQUIRE(findings(report).remarks.size() == 1);
  CHECK(findings(report).remarks[0].message == "the fact is used by no loop");
}

TEST_CASE("a result that does not pass is a finding even if nothing says why") {
  CHECK(lines_of(with_one(Verdict::over)) == std::vector<std::string>{"over-budget budgets.toml:4 k: over its budget"});
  CHECK(lines_of(with_one(Verdict::fell)) ==
        std::vector<std::string>{"below-budget budgets.toml:4 k: fell below its budget by more than --ratchet allows"});
  CHECK(lines_of(with_one(Verdict::unbounded)) ==
        std::vector<std::string>{"not-bounded budgets.toml:4 k: nothing is known of it"});
  CHECK(lines_of(with_one(Verdict::missing)) ==
        std::vector<std::string>{"no-such-kernel budgets.toml:4 k: no kernel has this name"});
  CHECK(lines_of(with_one(Verdict::unused)) ==
        std::vector<std::string>{"no-budget budgets.toml:4 k: no budget is for this kernel"});
  CHECK(lines_of(with_one(Verdict::slower)) ==
        std::vector<std::string>{"expected-slower budgets.toml:4 k: expected to take longer than its budget says"});
  CHECK(lines_of(with_one(Verdict::pass)).empty());
}

TEST_CASE("a gate that checked nothing, and one that only failed to read a file, have a finding") {
  CheckReport report;
  report.budgets = "budgets.toml";
  CHECK(lines_of(report) == std::vector<std::string>{"not-checked budgets.toml:0 : no budget was checked"});
  report.errors = {support::usage_error("cannot read 'budgets.toml'")};
  CHECK(lines_of(report) == std::vector<std::string>{"not-checked budgets.toml:0 : cannot read 'budgets.toml'"});
}

TEST_CASE("a register limit without a log is told beside a makespan that is over") {
  CheckReport report = with_one(Verdict::over);
  report.results[0].limits = {{Quantity::makespan, 11, 10, "10 cycles", Verdict::over},
                              {Quantity::registers, std::nullopt, 32, "32", Verdict::unbounded}};
  CHECK(lines_of(report) ==
        std::vector<std::string>{
            "over-budget budgets.toml:4 k: worst-case makespan <= 11 cycles, budget 10 cycles, over by 10.0 %",
            "not-bounded budgets.toml:4 k: registers not known, budget 32"});
}

TEST_CASE("an expected time is told with the tolerance of its budget") {
  CheckReport report = with_one(Verdict::slower);
  report.results[0].limits = {{Quantity::expected, 107, 105, "100 ns", Verdict::slower, "5%"}};
  CHECK(lines_of(report) == std::vector<std::string>{
                                "expected-slower budgets.toml:4 k: expected time 107 cycles, budget 100 ns and 5% (105 "
                                "cycles), over by 2.0 %"});
}

TEST_CASE("there are findings exactly where a gate does not pass") {
  std::mt19937 random(1);
  size_t passed = 0;
  for (int i = 0; i < 2000; ++i) {
    const CheckReport report = random_report(random);
    CHECK(findings(report).failures.empty() == passes(report));
    if (passes(report)) ++passed;
  }
  CHECK(passed > 100);
}

TEST_CASE("what is granted, and what would bring a bound within its budget") {
  // Of a bound of 8,203 cycles, with rungs at 6,000 and 480.
  const auto text = [](int64_t most, const std::vector<timing::Assumption>& assumed) {
    CheckResult result;
    result.report = test::with_ladder(test::example_kernel());
    for (const timing::Assumption assumption : assumed) result.report.edit().assumed.assume(assumption);
    result.limits = {{Quantity::makespan, 8203, most, "", most < 8203 ? Verdict::over : Verdict::pass}};
    return assumed_text(result);
  };
  using timing::Assumption;
  CHECK(text(6000, {}) ==
        "nothing is granted; keeps-constants would make it 6,000 cycles = 6.000 us, within the budget");
  CHECK(text(5999, {}) ==
        "nothing is granted; keeps-constants and warm-code would make it 480 cycles = 0.480 us, within the budget");
  CHECK(text(479, {Assumption::no_spills, Assumption::keeps_constants}) ==
        "granted: keeps-constants, no-spills; warm-code too would make it 480 cycles = 0.480 us, which is still over");
  CHECK(text(8203, {Assumption::no_spills}) == "granted: no-spills");
  CHECK(text(8203, {}).empty());
  CheckResult without_ladder;
  without_ladder.report = test::example_kernel();
  without_ladder.limits = {{Quantity::makespan, 8203, 1, "", Verdict::over}};
  CHECK(assumed_text(without_ladder).empty());
}

TEST_CASE("the headroom of a limit") {
  const auto left = [](std::optional<int64_t> value, int64_t most) {
    return headroom({Quantity::makespan, value, most, "", Verdict::pass});
  };
  CHECK(left(75, 100) == 250);
  CHECK(left(100, 100) == 0);
  CHECK(left(101, 100) == -10);
  CHECK(left(100'001, 100'000) == -1);  // over is never shown as 0
  CHECK(left(0, 100) == 1000);
  CHECK_FALSE(left(std::nullopt, 100));
  CHECK_FALSE(left(0, 0));
  CHECK(left(0, INT64_MAX) == 1000);
  CHECK(left(INT64_MAX, INT64_MAX - 1) == -1);
  CHECK_FALSE(left(INT64_MAX, 1));  // more thousandths than there are numbers
}

TEST_CASE("far above a limit stands how many times it is that, not how much is left") {
  const auto text = [](std::optional<int64_t> value, int64_t most) {
    return headroom_text({Quantity::makespan, value, most, "", Verdict::over});
  };
  CHECK(text(75, 100) == "25.0 %");
  CHECK(text(200, 100) == "-100.0 %");
  CHECK(text(201, 100) == "2.0 times the budget");
  CHECK(text(1461, 100) == "14.6 times the budget");
  CHECK(text(1'341'624, 1'000) == "1,342 times the budget");
  CHECK(text(INT64_MAX, 1) == "9,223,372,036,854,775,807 times the budget");
  CHECK(text(std::nullopt, 100).empty());
  CHECK(text(5, 0).empty());
}
