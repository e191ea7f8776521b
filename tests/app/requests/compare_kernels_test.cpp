#include "app/requests/compare_kernels.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

namespace warpspan::app {

namespace {

__extension__ using Wide = __int128;

KernelFigures kernel(const std::string& name, int64_t bound) {
  KernelFigures figures;
  figures.file = "k.ptx";
  figures.name = name;
  figures.machine = "ampere";
  figures.block = {32, 1, 1};
  figures.bound = bound;
  return figures;
}

Allowance allowance(const std::string& text) { return parse_allowance("--x", text).value(); }

// before * (1 + billionths / 10^9) < after, in numbers that cannot overflow: 63 + 54 bits.
bool exceeds_by_definition(int64_t before, int64_t after, const Allowance& allowed) {
  return Wide{before} * (Allowance::whole + allowed.billionths) < Wide{after} * Allowance::whole;
}

}  // namespace

TEST_CASE("a percentage is read exactly") {
  CHECK(allowance("5%").billionths == 50'000'000);
  CHECK(allowance("0%").billionths == 0);
  CHECK(allowance("2.5%").billionths == 25'000'000);
  CHECK(allowance("0.0000001%").billionths == 1);
  CHECK(allowance("1000000000%").billionths == 10'000'000'000'000'000);
  for (const char* text : {"", "%", "5", "-5%", "+5%", "5 %", " 5%", ".5%", "5.%", "5.12345678%", "1000000001%", "5%%",
                           "1e2%", "99999999999999999999%", "0x5%", "5,5%"}) {
    INFO(text);
    const auto wrong = parse_allowance("--fail-on-regression", text);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.errors().front().message ==
          "--fail-on-regression: expected a percentage such as 5% or 2.5%, got '" + std::string(text) + "'");
  }
}

TEST_CASE("a bound exceeds what is allowed exactly where the fraction says so") {
  CHECK_FALSE(exceeds(100, 105, allowance("5%")));
  CHECK(exceeds(100, 106, allowance("5%")));
  CHECK(exceeds(0, 1, allowance("1000000000%")));
  CHECK_FALSE(exceeds(5, 5, allowance("0%")));
  CHECK(exceeds(5, 6, allowance("0%")));
  CHECK_FALSE(exceeds(100, 1, allowance("0%")));
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const int64_t before = static_cast<int64_t>(random() >> (1 + random() % 63));
    Allowance allowed{static_cast<int64_t>(random() % 10'000'000'000'000'001ULL >> random() % 54), "x"};
    const Wide most = Wide{before} * (Allowance::whole + allowed.billionths) / Allowance::whole;
    const int64_t near = most > largest - 2 ? largest - 2 : static_cast<int64_t>(most);
    for (const int64_t after : {near - 1, near, near + 1, near + 2, static_cast<int64_t>(random() >> 1)}) {
      if (after < 0) continue;
      INFO(before << " " << after << " " << allowed.billionths);
      REQUIRE(exceeds(before, after, allowed) == exceeds_by_definition(before, after, allowed));
    }
  }
}

TEST_CASE("every side has its column, kernels without a base stand behind") {
  const CompareReport report = compare_kernels({{"A", {kernel("k", 10), kernel("only_a", 5)}},
                                                {"B", {kernel("fresh", 7), kernel("k", 12)}},
                                                {"C", {kernel("fresh", 8)}}},
                                               std::nullopt);
  CHECK(report.errors.empty());
  CHECK_FALSE(report.regression);
  REQUIRE(report.kernels.size() == 3);
  CHECK(report.kernels[0].sides[1]->bound == 12);
  CHECK(report.kernels[0].changes[1]);
  CHECK_FALSE(report.kernels[0].sides[2]);
  CHECK(report.kernels[2].any().name == "fresh");
  CHECK_FALSE(report.kernels[2].changes[1]);
  CHECK(report.kernels[2].sides[2]->bound == 8);
}

TEST_CASE("a regression is found, and nothing passes that cannot be compared") {
  const auto compared = [](const KernelFigures& before, const KernelFigures& after) {
    return compare_kernels({{"A", {before}}, {"B", {after}}}, allowance("10%"));
  };
  CHECK(compared(kernel("k", 100), kernel("k", 111)).regression);
  const CompareReport within = compared(kernel("k", 100), kernel("k", 110));
  CHECK_FALSE(within.regression);
  CHECK(within.errors.empty());

  KernelFigures other_machine = kernel("k", 50);
  other_machine.machine = "hopper";
  CHECK(compared(kernel("k", 100), other_machine).errors.size() == 1);
  CHECK(compare_kernels({{"A", {kernel("k", 100)}}, {"B", {other_machine}}}, std::nullopt).errors.empty());

  KernelFigures other_launch = kernel("k", 50);
  other_launch.block = {16, 1, 1};
  const CompareReport launches = compare_kernels({{"A", {kernel("k", 100)}}, {"B", {other_launch}}}, std::nullopt);
  REQUIRE(launches.errors.size() == 1);
  CHECK(launches.errors[0].cause == support::Cause::usage);

  const CompareReport vanished = compared(kernel("histogram", 100), kernel("transpose", 100));
  REQUIRE(vanished.errors.size() == 2);
  CHECK(vanished.errors[0].message == "kernel 'histogram' is missing in 'B': it cannot be said not to have regressed");
  CHECK(vanished.errors[0].cause == support::Cause::input);
  CHECK(vanished.errors[1].message == "kernel 'transpose' is missing in 'A': it cannot be said not to have regressed");
}

TEST_CASE("options that decide bounds are told apart from others") {
  CHECK(deciding_options({"--block=256", "--kernel=k", "--shared=0", "--arg=n=4", "--arg=3=1", "k.ptx",
                          "--flags=-O3"}) == std::vector<std::string>{"--arg=3=1", "--arg=n=4", "--shared=0"});
}

TEST_CASE("bounds of other arguments are not compared, and unknown ones never pass") {
  const std::vector<KernelFigures> kernels = {kernel("k", 10)};
  using Options = std::optional<std::vector<std::string>>;
  const auto errors = [&](const Options& before, const Options& after, const std::optional<Allowance>& allowed) {
    return compare_kernels({{"A", kernels, before}, {"B", kernels, after}}, allowed).errors;
  };
  const Options small = {{"--arg=n=4"}}, large = {{"--arg=n=8"}};
  CHECK(errors(small, small, allowance("5%")).empty());
  const auto different = errors(small, large, std::nullopt);
  REQUIRE(different.size() == 1);
  CHECK(different[0].message == "'A' and 'B' were bounded with other options: --arg=n=4 against --arg=n=8");
  CHECK(different[0].severity == support::Severity::error);
  const auto unknown = errors(std::nullopt, small, std::nullopt);
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].severity == support::Severity::warning);
  CHECK(errors(small, std::nullopt, allowance("5%"))[0].severity == support::Severity::error);
}

}  // namespace warpspan::app
