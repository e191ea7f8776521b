// PTX in objects and fatbins, with the machine code beside it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string data = "tests/frontend/object/data/";

Json kernel_of(Words words) {
  words.insert(words.begin(), "analyze");
  words.insert(words.end(), {"--block", "256", "--format", "json"});
  const ProgramRun run = run_warpspan(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

}  // namespace

TEST_CASE("the PTX in an object is bounded with the registers of its machine code") {
  for (const char* file : {"saxpy.default.fatbin", "saxpy.none.fatbin", "saxpy.size.fatbin", "saxpy.speed.fatbin",
                           "saxpy.o", "saxpy.so"}) {
    INFO(file);
    const Json kernel = kernel_of({data + file, "--grid", "64"});
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
  const Json kernel = kernel_of({data + "saxpy.default.fatbin", "--ptxas-log", folder.file("log")});
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
}

TEST_CASE("a file with several texts of PTX, or none for the target, says what to do") {
  const ProgramRun other = run_warpspan({"analyze", data + "saxpy.o", "--block", "32", "--arch", "sm_90"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "holds no PTX for sm_90"));
  CHECK(contains(other.err, "it has some for sm_80\n"));
  CHECK(run_warpspan({"analyze", data + "saxpy.o", "--block", "32", "--arch", "sm_80", "--grid", "4"}).status == 0);
}

TEST_CASE("machine code without PTX is bounded by itself") {
  const Json kernel = kernel_of({data + "kernels.sm_80.cubin", "--kernel", "empty"});
  CHECK(kernel["name"] == "empty");
  const ProgramRun block =
      run_warpspan({"analyze", data + "kernels.sm_80.cubin", "--kernel", "chosen", "--block", "32"});
  CHECK(block.status == 3);
  CHECK(contains(block.err, "must be launched with blocks of 64,2, not 32"));
}

TEST_CASE("a file with two texts of PTX for one target is refused, and not said to hold none") {
  const warpspan::test::TemporaryFolder folder;
  const std::string both = folder.file("both.fatbin");
  warpspan::test::write_file(both, warpspan::test::read_file(SOURCE_DIR "/" + data + "saxpy.default.fatbin") +
                                       warpspan::test::read_file(SOURCE_DIR "/" + data + "unrolled.fatbin"));
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
