// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code without PTX, as the program analyzes it.
#include <catch2/catch.hpp>

#include "tests/app/kernel_json.hpp"
#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using warpspan::test::contains;
using warpspan::test::cycles_of;
using warpspan::test::Json;
using warpspan::test::kernel_of;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

namespace {

using Words = std::vector<std::string>;

const std::string data = "tests/machine_code/data/";

}  // namespace

TEST_CASE("machine code is bounded with its own registers, its loops are counted, its accesses have places") {
  for (const char* target : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
    const Json kernel =
        kernel_of({data + "saxpy." + target + ".O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=4096"});
    INFO(target);
    CHECK(kernel.at("loops").size() == 1);
    CHECK(kernel.at("loops").at(0).at("trip_count") == 4);
    CHECK(contains(kernel.at("loops").at(0).at("label"), "0x"));
    REQUIRE(kernel.at("accesses").size() == 3);
    for (const Json& access : kernel.at("accesses")) CHECK(contains(access.at("object"), "saxpy_param_"));
  }
}

TEST_CASE("constants of machine code that are kept are counted from where their banks may begin, which is stated") {
  Words words = {"analyze",  data + "saxpy.sm_90.O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=4096",
                 "--explain"};
  const std::string stated = "Constant banks begin at multiples of 64 bytes.";
  CHECK_FALSE(contains(run_warpspan(words).out, stated));
  words.insert(words.end(), {"--assume", "keeps-constants"});
  CHECK(contains(run_warpspan(words).out, stated));
}

TEST_CASE("more work in machine code never makes a bound smaller") {
  int64_t last = 0;
  for (const char* n : {"1", "1024", "4096", "8192"}) {
    const int64_t cycles = cycles_of(
        kernel_of({data + "saxpy.sm_80.O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=" + std::string(n)}));
    CHECK(cycles >= last);
    last = cycles;
  }
}

TEST_CASE("a loop of machine code is bounded by its place, and named so") {
  const Words unbounded = {"analyze", data + "saxpy.sm_80.O3.cubin", "--block", "256", "--grid", "4"};
  const ProgramRun refused = run_warpspan(unbounded);
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "no bound for the loop '0xa0' of kernel 'saxpy'"));
  CHECK(contains(refused.err, "--arg saxpy_param_3=VALUE"));
  CHECK(contains(refused.err, "/*00a0*/ "));
  Words bounded = unbounded;
  bounded.insert(bounded.end(), {"--loop-bound", "0xa0=4", "--explain"});
  const ProgramRun run = run_warpspan(bounded);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "0xa0"));
}

TEST_CASE("a sum of 32 bits is none of 64, which would overwrite the limit of the loop") {
  const Json kernel = kernel_of(
      {"tests/samples/machine_code/iadd32_big.sm_120.cubin", "--block", "64", "--grid", "4", "--arg", "1=1000000"});
  REQUIRE(kernel.at("loops").size() == 1);
  CHECK(kernel.at("loops").at(0).at("trip_count") == 1000103);
  CHECK(cycles_of(kernel) > 4 * 1000103);
}

TEST_CASE(
    "sign extension of uniform registers, packed products with a number, and extremes of three halves are known") {
  for (const std::string name : {"usgxt.sm_90", "usgxt.sm_100", "fmul2.sm_100", "hmax3.sm_90", "hmax3.sm_100"}) {
    CAPTURE(name);
    CHECK(cycles_of(kernel_of({"tests/samples/machine_code/" + name + ".cubin", "--block", "64", "--grid", "4"})) > 0);
  }
}

