// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/vast_bound.hpp"

#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

ir::Loop loop(const std::string& label, int64_t trips, ir::LoopId parent = ir::no_loop) {
  ir::Loop made;
  made.label = label;
  made.line = static_cast<uint32_t>(label.back());
  made.parent = parent;
  made.trip_count = trips;
  made.source = ir::TripCountSource::scalar_evolution;
  return made;
}

KernelReport report(int64_t makespan, std::vector<ir::Loop> loops) {
  KernelReport made;
  made.file = "k.ptx";
  made.name = "k";
  made.loops = std::move(loops);
  timing::ModelBound entry;
  entry.model = "pipeline";
  entry.bound.safe = true;
  entry.bound.makespan = makespan;
  made.analysis.bounds = {entry};
  return made;
}

constexpr int64_t vast = most_believable_cycles + 1;

}  // namespace

TEST_CASE("a bound that is believable, or that no loop makes, has no warning") {
  CHECK_FALSE(vast_bound(report(most_believable_cycles, {loop("A", 1'000'000)})));
  CHECK_FALSE(vast_bound(report(vast, {})));
  CHECK_FALSE(vast_bound(report(vast, {loop("A", 1)})));
}

TEST_CASE("the warning names the loop with the most iterations where the most are") {
  const auto named = [](std::vector<ir::Loop> loops) {
    const auto warning = vast_bound(report(vast, std::move(loops)));
    REQUIRE(warning);
    CHECK(warning->severity == support::Severity::warning);
    CHECK(warning->location.file == "k.ptx");
    return static_cast<char>(warning->location.line);
  };
  CHECK(named({loop("A", 5), loop("B", 7)}) == 'B');
  CHECK(named({loop("A", 7), loop("B", 5)}) == 'A');
  CHECK(named({loop("A", 50), loop("B", 9, 0), loop("C", 60)}) == 'A');  // 450 iterations of B, most of them by A
  CHECK(named({loop("A", 9), loop("B", 50, 0), loop("C", 60)}) == 'B');
  // Products beyond 64 bits count as the largest.
  CHECK(named({loop("A", INT64_MAX), loop("B", 2, 0), loop("C", 60)}) == 'A');
}

TEST_CASE("analyze: a bound over 10^12 cycles warns of its loop, and says which option bounds it") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("long.ptx"),
                   ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
                   ".reg .pred %p<2>;\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n$L__BB0_1:\n"
                   "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra $L__BB0_1;\nret;\n}\n");
  const std::string file = folder.file("long.ptx");
  const auto with = [&file](const std::string& n, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"analyze", file, "--block", "1024", "--arg", "n=" + n};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_warpspan(words);
  };
  const test::ProgramRun vast_run = with("4000000000");
  CHECK(vast_run.status == 0);
  CHECK(vast_run.err ==
        file +
            ":11: warning: the bound of kernel 'k' is over 10^12 cycles: its loop '$L__BB0_1' is counted with "
            "4,000,000,000 iterations each time it is entered (scalar-evolution)\n"
            "  help: if it runs less often, say so: --loop-bound '$L__BB0_1=N'\n");
  CHECK(with("4000").err.empty());
  // A number that cannot be true is refused; it does not become the bound.
  CHECK(with("4000000000", {"--loop-bound", "$L__BB0_1=3999999999"}).status == 3);
}
