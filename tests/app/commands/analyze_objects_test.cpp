// SPDX-License-Identifier: GPL-3.0-or-later
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
    const Json kernel = kernel_of({data + file, "--block", "256", "--grid", "64", "--ptx"});
    const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
    CHECK(contains(assumptions, "registers (10) and spills (none)"));
    CHECK_FALSE(contains(assumptions, "ptxas-log"));
  }
}

TEST_CASE("what a log tells counts for the PTX, and is held against machine code that decides") {
  const warpspan::test::TemporaryFolder folder;
  warpspan::test::write_file(folder.file("log"),
                             "ptxas info    : Compiling entry function 'saxpy' for 'sm_80'\n"
                             "ptxas info    : Function properties for saxpy\n"
                             "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                             "ptxas info    : Used 12 registers, 380 bytes cmem[0]\n");
  const Words words = {data + "saxpy.default.fatbin", "--block", "256", "--ptxas-log", folder.file("log")};
  Words ptx = words, code = words;
  ptx.emplace_back("--ptx");
  code.insert(code.begin(), "analyze");
  const ProgramRun refused = run_warpspan(code);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "has 12 registers by " + folder.file("log") + ", not 10"));
  const Json kernel = kernel_of(ptx);
  const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
  CHECK(contains(assumptions, "registers (12)"));
  CHECK(contains(assumptions, "(--ptxas-log)"));
}

TEST_CASE("machine code in place of a log tells the registers of PTX") {
  const Words words = {
      "samples/saxpy.nvcc-sm_80.ptx", "--block", "256", "--grid", "4", "--arg", "3=4096", "--ptxas-log"};
  const auto with = [&words](const std::string& log) {
    Words all = words;
    all.push_back(log);
    return all;
  };
  for (const char* file : {"saxpy.o", "saxpy.so", "saxpy.code.fatbin"}) {
    INFO(file);
    const Json kernel = kernel_of(with(data + file));
    CHECK(contains(kernel.at("bounds").at(0).at("assumptions").dump(), "registers (10) and spills (none)"));
  }
  Words other = with(data + "spills.fatbin"), none = with("samples/saxpy.nvcc-sm_80.ptx"), host = with(data + "host.o");
  for (Words* all : {&other, &none, &host}) all->insert(all->begin(), "analyze");
  CHECK(contains(run_warpspan(other).err, "does not tell of kernel 'saxpy' for sm_80"));
  CHECK(contains(run_warpspan(none).err, "the log names no kernel"));
  const ProgramRun no_code = run_warpspan(host);
  CHECK(no_code.status == 3);
  CHECK(contains(no_code.err, "host.o"));
}

TEST_CASE("machine code that spills refuses the bound of its PTX") {
  const ProgramRun run = run_warpspan({"analyze", data + "spills.fatbin", "--block", "32", "--ptx"});
  CHECK(run.status == 3);
  CHECK(contains(run.err, "kernel 'spills' spills registers"));
  CHECK(contains(run.err, "bytes of stack in " + data + "spills.fatbin"));
  const ProgramRun warned = run_warpspan({"occupancy", data + "spills.fatbin", "--block", "32", "--ptx"});
  CHECK(warned.status == 0);
  CHECK(contains(warned.err, "spills registers"));
}

TEST_CASE("machine code that its PTX does not stand for refuses the bound") {
  const ProgramRun slow = run_warpspan({"analyze", data + "saxpy.O0.fatbin", "--block", "256", "--ptx"});
  CHECK(slow.status == 3);
  CHECK(contains(slow.err, "was made with -O0 or -G"));
  const ProgramRun debug = run_warpspan({"analyze", data + "saxpy.G.fatbin", "--block", "256", "--ptx"});
  CHECK(debug.status == 3);
  CHECK(contains(debug.err, "was made with -O0 or -G"));
  const Words unrolled = {"analyze", data + "unrolled.fatbin", "--block", "16,16", "--arg", "3=64", "--ptx"};
  const ProgramRun more = run_warpspan(unrolled);
  CHECK(more.status == 3);
  CHECK(contains(more.err, "has 362 instructions"));
  CHECK(contains(more.err, "ptxas has unrolled a loop or repeated code"));
  CHECK(contains(more.err, "-Xptxas -O1"));
  for (const ProgramRun& run : {slow, debug, more}) {
    CHECK(contains(run.err, "or bound the machine code itself, without --ptx"));
  }
}

