// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/ladder.hpp"

#include <catch2/catch.hpp>

#include "app/reports/analyze/ladder_json.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

using timing::Assumption;

namespace {

KernelReport example() { return test::with_ladder(test::example_kernel()); }

KernelReport with_headline(int64_t makespan) {
  KernelReport kernel = example();
  kernel.analysis.bounds[0].bound.makespan = makespan;
  return kernel;
}

}  // namespace

TEST_CASE("a line a rung, with what to type for the last one") {
  CHECK(ladder_table(example(), {}) == R"(    --assume               time  gain
 -> nothing            8.203 us        nothing is known of addresses and caches
    + keeps-constants  6.000 us  1.4x  12 reads of parameters hit
    + warm-code        0.480 us   13x  no line of code is fetched
    each with those above it; the last line takes --assume keeps-constants,warm-code; usual on toy:
    nothing, as no run of it backs any
)");
}

TEST_CASE("the arrow stands at the rung that is granted, or where what is granted lies between rungs") {
  const auto has = [](int64_t makespan, const std::string& lines) {
    return ladder_table(with_headline(makespan), {}).find(lines) != std::string::npos;
  };
  CHECK(has(480, " -> + warm-code        0.480 us"));
  CHECK(has(480, "    nothing            8.203 us"));
  CHECK(has(700,
            "    + keeps-constants  6.000 us  1.4x  12 reads of parameters hit\n"
            " -> as granted         0.700 us\n"
            "    + warm-code        0.480 us   13x  no"));
  CHECK(has(400, "13x  no line of code is fetched\n -> as granted         0.400 us\n    each"));
}

TEST_CASE("the gain of a rung has as many digits as it needs") {
  const auto gain = [](int64_t first, int64_t last) {
    KernelReport kernel = with_headline(first);
    kernel.analysis.ladder = {{std::nullopt, first, "A"}, {Assumption::warm_code, last, "B"}};
    const std::string text = ladder_table(kernel, {});
    const size_t end = text.find("x  B");
    return text.substr(text.rfind(' ', end) + 1, end - text.rfind(' ', end));
  };
  CHECK(gain(1094, 1000) == "1.09x");
  CHECK(gain(1096, 1000) == "1.1x");
  CHECK(gain(9940, 1000) == "9.9x");
  CHECK(gain(9960, 1000) == "10x");
  CHECK(gain(2'331'499, 1000) == "2,331x");
  CHECK(gain(INT64_MAX, 1) == "9,223,372,036,854,775,807x");
}

TEST_CASE("all rungs stand in the ladder, those too that gain little, and what is usual below it") {
  KernelReport kernel = with_headline(10'000);
  kernel.machine.usual = {"keeps-constants", "spread"};
  kernel.analysis.ladder = {{std::nullopt, 10'000, "A"},
                            {Assumption::ptx_order, 9'600, "B"},
                            {Assumption::spread, 4'000, "C"},
                            {Assumption::stream, 3'900, "D"}};
  CHECK(ladder_table(kernel, {}) == R"(    --assume          time   gain
 -> nothing      10.000 us         A
    + ptx-order   9.600 us  1.04x  B
    + spread      4.000 us   2.4x  C
    + stream      3.900 us  1.03x  D
    each with those above it; the last line takes --assume ptx-order,stream; usual on toy:
    keeps-constants,spread
)");
}

TEST_CASE("all times of a ladder are of one unit, in which the shortest is a tenth at least") {
  const auto times = [](int64_t first, int64_t last, int64_t clock_khz = 1'000'000) {
    KernelReport kernel = with_headline(first);
    kernel.machine.clock_khz = clock_khz;
    kernel.analysis.ladder = {{std::nullopt, first, "A"}, {Assumption::warm_code, last, "B"}};
    return ladder_table(kernel, {});
  };
  CHECK(times(26'385'000, 310'000).find("26.385 ms        A") != std::string::npos);
  CHECK(times(26'385'000, 310'000).find(" 0.310 ms   85x  B") != std::string::npos);
  CHECK(times(26'385'000, 99'000).find("26,385.000 us        A") != std::string::npos);
  CHECK(times(26'385'000, 99'000).find("    99.000 us  267x  B") != std::string::npos);
  CHECK(times(2'000'000'000, 100'000'001).find("0.101 s   20x  B") != std::string::npos);  // never less
  // In no smaller unit is the longest a number.
  CHECK(times(INT64_MAX, 1, 1000).find("9,223,372,036,854,775.807 ms") != std::string::npos);
}

TEST_CASE("a rung without a value has none, and nothing is above it") {
  KernelReport kernel = with_headline(6000);
  kernel.analysis.ladder[0].makespan.reset();
  const std::string text = ladder_table(kernel, {});
  CHECK(text.find("    nothing                   -        nothing is known") != std::string::npos);
  CHECK(text.find(" -> + keeps-constants  6.000 us        12 reads") != std::string::npos);
  kernel.analysis.bounds[0].bound.makespan = 7000;
  CHECK(ladder_table(kernel, {}).find("caches\n -> as granted         7.000 us") != std::string::npos);
}

TEST_CASE("lines are no wider than they may be, and what a rung says does nothing to a terminal") {
  KernelReport kernel = example();
  kernel.analysis.ladder[1].what = "\033[31m one two three four five six seven eight nine ten eleven twelve thirteen";
  const std::string text = ladder_table(kernel, {false, 80});
  CHECK(text.find('\033') == std::string::npos);
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    CHECK(text.find('\n', begin) - begin <= 80);
  }
}

TEST_CASE("without a rung that helps there is no ladder") {
  KernelReport kernel = example();
  kernel.analysis.ladder.resize(1);
  CHECK(ladder_table(kernel, {}).empty());
  CHECK(ladder_table(test::example_kernel(), {}).empty());
}

TEST_CASE("the names of what is granted") {
  timing::AssumptionSet assumed;
  CHECK(names_of(assumed).empty());
  assumed.assume(Assumption::no_spills);
  assumed.assume(Assumption::warm_code);
  CHECK(names_of(assumed) == std::vector<std::string>{"warm-code", "no-spills"});
  CHECK(names_up_to(example().analysis.ladder, 0).empty());
  CHECK(names_up_to(example().analysis.ladder, 2) == std::vector<std::string>{"keeps-constants", "warm-code"});
}

TEST_CASE("the ladder for programs") {
  const Json json = ladder_to_json(with_headline(6000).analysis);
  REQUIRE(json.size() == 3);
  CHECK(json[0].dump() == R"({"assumption":null,"makespan":8203,"what":"nothing is known of addresses and caches",)"
                          R"("assume":[],"headline":false,"identifier":null})");
  CHECK(json[1].dump() == R"({"assumption":"keeps-constants","makespan":6000,"what":"12 reads of parameters hit",)"
                          R"("assume":["keeps-constants"],"headline":true,"identifier":"A-05"})");
  CHECK(json[2]["assume"].dump() == R"(["keeps-constants","warm-code"])");
  CHECK(json[2]["headline"] == false);
  KernelReport unknown = example();
  unknown.analysis.ladder[0].makespan.reset();
  CHECK(ladder_to_json(unknown.analysis)[0]["makespan"].is_null());
}
