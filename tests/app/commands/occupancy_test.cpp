// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan occupancy as a user runs it, and logs of ptxas for it and for analyze.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string sample = "samples/matmul_tiled.nvcc-sm_80.ptx";

// ptxas -v -arch=sm_80 samples/matmul_tiled.nvcc-sm_80.ptx, of CUDA 13.0
std::string log_of(const std::string& target = "sm_80", int shared = 2048, int spills = 0) {
  return "ptxas info    : 0 bytes gmem\n"
         "ptxas info    : Compiling entry function 'matmul_tiled' for '" +
         target +
         "'\n"
         "ptxas info    : Function properties for matmul_tiled\n"
         "    0 bytes stack frame, " +
         std::to_string(spills) + " bytes spill stores, " + std::to_string(spills) +
         " bytes spill loads\n"
         "ptxas info    : Used 32 registers, used 1 barriers, " +
         std::to_string(shared) + " bytes smem, 380 bytes cmem[0]\n";
}

struct Log {
  explicit Log(const std::string& text) { write_file(path(), text); }
  std::string path() const { return folder.file("ptxas.log"); }
  TemporaryFolder folder;
};

ProgramRun occupancy(Words words) {
  words.insert(words.begin(), "occupancy");
  return run_warpspan(words);
}

Json kernel_of(Words words) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = occupancy(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

}  // namespace

TEST_CASE("occupancy of numbers alone") {
  const ProgramRun run = occupancy({"--block", "256", "--registers", "40", "--machine", "ampere"});
  CHECK(run.err.empty());
  REQUIRE(run.status == 0);
  CHECK(contains(run.out, "6 blocks = 48 of 64 warps (75.0 %), limited by registers\n"));
  CHECK(contains(run.out, "    registers           6  65,536 registers\n"));
  CHECK(contains(run.out, "    warps               8  64 warps\n"));
  CHECK(contains(run.out, "  with 32 registers instead of 40: 8 blocks = 64 warps (100.0 %)\n"));
  const Json known = kernel_of({"--block", "256", "--registers", "40", "--machine", "ampere"});
  CHECK(known.at("blocks") == Json{{"least", 6}, {"most", 6}});
  CHECK(known.at("permille") == Json{{"least", 750}, {"most", 750}});
  CHECK(known.at("steps").at(0).at("registers") == 32);
  CHECK(known.at("steps").at(0).at("blocks") == 8);
  CHECK(known.at("file") == "");
}

TEST_CASE("each step of occupancy is what the calculator says of it") {
  for (const Words& needs : std::vector<Words>{{"--registers", "40", "--shared", "30000"},
                                               {"--registers", "72", "--shared", "1000"},
                                               {"--registers", "63", "--shared", "50000"},
                                               {"--registers", "24"}}) {
    for (const std::string machine : {"orin", "gtx480", "turing", "hopper"}) {
      Words words = needs;
      words.insert(words.end(), {"--block", "192", "--machine", machine});
      const ProgramRun run = occupancy(words);
      if (run.status != 0) continue;  // such a block does not fit
      const Json kernel = kernel_of(words);
      for (const Json& step : kernel.at("steps")) {
        INFO(machine << " " << step.dump());
        Words changed = words;
        const auto change = [&](const char* option, const char* key) {
          if (!step.at(key).is_null()) changed.insert(changed.end(), {option, step.at(key).dump()});
        };
        change("--registers", "registers");
        change("--shared", "shared_bytes");
        change("--block", "threads");
        const Json after = kernel_of(changed);
        CHECK(after.at("blocks").at("least") == step.at("blocks"));
        CHECK(after.at("warps").at("least") == step.at("warps"));
        CHECK(step.at("warps") > kernel.at("warps").at("least"));
      }
    }
  }
}

TEST_CASE("the sweep has what single runs have") {
  const Json sweep = kernel_of({"--registers", "40", "--shared", "4096", "--machine", "orin", "--sweep"});
  CHECK(sweep.at("block").is_null());
  REQUIRE(sweep.at("block_sizes").size() == 32);
  for (const Json& size : sweep.at("block_sizes")) {
    const std::string threads = size.at("threads").dump();
    if (size.at("threads").get<int>() % 224 != 0) continue;
    const Json one = kernel_of({"--registers", "40", "--shared", "4096", "--machine", "orin", "--block", threads});
    CHECK(one.at("blocks") == size.at("blocks"));
    CHECK(one.at("least_limit") == size.at("limit"));
  }
  const Json wide = kernel_of({"--registers", "96", "--machine", "orin", "--sweep"});
  CHECK(wide.at("block_sizes").back().at("blocks") == Json{{"least", 0}, {"most", 0}});
  CHECK(wide.at("block_sizes").back().at("limit") == "");
}

TEST_CASE("occupancy of kernels") {
  const Json unknown = kernel_of({sample, "--block", "16,16"});
  CHECK(unknown.at("name") == "matmul_tiled");
  CHECK(unknown.at("shared_bytes").at("least") == 2048);
  CHECK(unknown.at("barriers") == Json{{"least", 1}, {"most", 1}});
  CHECK(unknown.at("blocks").at("least") == 1);
  CHECK(unknown.at("blocks").at("most") == 8);
  const Log log(log_of());
  const Json known = kernel_of({sample, "--block", "16,16", "--ptxas-log", log.path()});
  CHECK(known.at("registers") == Json{{"least", 32}, {"most", 32}});
  CHECK(known.at("registers_from") == log.path());
  CHECK(known.at("shared_bytes") == Json{{"least", 2048}, {"most", 2048}});
  CHECK(known.at("blocks") == Json{{"least", 8}, {"most", 8}});
  CHECK(kernel_of({"samples/search.ptx", "--block", "128"}).at("name") == "search");  // its loop has no bound
}

