// PTX in objects and fatbins, with the machine code beside it.
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

const std::string data = "tests/frontend/object/data/";

}  // namespace

TEST_CASE("the PTX in an object is bounded with the registers of its machine code") {
  for (const char* file : {"saxpy.default.fatbin", "saxpy.none.fatbin", "saxpy.size.fatbin", "saxpy.speed.fatbin",
                           "saxpy.o", "saxpy.so"}) {
    INFO(file);
    const Json kernel = kernel_of({data + file, "--block", "256", "--grid", "64"});
    const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
    CHECK(contains(assumptions, "registers (10) and spills (none)"));
    CHECK_FALSE(contains(assumptions, "ptxas-log"));
  }
}

TEST_CASE("what a log tells counts, and no machine code then") {
  const warpspan::test::TemporaryFolder folder;
  warpspan::test::write_file(folder.file("log"),
                             "ptxas info    : Compiling entry function 'saxpy' for 'sm_80'\n"
                             "ptxas info    : Function properties for saxpy\n"
                             "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                             "ptxas info    : Used 12 registers, 380 bytes cmem[0]\n");
  const Json kernel = kernel_of({data + "saxpy.default.fatbin", "--block", "256", "--ptxas-log", folder.file("log")});
  const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
  CHECK(contains(assumptions, "registers (12)"));
  CHECK(contains(assumptions, "(--ptxas-log)"));
}

TEST_CASE("machine code that spills refuses the bound of its PTX") {
  const ProgramRun run = run_warpspan({"analyze", data + "spills.fatbin", "--block", "32"});
  CHECK(run.status == 3);
  CHECK(contains(run.err, "kernel 'spills' spills registers"));
  CHECK(contains(run.err, "bytes of stack in " + data + "spills.fatbin"));
  const ProgramRun warned = run_warpspan({"occupancy", data + "spills.fatbin", "--block", "32"});
  CHECK(warned.status == 0);
  CHECK(contains(warned.err, "spills registers"));
}

TEST_CASE("machine code that its PTX does not stand for refuses the bound") {
  const ProgramRun slow = run_warpspan({"analyze", data + "saxpy.O0.fatbin", "--block", "256"});
  CHECK(slow.status == 3);
  CHECK(contains(slow.err, "was made with -O0 or -G"));
  const ProgramRun debug = run_warpspan({"analyze", data + "saxpy.G.fatbin", "--block", "256"});
  CHECK(debug.status == 3);
  CHECK(contains(debug.err, "was made with -O0 or -G"));
  const Words unrolled = {"analyze", data + "unrolled.fatbin", "--block", "16,16", "--arg", "3=64"};
  const ProgramRun more = run_warpspan(unrolled);
  CHECK(more.status == 3);
  CHECK(contains(more.err, "has 362 instructions"));
  CHECK(contains(more.err, "ptxas has unrolled a loop or repeated code"));
  CHECK(contains(more.err, "-Xptxas -O1"));
  for (const ProgramRun& run : {slow, debug, more}) {
    CHECK(contains(run.err, "or bound the machine code itself, with --machine-code"));
  }
}

TEST_CASE("machine code beside PTX is bounded too, and so told what it is bounded as by itself") {
  const Words words = {data + "saxpy.default.fatbin", "--block", "256", "--grid", "64"};
  const Json kernel = kernel_of(words);
  Words alone = words;
  alone.emplace_back("--machine-code");
  const Json code = kernel_of(alone);
  CHECK(kernel.at("machine_code").at("errors").empty());
  CHECK(kernel.at("machine_code").at("kernel") == code);
  CHECK(cycles_of(code) != cycles_of(kernel));
  CHECK(code.at("machine_code").is_null());
  CHECK(kernel.at("listing").empty());
  Words text = words;
  text.insert(text.begin(), "analyze");
  const ProgramRun run = run_warpspan(text);
  CHECK(contains(run.out, "of the bound of the PTX"));
  CHECK(contains(run.out, "instructions it executes"));
  CHECK(
      kernel_of({"samples/saxpy.ptx", "--block", "256", "--grid", "1", "--arg", "3=64"}).at("machine_code").is_null());
}

TEST_CASE("machine code is bounded where its PTX does not stand for it") {
  for (const char* file : {"spills.fatbin", "saxpy.O0.fatbin", "saxpy.G.fatbin"}) {
    INFO(file);
    CHECK(cycles_of(kernel_of({data + file, "--block", "256", "--machine-code"})) > 0);
  }
  CHECK(cycles_of(kernel_of({data + "unrolled.fatbin", "--block", "16,16", "--arg", "3=64", "--machine-code"})) > 0);
}

TEST_CASE("machine code that cannot be bounded does not take the bound of its PTX away") {
  // The limit of the loop is in memory; the bound that is named by a label is one of the PTX.
  const Json kernel = kernel_of({data + "search.fatbin", "--block", "128", "--loop-bound", "$L__BB0_2=20"});
  CHECK(kernel.at("machine_code").at("kernel").is_null());
  REQUIRE(kernel.at("machine_code").at("errors").size() == 1);
  CHECK(contains(kernel.at("machine_code").at("errors").at(0).at("message"), "no bound for the loop"));
  const ProgramRun run =
      run_warpspan({"analyze", data + "search.fatbin", "--block", "128", "--loop-bound", "$L__BB0_2=20"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "machine code   not bounded: no bound for the loop"));
  const Json both = kernel_of({data + "search.fatbin", "--block", "128", "--loop-bound", "search.cu:5=20"});
  CHECK(both.at("machine_code").at("kernel").at("loops").at(0).at("trip_count") == 20);
}

TEST_CASE("the machine code of a kernel that a file holds twice is not chosen from") {
  const warpspan::test::TemporaryFolder folder;
  const std::string twice = folder.file("twice.fatbin");
  // The second one has no PTX.
  warpspan::test::write_file(
      twice, warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.default.fatbin") +
                 warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.code.fatbin"));
  const Json kernel = kernel_of({twice, "--block", "256"});
  CHECK(
      contains(kernel.at("machine_code").at("errors").at(0).at("message"), "holds machine code of the kernel 2 times"));
  const ProgramRun run = run_warpspan({"analyze", twice, "--block", "256", "--machine-code"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "holds 2 cubins for sm_80"));
}

TEST_CASE("machine code is asked for where there is none") {
  const ProgramRun ptx = run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--machine-code"});
  CHECK(ptx.status == 2);
  CHECK(contains(ptx.err, "--machine-code: 'samples/saxpy.ptx' holds no machine code"));
  const ProgramRun other =
      run_warpspan({"analyze", data + "saxpy.o", "--block", "32", "--arch", "sm_90", "--machine-code"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "holds no machine code for sm_90"));
}

TEST_CASE("a file with several texts of PTX, or none for the target, says what to do") {
  const ProgramRun other = run_warpspan({"analyze", data + "saxpy.o", "--block", "32", "--arch", "sm_90"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "holds no PTX for sm_90"));
  CHECK(contains(other.err, "it has some for sm_80\n"));
  CHECK(run_warpspan({"analyze", data + "saxpy.o", "--block", "32", "--arch", "sm_80", "--grid", "4"}).status == 0);
}

TEST_CASE("machine code without PTX is bounded by itself") {
  const Json kernel = kernel_of({data + "kernels.sm_80.cubin", "--block", "256", "--kernel", "empty"});
  CHECK(kernel["name"] == "empty");
  const ProgramRun block =
      run_warpspan({"analyze", data + "kernels.sm_80.cubin", "--kernel", "chosen", "--block", "32"});
  CHECK(block.status == 3);
  CHECK(contains(block.err, "must be launched with blocks of 64,2, not 32"));
}

TEST_CASE("a file with two texts of PTX for one target is refused, and not said to hold none") {
  const warpspan::test::TemporaryFolder folder;
  const std::string both = folder.file("both.fatbin");
  warpspan::test::write_file(
      both, warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.default.fatbin") +
                warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "unrolled.fatbin"));
  for (const Words& target : {Words{}, Words{"--arch", "sm_80"}}) {
    Words words = {"analyze", both, "--block", "32"};
    words.insert(words.end(), target.begin(), target.end());
    const ProgramRun run = run_warpspan(words);
    CHECK(run.status == 2);
    CHECK(contains(run.err, "holds 2 texts of PTX for sm_80"));
    CHECK(contains(run.err, "give the object files that it was made of, one by one"));
  }
  const ProgramRun other = run_warpspan({"analyze", both, "--block", "32", "--arch", "sm_90"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "it has some for sm_80\n"));
}
