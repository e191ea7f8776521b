// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/summary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/brief.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

KernelReport pipeline_only(KernelReport kernel) {
  std::erase_if(kernel.analysis.bounds, [](const timing::ModelBound& entry) { return entry.model == "string"; });
  return kernel;
}

LineCost line(int64_t number, int64_t own, int64_t others, const std::string& text) {
  LineCost cost;
  cost.file = "src/fir.cu";
  cost.line = number;
  cost.own = own;
  cost.others = others;
  cost.resource = "memory";
  cost.text = text;
  return cost;
}

// With all that a summary can have.
KernelReport example() {
  KernelReport kernel = pipeline_only(test::with_ladder(test::example_kernel()));
  kernel.machine.description = "a machine with round numbers, board Toy 1, in a box";
  kernel.analysis.usual = 700;
  kernel.expected = ExpectedTime{.cycles = 512};
  kernel.lines = {line(12, 1000, 3000, "sum += in[i] * table[i];"), line(14, 900, 0, "out[i] = sum;"),
                  line(9, 300, 0, "i = 0;"), line(8, 200, 0, "x")};
  PlacedAdvice advice;
  advice.advice.what = "32 lines for 128 bytes, coalesced 2";
  advice.advice.makespan = 3200;
  advice.line = 40;
  advice.source_file = "src/fir.cu";
  advice.source_line = 12;
  kernel.advice = {advice};
  return kernel;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel in a few lines") {
  CHECK(kernel_summary(example(), {}) == R"(kernel fir (fir.ptx), block 16x16, one block, on toy (Toy 1, 1000 MHz)
  at most   0.700 us  =   700 cycles  if the GPU does what usual says
  at most   8.203 us  = 8,203 cycles  whatever it does; 49 % one warp alone
  expected  512 ns, rough estimate, not safe: nobody has measured how far off it is
  costs     49 %  fir.cu:12  memory    sum += in[i] * table[i];
            34 %  no line              fetching code, dispatch
            11 %  fir.cu:14  own wait  out[i] = sum;
  advice    fir.cu:12 32 lines for 128 bytes, coalesced 2: 0.40 of the bound
  assumed   2 assumptions, 2 instructions unmeasured; all with --explain, and --assume for up to 17x
            less
)");
}

TEST_CASE("a report in short has the same few lines, table and fields") {
  KernelReport kernel = example();
  kernel.lines.push_back(line(7, 150, 0, "of another file"));
  kernel.lines.back().file = "other/fir.cu";
  kernel.assumed.assume(timing::Assumption::warm_code);
  kernel.listing.resize(3);
  kernel.expected->not_simulated = "of no execution";
  KernelReport brief = kernel;
  make_brief(brief);
  CHECK(brief.lines.size() == 4);
  CHECK(brief.listing.empty());
  CHECK(kernel_summary(brief, {}) == kernel_summary(kernel, {}));
  CHECK(to_text({{brief}, {}}) == to_text({{kernel}, {}}));
  CHECK(to_text({{brief, brief}, {}}) == to_text({{kernel, kernel}, {}}));
  CHECK(to_csv({{brief}, {}}) == to_csv({{kernel}, {}}));
}

TEST_CASE("what is not known takes no line") {
  const KernelReport kernel = pipeline_only(test::example_kernel());
  CHECK(kernel_summary(kernel, {false, 80}) == R"(kernel fir (fir.ptx), block 16x16, one block, on toy (1000 MHz)
  at most   8.203 us  = 8,203 cycles  49 % one warp alone
  assumed   2 assumptions, 2 instructions unmeasured; all with --explain
)");
}

TEST_CASE("code that no device runs, dispatch that matters, and why nothing was simulated are told") {
  KernelReport kernel = example();
  kernel.elsewhere = "PTX for sm_90 does not run on devices of sm_80: what is bounded is the same code for them.";
  kernel.analysis.any_dispatcher = 9000;
  kernel.listing = {{}};
  kernel.file = "<machine code of fir.cubin>";
  kernel.expected->not_simulated = "parameters without a value decide what it does: give --arg";
  const std::string text = kernel_summary(kernel, {});
  CHECK(has(text, "\n  beware    PTX for sm_90 does not run on devices of sm_80: what is"));
  CHECK(has(text, "; blocks dealt round-robin, else 9.000 us; all"));
  CHECK(has(text, "; not simulated:\n            parameters without a value"));
  CHECK(text.starts_with("kernel fir (machine code of fir.cubin), block"));
}

TEST_CASE("the bound that decides is bold, and so is the kernel") {
  const std::string text = kernel_summary(example(), true);
  CHECK(text.starts_with("\033[1mkernel fir\033[0m (fir.ptx), block"));
  CHECK(has(text, "  at most   \033[1m8.203 us\033[0m  = 8,203 cycles"));
  CHECK_FALSE(has(kernel_summary(example(), {}), "\033"));
}

TEST_CASE("the string model by itself has its bracket") {
  KernelReport kernel = test::example_kernel();
  std::erase_if(kernel.analysis.bounds, [](const timing::ModelBound& entry) { return entry.model == "pipeline"; });
  CHECK(has(kernel_summary(kernel, {}),
            "\n  strings   15,000 <= worst case <= 20,000 cycles (gap 25 %) of the units alone"));
}

TEST_CASE("several kernels are a table under what they have in common") {
  CHECK(kernel_table({{example()}, {}}, {}).empty());
  KernelReport other = example();
  other.name = "iir";
  other.expected.reset();
  CHECK(kernel_table({{example(), other}, {}}, {}) ==
        R"(2 kernels of fir.ptx, block 16x16, one block, on toy (Toy 1, 1000 MHz)
  kernel     bound     usual  expected  mostly
  fir     8.203 us  0.700 us    512 ns  49 % one warp alone
  iir     8.203 us  0.700 us         -  49 % one warp alone
  --kernel NAME shows one of them, --explain all of each
)");
  other.file = "iir.ptx";
  other.launch.grid = ir::Extent{4, 1, 1};
  other.analysis.bounds[0].bound.makespan = 480;  // with what is granted
  CHECK(kernel_table({{example(), other}, {}}, {false, 120})
            .starts_with(
                R"(2 kernels, on toy (Toy 1, 1000 MHz)
  kernel  file     launch                     bound  whatever the GPU does     usual  expected  mostly
  fir     fir.ptx  block 16x16, one block  8.203 us               8.203 us  0.700 us    512 ns  49 % one)"));
}

TEST_CASE("kernels without a bound stand last, with the place of the error") {
  AnalyzeReport report{{example(), example()}, {}};
  support::Diagnostic error;
  error.location = {"src/fir.ptx", 48, 2};
  report.failed = {{"src/fir.ptx", "lost", {error}}, {"other.ptx", "", {}}};
  const std::string text = kernel_table(report, {});
  CHECK(text.starts_with("3 kernels, block 16x16"));  // and a file
  CHECK(has(text, "\n  lost    src/fir.ptx         -         -         -  no bound  fir.ptx:48, see below\n"));
  CHECK(has(text, "\n  -       other.ptx           -         -         -  no bound  see below\n"));
  CHECK(has(text, "  bounded   49 % one warp alone\n"));
  report.kernels = {example()};
  CHECK(to_text(report, {}).starts_with("kernel fir (fir.ptx), block"));  // the errors stand below
}
