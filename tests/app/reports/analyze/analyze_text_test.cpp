// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "app/reports/analyze/analyze_formats.hpp"
#include "app/requests/report_archive.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

using test::example_kernel;
using test::with_fetch;

namespace {

const TextStyle in_full = {false, usual_width, true};

std::string line_with(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  if (at == std::string::npos) return "no line with " + part;
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("the whole text of a kernel") {
  CHECK(to_text({{example_kernel()}, {}}, in_full) == R"(kernel fir (fir.ptx)
  machine        toy: a machine with round numbers, 1000 MHz
  launch         block 16x16 (8 warps), one block alone on the device
  occupancy      1 to 4 blocks = 8 to 32 of 32 warps (25.0 to 100.0 %), limited by registers, at
                 best by warps; 1 to 255 registers per thread (no more on the machine), 0 to 48
                 bytes of shared memory

  at most 8.203 us = 8,203 cycles
    one warp alone                4,000  49 %
    waiting for issue slots       3,503  43 %  7 other warps, 1,001 cycles each, 2 servers
    waiting for load/store units    700   9 %  7 other warps, 100 cycles each, 1 server
  limited by     one warp alone

  one warp       best 1,000, average 2,000, worst 4,000 cycles
  instructions   L 2,001, C 1,001, S 0 on the worst path; 12 read-after-write edges in the text
  string         C(L2C)^1000L

    loop       line  trip count  found by
    $L__BB0_2    34       1,000  scalar-evolution

    clock reads in lines  best  average  worst
    10-20                   36       40     48

  string model: cycles of the units alone, without latencies
    15,000 <= worst case <= 20,000 cycles (gap 25 %)
    method     cycles  kind        safe
    list       20,000  upper       yes
    exact           -  time-limit  -     the time limit of 10 s has been reached
    published   9,000  published   no    not safe here

  assumptions
    1. Latencies are at most as listed. [pipeline]
    2. One block. [pipeline; string: list]
    3. One cycle an instruction. [string]

  figures that nobody has measured: int.div, fp64
)");
}

TEST_CASE("the breakdown has what fetching the code costs") {
  const std::string text = to_text({{with_fetch(example_kernel())}, {}}, in_full);
  CHECK(line_with(text, "at most") == "  at most 9.403 us = 9,403 cycles");
  CHECK(line_with(text, "fetching code") ==
        "    fetching code                 1,200  13 %  9 lines of code, misses L0 30, L1 9");
  CHECK(line_with(text, "one warp  ") ==
        "  one warp       best 1,000, average 2,000, worst 4,000 cycles, warm instruction cache");
}

TEST_CASE("a mangled name is shown as it was written, with its symbol, and nothing acts on a terminal") {
  KernelReport kernel = example_kernel();
  kernel.name = "_Z6reduceILi512EEvPKfPfi";
  kernel.machine.description = "a \033[31m machine";
  kernel.analysis.bounds[0].bound.assumptions = {"None \033[31m."};
  const std::string text = to_text({{kernel}, {}}, in_full);
  CHECK(text.rfind("kernel reduce<512> (fir.ptx)\n  symbol         _Z6reduceILi512EEvPKfPfi\n", 0) == 0);
  CHECK((text + to_text({{kernel}, {}}, false)).find('\033') == std::string::npos);
}

TEST_CASE("an empty report has an empty text") { CHECK(to_text(AnalyzeReport{}, false).empty()); }

TEST_CASE("kernels stand apart by an empty line, below a table") {
  const std::string one = to_text({{example_kernel()}, {}}, in_full);
  const std::string two = to_text({{example_kernel(), example_kernel()}, {}}, in_full);
  CHECK(two.starts_with("2 kernels of fir.ptx, block 16x16, one block, on toy (1000 MHz)\n"));
  CHECK(two.ends_with("\n\n" + one + "\n" + one));
}

TEST_CASE("terminal codes only where they are asked for") {
  const AnalyzeReport report{{example_kernel()}, {}};
  CHECK(to_text(report, false).find('\033') == std::string::npos);
  const std::string coloured = to_text(report, {true, usual_width, true});
  CHECK(coloured.rfind("\033[1mkernel fir\033[0m (fir.ptx)\n", 0) == 0);
  CHECK(line_with(coloured, "at most") == "  \033[1mat most 8.203 us = 8,203 cycles\033[0m");
}

TEST_CASE("a grid tells how many blocks a multiprocessor holds") {
  KernelReport kernel = example_kernel();
  kernel.launch.grid = ir::Extent{64, 2, 1};
  kernel.block_from_file = true;
  kernel.machine.multiprocessors = 16;
  kernel.machine.max_warps = 64;
  kernel.analysis.load.device_blocks = 128;
  kernel.analysis.load.device_warps = 1024;
  kernel.analysis.load.residency = {{2, 8}, "registers", "warps", false};
  CHECK(
      to_text({{kernel}, {}}, in_full)
          .find("  launch         block 16x16 (8 warps, from the file), grid 64x2: 128 blocks with 1,024 warps on 16\n"
                "                 multiprocessors\n"
                "  occupancy      2 to 8 blocks = 16 to 64 of 64 warps (25.0 to 100.0 %), limited by registers, at\n"
                "                 best by warps; 1 to 255 registers per thread (no more on the machine), 0 to 48\n") !=
      std::string::npos);
  kernel.analysis.load.residency = {{4, 4}, "registers", "registers", false};
  CHECK(to_text({{kernel}, {}}, in_full).find("4 blocks = 32 of 64 warps (50.0 %), limited by registers;") !=
        std::string::npos);
}

TEST_CASE("the parts of a bound for warps that run one after another") {
  using Kind = solver::Part::Kind;
  KernelReport kernel = example_kernel();
  kernel.analysis.bounds[0].bound.parts = {{Kind::path, "", 12'000, 3, 4000, 1},
                                           {Kind::start, "", 2100, 3, 700, 1},
                                           {Kind::resource, "issue", 1060, 21, 101, 2},
                                           {Kind::resource, "my_unit", 700, 21, 100, 3},
                                           {Kind::dispatch, "", 5, 1, 5, 1},
                                           {Kind::rounding, "", 1, 1, 1, 1}};
  const std::string text = to_text({{kernel}, {}}, in_full);
  CHECK(line_with(text, "one after another") == "    3 warps one after another   12,000  146 %  4,000 cycles each");
  CHECK(line_with(text, "start of") == "    start of their blocks        2,100   26 %  700 cycles each");
  CHECK(line_with(text, "issue slots") ==
        "    waiting for issue slots      1,060   13 %  21 other warps, 101 cycles each, 2 servers");
  CHECK(line_with(text, "my unit") ==
        "    waiting for my unit            700    9 %  21 other warps, 100 cycles each, 3 servers");
  CHECK(line_with(text, "the dispatcher") ==
        "    waiting for the dispatcher       5    0 %  1 other block, 5 cycles each");
  CHECK(line_with(text, "rounding") == "    rounding                         1    0 %");
}

TEST_CASE("a part of blocks says what each of them holds") {
  using Kind = solver::Part::Kind;
  KernelReport kernel = example_kernel();
  kernel.analysis.bounds[0].bound.parts = {{Kind::path, "", 12'000, 3, 4000, 1},
                                           {Kind::blocks, "memory", 432, 432, 1000, 1000}};
  CHECK(line_with(to_text({{kernel}, {}}, in_full), "blocks one") ==
        "    blocks one after another at memory     432    5 %  432 blocks x 1 cycles");
}

TEST_CASE("a bound without parts is shown without parts") {
  KernelReport kernel = example_kernel();
  kernel.analysis.bounds[0].bound.parts.clear();
  const std::string text = to_text({{kernel}, {}}, in_full);
  CHECK(text.find("at most 8.203 us = 8,203 cycles\n\n  one warp ") != std::string::npos);
  CHECK(text.find("waiting") == std::string::npos);
}

TEST_CASE("what round-robin dispatch buys is told where the headline needs it") {
  KernelReport kernel = example_kernel();
  CHECK(to_text({{kernel}, {}}, in_full).find("round-robin") == std::string::npos);
  kernel.analysis.any_dispatcher = 9000;
  CHECK(line_with(to_text({{kernel}, {}}, in_full), "round-robin") ==
        "    <= 9,000 cycles = 9.000 us where blocks are not dealt round-robin");
}

TEST_CASE("the smallest safe bound of the pipeline model is the headline") {
  KernelReport kernel = example_kernel();
  auto& bounds = kernel.analysis.bounds;
  bounds.push_back({"pipeline", test::bound("tighter", 5000, solver::Kind::upper, true, {})});
  bounds.push_back({"pipeline", test::bound("wrong", 10, solver::Kind::published, false, {})});
  bounds.push_back({"pipeline", test::bound("seen", 4500, solver::Kind::lower, false, {})});
  CHECK(line_with(to_text({{kernel}, {}}, in_full), "at most") == "  at most 5.000 us = 5,000 cycles");
}

TEST_CASE("long strings and tables are cut") {
  KernelReport kernel = example_kernel();
  for (int i = 0; i < 150; ++i) {
    kernel.analysis.string.append(ir::UnitClass::special);
    kernel.analysis.string.append(ir::UnitClass::core);
  }
  kernel.loops.assign(25, kernel.loops[0]);
  const std::string text = to_text({{kernel}, {}}, in_full);
  CHECK(line_with(text, "  string  ").size() == 17 + 200 + 4);
  CHECK(line_with(text, "more;") == "    ... and 5 more; the JSON report has all");
  CHECK(line_with(text, "  for the units ") == "  for the units  C(L2C)^1000L");
}

TEST_CASE("every format of analyze tells the same of kernels that were put away") {
  KernelReport slow = example_kernel();
  slow.file = "slow.ptx";
  slow.analysis.bounds[0].bound.makespan = 9000;
  AnalyzeReport report{{example_kernel(), slow, with_fetch(example_kernel())}, {}};
  std::vector<std::string> before;
  for (const bool explain : {false, true}) {
    for (const auto& format : analyze_formats)
      before.push_back(render(analyze_formats, report, format.name, {false, usual_width, explain}).str());
  }
  report.kernels.put_away(new_shelf<KernelReport>());
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& format = analyze_formats[i % std::size(analyze_formats)];
    INFO(format.name);
    const TextStyle style = {false, usual_width, i >= std::size(analyze_formats)};
    CHECK(render(analyze_formats, report, format.name, style).str() == before[i]);
  }
}