TEST_CASE("copies by lanes, sleeps, assertions and dependent launches are bounded as in the PTX") {
  const std::string samples = "tests/samples/machine_code/";
  const auto assumes = [](const Json& kernel, const std::string& sentence) {
    return contains(kernel.dump(), sentence);
  };
  const auto analyzed = [&samples](const std::string& file) {
    return kernel_of({samples + file, "--block", "64", "--grid", "4"});
  };
  for (const std::string name : {"cpasync", "nap", "failed_assertion", "pdl"}) {
    CAPTURE(name);
    const Json ptx = analyzed(name + ".ptx");
    for (const std::string target : {".sm_80", ".sm_90"}) {
      if (name == "pdl" && target == ".sm_80") continue;
      const Json machine_code = analyzed(name + target + ".cubin");
      CHECK(cycles_of(machine_code) > 0);
      CHECK(machine_code.at("accesses").size() == ptx.at("accesses").size());
      for (const Json& kernel : {ptx, machine_code}) {
        CHECK(assumes(kernel, "No assertion fails") == (name == "failed_assertion"));
        CHECK(assumes(kernel, "programmatic stream serialization") == (name == "pdl"));
        CHECK(assumes(kernel, "A sleep lasts at most") == (name == "nap"));
      }
    }
  }
  CHECK(cycles_of(kernel_of({samples + "cluster_control.ptx", "--grid", "4"})) > 0);
}

TEST_CASE("registers of machine code are its own") {
  const Words words = {"analyze", data + "saxpy.sm_80.O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=4096"};
  Words other = words;
  other.insert(other.end(), {"--registers", "99"});
  const ProgramRun run = run_warpspan(other);
  CHECK(run.status == 2);
  CHECK(contains(run.err, "--registers: kernel 'saxpy' has 14 registers by "));
  CHECK(contains(run.err, "leave --registers out: the machine code states them"));
  other.back() = "14";
  CHECK(run_warpspan(other).status == 0);
}

TEST_CASE("the occupancy of machine code needs its block as that of PTX does") {
  const ProgramRun refused = run_warpspan({"occupancy", data + "saxpy.sm_80.O3.cubin"});
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "give --block X[,Y[,Z]], or --sweep"));
  CHECK(run_warpspan({"occupancy", data + "saxpy.sm_80.O3.cubin", "--sweep"}).status == 0);
}

TEST_CASE("a limit of a loop that was spilled is followed through local memory") {
  const Json kernel = kernel_of({data + "spilled.sm_80.O0.cubin", "--block", "32", "--arg", "1=7"});
  REQUIRE(kernel.at("loops").size() == 1);
  CHECK(kernel.at("loops").at(0).at("trip_count") == 7);
}

TEST_CASE("a bound of machine code says what it rests on") {
  const Json kernel = kernel_of({data + "saxpy.sm_80.O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=4096"});
  const std::string text = kernel.at("bounds").at(0).at("assumptions").dump();
  CHECK(contains(text, "What a basic block has read of constant memory stays in the nearest constant cache"));
  CHECK(contains(text, "where BSYNC or WARPSYNC makes them"));
  for (const char* of_ptx : {"No register is spilled", "immediate post-dominator", "each PTX instruction"}) {
    CHECK_FALSE(contains(text, of_ptx));
  }
}

TEST_CASE("a read of a constant that keeps its warp from issuing is in the bound, whichever instruction it is of") {
  // ULDC up to sm_90 has a fixed latency and no scoreboard: without what is granted, each block pays for what it reads.
  const Json kernel = kernel_of({data + "saxpy.sm_75.O3.cubin", "--block", "256", "--grid", "4", "--arg", "3=4096"});
  bool helps = false;
  for (const Json& rung : kernel.at("ladder")) {
    helps = helps || (!rung.at("assumption").is_null() && rung.at("assumption") == "keeps-constants");
  }
  CHECK(helps);
}

