// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_kernels.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace warpspan;
using namespace warpspan::app;

namespace {

KernelFigures kernel(const std::string& name, int64_t bound) {
  KernelFigures figures;
  figures.file = "k.ptx";
  figures.name = name;
  figures.machine = "ampere";
  figures.block = {32, 1, 1};
  figures.bound = bound;
  return figures;
}

Percent allowance(const std::string& text) { return parse_percent("--x", text).value(); }

}  // namespace

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
  const auto errors = [&](const Options& before, const Options& after, const std::optional<Percent>& allowed) {
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
