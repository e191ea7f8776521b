// SPDX-License-Identifier: GPL-3.0-or-later
// How long others keep memory from a kernel, as users say it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "app/facts/fact_kind.hpp"
#include "app/files/budgets_file.hpp"
#include "app/requests/bound_kernels.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

const std::string copy =
    ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry copy(.param .u64 to)\n{\n.reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [to];\ncvta.to.global.u64 %rd1, %rd1;\nst.global.u32 [%rd1], 0;\nret;\n}\n";

// Of the only kernel.
solver::Bound bound_with(std::optional<ir::Interference> interference, const std::string& machine) {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("k.ptx"), copy);
  BoundRequest request;
  request.kernels.files = {folder.file("k.ptx")};
  request.kernels.launch.block = ir::Extent{64, 1, 1};
  request.kernels.launch.grid = ir::Extent{50, 1, 1};
  request.kernels.launch.interference = std::move(interference);
  request.machine = machine;
  const AnalyzeReport report = bound_kernels(request);
  REQUIRE(report.kernels.size() == 1);
  const auto* bound = headline_bound(report.kernels.at(0)->analysis);
  REQUIRE(bound != nullptr);
  return *bound;
}

bool says(const solver::Bound& bound, const std::string& text) {
  return std::any_of(bound.assumptions.begin(), bound.assumptions.end(),
                     [&text](const std::string& one) { return one.find(text) != std::string::npos; });
}

support::Diagnostics read(const std::string& text, ir::Launch& launch) {
  return kind_of(ir::UserFact::interference).read({"--interference", text, {"--interference"}}, launch);
}

ir::Interference share(const std::string& text) {
  ir::Launch launch;
  REQUIRE(read(text, launch).empty());
  return launch.interference.value();
}

}  // namespace

TEST_CASE("a share of the time is a decimal number or a fraction, from 0 to less than 1") {
  struct Row {
    const char* text;
    support::Rational share;
  };
  for (const Row& row : {Row{"0", {0, 1}}, Row{"0.0", {0, 1}}, Row{"0.3", {3, 10}}, Row{"3/10", {3, 10}},
                         Row{"0.50", {1, 2}}, Row{"2/3", {2, 3}}, Row{"0.999999999", {999999999, 1000000000}}}) {
    INFO(row.text);
    CHECK(share(row.text).share == row.share);
  }
  for (const char* text :
       {"",      "1",   "1.0", "1.5",  "3/2", "-0.3", "-1/2",         "1/-2",          "0.",  ".3", "0.-3",
        "0.3.1", "30%", "0,3", "1e-3", "nan", "1/0",  "0.1234567891", "99999999999.0", " 0.3"}) {
    INFO(text);
    ir::Launch launch;
    const support::Diagnostics errors = read(text, launch);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message.find("expected a share from 0 to less than 1") != std::string::npos);
  }
}

TEST_CASE("a bound beside others is as much longer as their share says, and assumes nothing of an idle board") {
  const solver::Bound alone = bound_with(std::nullopt, ""), beside = bound_with(share("0.3"), "");
  CHECK(says(alone, "(quiet-board)."));
  CHECK_FALSE(says(beside, "(quiet-board)."));
  CHECK(says(beside, "keep the kernel's requests waiting for at most 3/10 of the time that it runs (--interference)."));
  for (const solver::Bound* bound : {&alone, &beside}) {
    CHECK(says(*bound, "(own-memory)."));
    CHECK(says(*bound, "(clean-cache)."));
  }
  CHECK(*beside.makespan == (*alone.makespan * 10 + 6) / 7);
  CHECK(beside.parts.back().kind == solver::Part::Kind::others);
  CHECK(beside.parts.back().cycles == *beside.makespan - *alone.makespan);
  CHECK(bound_with(share("0"), "").makespan == alone.makespan);
  CHECK_FALSE(says(bound_with(std::nullopt, "hopper"), "(quiet-board)."));
  CHECK(*bound_with(share("1/2"), "hopper").makespan == 2 * *bound_with(std::nullopt, "hopper").makespan);
}

TEST_CASE("budgets say it as a number or as a text") {
  const auto budget_with = [](const std::string& value) {
    return parse_budgets("b.toml",
                         "[defaults]\ninterference = " + value + "\n[[budget]]\nkernel = \"k\"\nmax = \"1 ms\"\n");
  };
  for (const auto& [value, expected] :
       {std::pair{"0.3", support::Rational{3, 10}}, std::pair{"\"0.3\"", support::Rational{3, 10}},
        std::pair{"\"2/3\"", support::Rational{2, 3}}, std::pair{"0", support::Rational{0, 1}},
        std::pair{"1e-3", support::Rational{1, 1000}}}) {
    INFO(value);
    const auto budgets = budget_with(value);
    REQUIRE(budgets);
    REQUIRE(budgets->size() == 1);
    const auto& found = budgets->front().launch.interference;
    REQUIRE(found);
    CHECK(found->share == expected);
    CHECK(found->origin.location.line == 2);
  }
  for (const char* value : {"1", "1.0", "-0.1", "true", "\"much\"", "inf", "nan", "0.1234567891234"}) {
    INFO(value);
    CHECK_FALSE(budget_with(value));
  }
}