TEST_CASE("occupancy refuses what cannot be launched or is not known") {
  const auto fails = [](const Words& words, int status, const std::string& reason) {
    const ProgramRun run = occupancy(words);
    INFO(run.err);
    CHECK(run.status == status);
    CHECK(run.out.empty());
    CHECK(contains(run.err, reason));
  };
  fails({"--block", "256"}, 2, "neither a file nor a machine is given");
  fails({"--machine", "orin"}, 2, "--block is not given");
  fails({"--machine", "orin", "--block", "256", "--kernel", "k"}, 2, "--kernel goes with a file");
  fails({"--machine", "orion", "--block", "256"}, 2, "unknown machine 'orion'");
  fails({"--machine", "orin", "--block", "1056"}, 2, "at most 1024 threads");
  fails({"--machine", "orin", "--block", "1024", "--registers", "65"}, 2,
        "a block with 32 warps takes 73728 registers");
  fails({"--machine", "orin", "--block", "800", "--registers", "80"}, 2, "takes 71680 registers");
  fails({"--machine", "orin", "--block", "32", "--shared", "200000"}, 2, "a block takes 200000 bytes of shared memory");
  fails({sample}, 2, "the block of kernel 'matmul_tiled' is not known");
  fails({"nowhere.ptx", "--block", "32"}, 2, "No such file or directory");
  fails({sample, "--block", "32", "--ptxas-log", "no.log"}, 2, "No such file or directory");
}

TEST_CASE("occupancy warns of a kernel that spills, analyze refuses it") {
  const Log log(log_of("sm_80", 2048, 4));
  const ProgramRun run = occupancy({sample, "--block", "16,16", "--ptxas-log", log.path()});
  CHECK(run.status == 0);
  CHECK(contains(run.err, "warning: kernel 'matmul_tiled' spills registers: 8 bytes"));
  const ProgramRun bound =
      run_warpspan({"analyze", sample, "--block", "16,16", "--arg", "3=64", "--ptxas-log", log.path()});
  CHECK(bound.status == 3);
  CHECK(contains(bound.err, "error: kernel 'matmul_tiled' spills registers: 8 bytes"));
}

TEST_CASE("a log that is not of the kernel's code is an error") {
  const auto fails = [](const std::string& text, const Words& more, const std::string& reason) {
    const Log log(text);
    for (const char* command : {"analyze", "occupancy"}) {
      Words words = {command, sample, "--block", "16,16", "--ptxas-log", log.path()};
      if (words.front() == "analyze") words.insert(words.end(), {"--arg", "3=64"});
      words.insert(words.end(), more.begin(), more.end());
      const ProgramRun run = run_warpspan(words);
      INFO(run.err);
      CHECK(run.status == 2);
      CHECK(contains(run.err, reason));
    }
  };
  fails(log_of("sm_90"), {}, "for sm_80: it was compiled for sm_90");
  fails(log_of("sm_80", 4096), {}, "tells 4096 bytes of shared memory of kernel 'matmul_tiled'");
  fails(log_of("sm_80", 0), {}, "and the file declares 2048");
  fails(log_of(), {"--registers", "40"}, "has 32 registers by");
  fails(log_of(), {"--machine", "hopper"}, "does not tell of kernel 'matmul_tiled' for sm_90");
  fails("nothing\n", {}, "the log names no kernel");
}

TEST_CASE("a log makes analyze's bound rest on facts, and rerun needs it") {
  const Log log(log_of("sm_90") + log_of());
  const Words words = {"analyze", sample, "--block",   "16,16",    "--grid", "512",
                       "--arg",   "3=64", "--explain", "--format", "json"};
  Words with_log = words;
  with_log.insert(with_log.end(), {"--ptxas-log", log.path()});
  const ProgramRun run = run_warpspan(with_log);
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json report = Json::parse(run.out), kernel = report.at("kernels").at(0);
  CHECK(kernel.at("launch").at("registers") == Json{{"least", 32}, {"most", 32}});
  CHECK(kernel.at("occupancy").at("registers_from") == log.path());
  CHECK(kernel.at("occupancy").at("warps").at("least") == 64);
  const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
  CHECK(contains(assumptions, "whose registers (32) and spills (none) " + log.path() + " tells"));
  CHECK_FALSE(contains(assumptions, "No register is spilled"));
  CHECK(report.at("run").at("inputs").dump().find("ptxas.log") != std::string::npos);
  const Json without = Json::parse(run_warpspan(words).out);
  CHECK(contains(without.dump(), "No register is spilled"));
  CHECK(report.at("bound").at("cycles") <= without.at("bound").at("cycles"));
  write_file(log.folder.file("report.json"), run.out);
  CHECK(run_warpspan({"rerun", log.folder.file("report.json")}).out == run.out);
  write_file(log.path(), log_of("sm_80") + log_of("sm_90"));
  CHECK(run_warpspan({"rerun", log.folder.file("report.json")}).status == 2);
}

TEST_CASE("analyze tells the occupancy of a grid") {
  const Words words = {"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "512", "--arg", "3=100000"};
  Words known = words;
  known.insert(known.end(), {"--registers", "40", "--machine", "ampere", "--explain"});
  CHECK(contains(run_warpspan(known).out,
                 "  occupancy      6 blocks = 48 of 64 warps (75.0 %), limited by registers; 40 registers per thread\n"
                 "                 (--registers)\n"));
}
