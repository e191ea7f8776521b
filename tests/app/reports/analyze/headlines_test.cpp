// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/headlines.hpp"

#include <catch2/catch.hpp>

#include "app/reports/analyze/advice_section.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

// Of 8,203 cycles whatever the device does, and 700 with what is usual.
KernelReport example(int64_t granted) {
  KernelReport kernel = test::with_ladder(test::example_kernel());
  kernel.machine.usual = {"keeps-constants", "spread"};
  kernel.analysis.usual = 700;
  kernel.analysis.bounds[0].bound.makespan = granted;
  return kernel;
}

timing::Advice advice(std::string what, std::optional<int64_t> cycles, std::optional<int64_t> usual) {
  timing::Advice one;
  one.what = std::move(what);
  one.makespan = cycles;
  one.usual = usual;
  return one;
}

}  // namespace

TEST_CASE("two bounds stand first, and a third where what is granted is neither") {
  const std::string two =
      "  at most 0.700 us =   700 cycles if the GPU does what usual says\n"
      "  at most 8.203 us = 8,203 cycles whatever it does\n";
  CHECK(headline_lines(example(8203), {}) == two);
  CHECK(headline_lines(example(700), {}) == two);
  KernelReport kernel = example(480);
  kernel.assumed.assume(timing::Assumption::warm_code);
  kernel.analysis.bounds[0].bound.assumptions.emplace_back(timing::sentence(timing::Assumption::warm_code));
  CHECK(headline_lines(kernel, {}) == "  at most 0.480 us =   480 cycles with --assume warm-code\n" + two);
}

TEST_CASE("the bound that decides is bold") {
  const auto bold = [](int64_t granted) {
    const std::string text = headline_lines(example(granted), true);
    const size_t begin = text.find("\033[1m") + 4;
    return text.substr(begin, text.find("\033[0m") - begin);
  };
  CHECK(bold(8203) == "at most 8.203 us = 8,203 cycles");
  CHECK(bold(700) == "at most 0.700 us =   700 cycles");
}

TEST_CASE("without what is usual, or where it helps nothing, there is one bound") {
  KernelReport kernel = example(8203);
  kernel.analysis.usual = 8203;
  CHECK(headline_lines(kernel, {}) == "  at most 8.203 us = 8,203 cycles whatever it does\n");
  kernel.analysis.usual.reset();
  CHECK(headline_lines(kernel, {}) == "  at most 8.203 us = 8,203 cycles whatever it does\n");
}

TEST_CASE("what is granted of the kernel itself stands in all bounds") {
  KernelReport kernel = example(8203);
  kernel.assumed.assume(timing::Assumption::no_spills);
  kernel.analysis.bounds[0].bound.assumptions.emplace_back(timing::sentence(timing::Assumption::no_spills));
  CHECK(headline_lines(kernel, {}).find("usual says, with --assume no-spills\n") != std::string::npos);
  CHECK(headline_lines(kernel, {}).find("whatever it does, with --assume no-spills\n") != std::string::npos);
}

TEST_CASE("the bounds for programs") {
  CHECK(headlines_to_json(example(480)).dump() ==
        R"({"usual":{"assume":["keeps-constants","spread"],"cycles":700,"picoseconds":700000},)"
        R"("nothing":{"assume":[],"cycles":8203,"picoseconds":8203000}})");
}

TEST_CASE("a line for each change, with what becomes of the bounds, never less") {
  KernelReport kernel = example(8203);
  CHECK(advice_table(kernel, 100).empty());
  kernel.advice = {{advice("32 lines for 128 bytes, coalesced 2", 3200, 690), 40, "src/fir.cu", 12},
                   {advice("with --registers 32: 5 waves, not 38", 8000, std::nullopt), 0}};
  CHECK(advice_table(kernel, 100) ==
        "     bound   usual  advice\n"
        "    x 0.40  x 0.99  fir.cu:12  32 lines for 128 bytes, coalesced 2\n"
        "    x 0.98          launch     with --registers 32: 5 waves, not 38\n");
  CHECK(advice_to_json(kernel)[0].dump() ==
        R"({"kind":"coalesce","what":"32 lines for 128 bytes, coalesced 2","line":40,"source_file":"src/fir.cu",)"
        R"("source_line":12,"cycles":3200,"usual_cycles":690})");
  CHECK(first_advice(kernel, 12, 100) ==
        "  advice    fir.cu:12 32 lines for 128 bytes, coalesced 2: 0.40 of the bound, 0.99 with what is\n"
        "            usual; 1 more with --explain\n");
  kernel.analysis.usual.reset();
  CHECK(advice_table(kernel, 100).find("usual") == std::string::npos);
  kernel.advice.clear();
  CHECK(first_advice(kernel, 12, 100).empty());
}