TEST_CASE("machine code beside PTX decides, and the PTX explains it") {
  const Words words = {data + "saxpy.default.fatbin", "--block", "256", "--grid", "64"};
  const auto with = [&words](const char* option) {
    Words more = words;
    more.emplace_back(option);
    return kernel_of(more);
  };
  Json kernel = kernel_of(words);
  const Json code = with("--machine-code");
  Json ptx = with("--ptx");
  ptx.at("expected") = nullptr;  // only one is expected, that of the machine code
  CHECK(kernel.at("ptx").at("errors").empty());
  CHECK(kernel.at("ptx").at("kernel") == ptx);
  CHECK(cycles_of(kernel) == cycles_of(code));
  CHECK(cycles_of(kernel) != cycles_of(ptx));
  CHECK_FALSE(kernel.at("listing").empty());
  CHECK(ptx.at("listing").empty());
  kernel.at("ptx") = nullptr;
  CHECK(kernel == code);
  Words text = words;
  text.insert(text.begin(), {"analyze", "--explain"});
  const ProgramRun run = run_warpspan(text);
  CHECK(contains(run.out, "of the bound above, which is that of the"));
  CHECK(contains(run.out, "instructions it executes"));
  CHECK(kernel_of({"samples/saxpy.ptx", "--block", "256", "--grid", "1", "--arg", "3=64"}).at("ptx").is_null());
  text.insert(text.end(), {"--machine-code", "--ptx"});
  CHECK(run_warpspan(text).status == 2);
}

TEST_CASE("machine code is bounded where its PTX does not stand for it") {
  for (const char* file : {"spills.fatbin", "saxpy.O0.fatbin", "saxpy.G.fatbin"}) {
    INFO(file);
    CHECK(cycles_of(kernel_of({data + file, "--block", "256", "--machine-code"})) > 0);
    const Json kernel = kernel_of({data + file, "--block", "256"});
    CHECK(kernel.at("ptx").at("kernel").is_null());
    CHECK(kernel.at("ptx").at("errors").size() == 1);
  }
  CHECK(cycles_of(kernel_of({data + "unrolled.fatbin", "--block", "16,16", "--arg", "3=64", "--machine-code"})) > 0);
}

TEST_CASE("machine code that cannot be bounded is an error, whatever its PTX is bounded as") {
  // The limit of the loop is in memory; the bound that is named by a label is one of the PTX.
  const Words words = {"analyze", data + "search.fatbin", "--block", "128", "--loop-bound", "$L__BB0_2=20"};
  Words alone = words;
  alone.emplace_back("--machine-code");
  const ProgramRun run = run_warpspan(alone);
  CHECK(run.status == 3);
  CHECK(contains(run.err, "no bound for the loop '0x"));
  Words ptx = words;
  ptx.emplace_back("--ptx");
  CHECK(run_warpspan(ptx).status == 0);
  const Json both = kernel_of({data + "search.fatbin", "--block", "128", "--loop-bound", "search.cu:5=20"});
  CHECK(both.at("loops").at(0).at("trip_count") == 20);
  CHECK(both.at("ptx").at("kernel").at("loops").at(0).at("trip_count") == 20);
}

TEST_CASE("a kernel of which a file holds the code twice is bounded once") {
  const warpspan::test::TemporaryFolder folder;
  const std::string twice = folder.file("twice.fatbin");
  // The second one has no PTX.
  warpspan::test::write_file(
      twice, warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.default.fatbin") +
                 warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.code.fatbin"));
  const ProgramRun run = run_warpspan({"analyze", twice, "--block", "256", "--explain", "--format", "json"});
  CHECK(run.status == 0);
  const Json kernels = Json::parse(run.out).at("kernels");
  REQUIRE(kernels.size() == 1);
  CHECK(contains(kernels[0].at("file"), "twice.fatbin#1"));
  CHECK_FALSE(kernels[0].at("ptx").is_null());
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

TEST_CASE("machine code that the machine does not run does not decide") {
  const Words words = {data + "saxpy.default.fatbin", "--block", "256"};
  const auto is_code = [&words](const std::string& machine) {
    Words own = words;
    own.insert(own.end(), {"--machine", machine});
    return !kernel_of(own).at("listing").empty();
  };
  for (const char* machine : {"sm_80", "sm_86", "sm_89"}) CHECK(is_code(machine));
  for (const char* machine : {"sm_87", "sm_90", "sm_120", "sm_75"}) CHECK_FALSE(is_code(machine));
}

TEST_CASE("units of a library and of a program are told apart") {
  const std::string objects = "tests/samples/objects/";
  for (const char* name : {"one", "two"}) {
    const Json kernel = kernel_of({objects + "kernels.a", "--kernel", name, "--block", "32"});
    CHECK(kernel.at("name") == name);
    CHECK(contains(kernel.at("file"), "kernels.a(" + std::string(name) + ".o)"));
    CHECK(kernel_of({objects + "kernels.so", "--kernel", name, "--block", "32"}).at("name") == name);
  }
  for (const char* file : {"kernels.a", "kernels.so"}) {
    const ProgramRun all = run_warpspan({"analyze", objects + file, "--block", "32", "--explain", "--format", "json"});
    CHECK(all.status == 0);
    CHECK(Json::parse(all.out).at("kernels").size() == 2);
    const ProgramRun none = run_warpspan({"analyze", objects + file, "--block", "32", "--kernel", "three"});
    CHECK(none.status == 2);
    CHECK(contains(none.err, "the file has no kernel 'three'"));
  }
}
