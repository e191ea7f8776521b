// SPDX-License-Identifier: GPL-3.0-or-later
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
  CHECK(run.out.find("at most") == std::string::npos);
  CHECK(run.err.find("tests/samples/registers/spills.ptx:") == 0);
  CHECK(run.err.find("error: kernel 'spills' may spill registers to local memory: about ") != std::string::npos);
  CHECK(run.err.find("a thread may use 32 (room for 2 blocks of 1024 threads)") != std::string::npos);
  CHECK(run.err.find("--assume no-spills") != std::string::npos);
}

TEST_CASE("whoever knows that nothing is spilled may say so, and the result repeats it") {
  const ProgramRun run = analyze_spills({"--assume", "no-spills", "--explain", "--format", "json"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.out.find("(--assume no-spills)") != std::string::npos);
}

TEST_CASE("a machine with other limits has room for it") {
  // 1536 threads of a multiprocessor: two blocks do not fit, and ptxas leaves the wish for two out.
  const ProgramRun run = analyze_spills({"--machine", "ada", "--explain", "--format", "json"});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(run.out.find("may use 64") != std::string::npos);
}

TEST_CASE("registers that are said of a launch are those that a thread may use") {
  struct Row {
    std::string file;
    std::vector<std::string> options;
    std::string error;  // empty: it is bounded
  };
  const std::string mix = "tests/samples/spills/mix_48_floats.ptx", tile = "tests/samples/spills/spill_tile.ptx";
  const std::vector<std::string> launch = {"--block", "32"}, of_tile = {"--arg", "3=160", "--arg", "4=10"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<Row> rows = {
      {mix, launch, ""},
      {mix, with(launch, {"--registers", "24"}), "a thread may use 24 (--registers)"},
      {mix, with(launch, {"--registers", "48"}), "a thread may use 48 (--registers)"},
      {mix, with(launch, {"--registers", "1"}), "a thread may use 24 (--registers)"},
      {mix, with(launch, {"--registers", "80"}), ""},
      {mix, with(launch, {"--registers", "48", "--assume", "no-spills"}), ""},
      {tile, of_tile, "may spill registers to local memory"},
      {tile, with(of_tile, {"--assume", "no-spills"}), ""},
      {"tests/samples/claims/reads.ptx", {"--kernel", "fixed", "--block", "64", "--grid", "1", "--registers", "8"}, ""},
  };
  for (const Row& row : rows) {
    const ProgramRun run = run_warpspan(with({"analyze", row.file, "--time-limit", "0"}, row.options));
    INFO(row.file << " " << row.options.back() << "\n" << run.err);
    CHECK(run.status == (row.error.empty() ? 0 : 3));
    CHECK(run.err.find(row.error) != std::string::npos);
    if (!row.error.empty()) CHECK(run.err.find("--ptxas-log") != std::string::npos);
  }
}

TEST_CASE("an object whose functions save registers says so, and the bound of its PTX is refused") {
  const auto analyze = [](const std::string& kernel, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "analyze", "tests/samples/spills/rdc_saves.o", "--block", "32", "--grid", "1", "--kernel", kernel};
    words.insert(words.end(), more.begin(), more.end());
    return run_warpspan(words);
  };
  const ProgramRun saving = analyze("callee", {"--ptx"});
  INFO(saving.err);
  CHECK(saving.status == 3);
  CHECK(saving.err.find("which kernel 'callee' calls, saves registers: its stack frame has 40 bytes") !=
        std::string::npos);
  CHECK(saving.err.find("and its variables have 32") != std::string::npos);
  CHECK(analyze("callee").status == 0);
  const ProgramRun sine = analyze("sinc", {"--ptx"}), none = analyze("dyn", {"--ptx"});
  INFO(sine.err << none.err);
  CHECK(sine.status == 0);  // its slow path has a frame of 40 bytes, and a variable of 40
  CHECK(none.status == 0);
}

TEST_CASE("the assumptions name what ptxas and the schedulers must do") {
  const ProgramRun run = run_warpspan({"analyze", "samples/saxpy.nvcc-sm_80.ptx", "--block", "256", "--grid", "4",
                                       "--arg", "3=4096", "--time-limit", "0", "--explain", "--format", "json"});
  CHECK(run.status == 0);
  CHECK(run.out.find("ptxas with -O1 or higher") != std::string::npos);
  CHECK(run.out.find("compare 'ptxas -v'") != std::string::npos);
  CHECK(run.out.find("two-level schedulers") != std::string::npos);
}