TEST_CASE("a listing tells what each instruction costs and waits for") {
  const Words lined = {"tests/frontend/object/data/inlined.sm_80.cubin", "--block", "256", "--grid", "4"};
  const Json kernel = kernel_of(lined);
  int64_t own = 0, others = 0, of_costs = 0;
  bool waits = false, has_ptx = false;
  for (const Json& entry : kernel.at("listing")) {
    own += entry.at("own").get<int64_t>();
    others += entry.at("others").get<int64_t>();
    waits = waits || contains(entry.at("control"), "waits for scoreboard");
    has_ptx = has_ptx || entry.at("ptx_line") > 0;
    CHECK(contains(entry.at("control"), "before the next"));
    CHECK(contains(entry.at("source_file"), "inlined.cu"));
  }
  for (const Json& cost : kernel.at("costs")) of_costs += cost.at("cycles").get<int64_t>();
  CHECK(own + others == of_costs);
  CHECK(waits);
  CHECK(has_ptx);
  Words text = lined;
  text.insert(text.begin(), "analyze");
  CHECK_FALSE(contains(run_warpspan(text).out, "  listing\n"));
  text.emplace_back("--explain");
  CHECK(contains(run_warpspan(text).out, "  listing\n"));
}

namespace {

// The cubin with an instruction, by its place in the code, whose opcode nothing has.
std::string with_unknown(const std::string& cubin, size_t instruction) {
  constexpr size_t begin_of_code = 1792, word_bytes = 16;
  std::string changed = cubin;
  const size_t at = begin_of_code + instruction * word_bytes;
  changed[at] = '\xff';
  changed[at + 1] = static_cast<char>(changed[at + 1] | 0x0f);
  return changed;
}

}  // namespace

TEST_CASE("an unknown instruction is refused, or as expensive as any, and never makes a bound smaller") {
  const std::string file = data + "saxpy.sm_80.O3.cubin";
  const Words launch = {"--block", "256", "--grid", "4", "--arg", "3=4096", "--loop-bound", "0xa0=4"};
  const auto with_launch = [&launch](Words words) {
    words.insert(words.end(), launch.begin(), launch.end());
    return words;
  };
  const int64_t known = cycles_of(kernel_of(with_launch({file})));
  const warpspan::test::TemporaryFolder folder;
  const std::string changed = folder.file("changed.cubin");
  const std::string cubin = warpspan::test::read_file(warpspan::test::source_dir() + "/" + file);
  for (size_t instruction = 0; instruction < 22; ++instruction) {
    if (instruction == 5 || instruction == 21) continue;  // EXIT and BRA
    INFO(instruction);
    warpspan::test::write_file(changed, with_unknown(cubin, instruction));
    const Json kernel = kernel_of(with_launch({changed, "--unknown-opcodes", "worst"}));
    CHECK(cycles_of(kernel) > known);
    CHECK(contains(kernel.at("bounds").at(0).at("assumptions").dump(), "that are not known (opcode 0x"));
  }
  const ProgramRun refused = run_warpspan(with_launch({"analyze", changed}));
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "unknown machine instruction 0x"));
  CHECK(contains(refused.err, "--unknown-opcodes worst"));
}

TEST_CASE("machine code that is launched in clusters is bounded as such, or refused") {
  const std::string file = "tests/frontend/object/data/clusters.sm_90.cubin";
  const auto analyze = [&](const std::string& kernel, const std::string& grid) {
    return run_warpspan({"analyze", file, "--kernel", kernel, "--block", "32", "--grid", grid});
  };
  const ProgramRun pairs = analyze("pairs", "4");
  CHECK(pairs.status == 0);
  CHECK(contains(analyze("pairs", "3").err, "is launched in clusters of blocks, and the grid is no multiple of these"));
  CHECK(contains(analyze("of_any_size", "4").err, "and the file does not say how large they are"));
  CHECK(contains(analyze("counted", "4").err, "and its launch counts clusters instead of blocks"));
  const auto makespan = [&](const std::string& kernel) {
    return kernel_of({file, "--kernel", kernel, "--block", "32", "--grid", "4"}).at("bounds").at(0).at("makespan");
  };
  CHECK(makespan("ones") == makespan("alone"));
  CHECK(makespan("pairs") > makespan("alone"));
}
