// Kernels whose registers the launch bounds of the file do not leave room for.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"

namespace {

using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

ProgramRun analyze_spills(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {
      "analyze", "tests/samples/registers/spills.ptx", "--arg", "2=10", "--time-limit", "0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_warpspan(arguments);
}

}  // namespace

TEST_CASE("a kernel that ptxas spills is refused where it is widest, with both numbers") {
  const ProgramRun run = analyze_spills({});
  CHECK(run.status == 3);
  CHECK(run.out.find("makespan <=") == std::string::npos);
  CHECK(run.err.find("tests/samples/registers/spills.ptx:") == 0);
  CHECK(run.err.find("error: kernel 'spills' may spill registers to local memory: about ") != std::string::npos);
  CHECK(run.err.find("a thread may use 32 (room for 2 blocks of 1024 threads)") != std::string::npos);
  CHECK(run.err.find("--assume no-spills") != std::string::npos);
}

TEST_CASE("whoever knows that nothing is spilled may say so, and the result repeats it") {
  const ProgramRun run = analyze_spills({"--assume", "no-spills", "--format", "json"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.out.find("(--assume no-spills)") != std::string::npos);
}

TEST_CASE("a machine with other limits has room for it") {
  // 1536 threads of a multiprocessor: two blocks do not fit, and ptxas leaves the wish for two out.
  const ProgramRun run = analyze_spills({"--machine", "ada", "--format", "json"});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(run.out.find("may use 64") != std::string::npos);
}

TEST_CASE("the assumptions name what ptxas and the schedulers must do") {
  const ProgramRun run = run_warpspan({"analyze", "samples/saxpy.nvcc-sm_80.ptx", "--block", "256", "--grid", "4",
                                       "--arg", "3=4096", "--time-limit", "0", "--format", "json"});
  CHECK(run.status == 0);
  CHECK(run.out.find("ptxas with -O1 or higher") != std::string::npos);
  CHECK(run.out.find("compare 'ptxas -v'") != std::string::npos);
  CHECK(run.out.find("two-level schedulers") != std::string::npos);
}
