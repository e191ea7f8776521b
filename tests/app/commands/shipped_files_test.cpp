// SPDX-License-Identifier: GPL-3.0-or-later
// Files as builds and packages ship them: PTX that ends in zeros, folders with files that have no kernel, libraries
// with many images, and files of other kinds.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using namespace warpspan::test;

namespace {

using Words = std::vector<std::string>;

const std::string objects = "tests/samples/objects/", header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const std::string kernel = header + ".visible .entry k() { ret; }\n";

}  // namespace

TEST_CASE("zeros behind PTX are dropped, one within it is an error") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), kernel + std::string(3, '\0'));
  CHECK(run_warpspan({"analyze", folder.file("k.ptx"), "--block", "32"}).status == 0);
  CHECK(run_warpspan({"list", folder.file("k.ptx")}).status == 0);
  write_file(folder.file("k.ptx"), header + std::string(1, '\0') + kernel);
  const ProgramRun run = run_warpspan({"analyze", folder.file("k.ptx"), "--block", "32"});
  CHECK(run.status == 3);
  CHECK(contains(run.err, "byte 0x00 cannot stand in PTX text"));
}

TEST_CASE("files of a folder without a kernel are notes") {
  const TemporaryFolder folder;
  write_file(folder.file("CMakeCUDACompilerId.ptx"), header);
  const ProgramRun alone = run_warpspan({"analyze", folder.path(), "--block", "32"});
  CHECK(alone.status == 3);
  CHECK(contains(alone.err, "error: the file has no kernel"));
  write_file(folder.file("k.ptx"), kernel);
  const ProgramRun run = run_warpspan({"analyze", folder.path(), "--block", "32"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "kernel k ("));
  CHECK(contains(run.err, "CMakeCUDACompilerId.ptx: note: the file has no kernel, and is left out"));
  CHECK(run_warpspan({"analyze", folder.file("CMakeCUDACompilerId.ptx"), "--block", "32"}).status == 3);
  write_file(folder.file("budgets.toml"), "[[budget]]\nkernel = \"k\"\nblock = 32\nmax = \"1 s\"\n");
  CHECK(run_warpspan({"check", folder.path(), "--budgets", folder.file("budgets.toml")}).status == 0);
}

TEST_CASE("a library is searched for the kernel, and its parts can be named") {
  for (const auto& [file, part] : {std::pair("kernels.a", "(two.o)"), {"kernels.so", "#2"}}) {
    INFO(file);
    const ProgramRun run = run_warpspan({"analyze", objects + file, "--kernel", "two", "--block", "32"});
    CHECK(run.status == 0);
    const ProgramRun named = run_warpspan({"analyze", objects + file + part, "--block", "32"});
    CHECK(named.status == 0);
    CHECK(contains(named.out, "kernel two (machine code of " + objects + file + part + ")"));
    const ProgramRun wrong = run_warpspan({"analyze", objects + file, "--kernel", "three", "--block", "32"});
    CHECK(wrong.status == 2);
    CHECK(wrong.err.find("has no kernel 'three'") == wrong.err.rfind("has no kernel 'three'"));
    CHECK(contains(wrong.err, "one and two"));
    CHECK(run_warpspan({"list", objects + file}).status == 0);
  }
  CHECK(contains(run_warpspan({"list", objects + "kernels.so"}).out, "cubin #2"));
}

TEST_CASE("a file of another kind is named, and nothing of it is printed") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx.gz"), std::string("\x1f\x8b\x08\x00\x01secret", 11));
  for (const char* command : {"analyze", "list"}) {
    const ProgramRun run = run_warpspan({command, folder.file("k.ptx.gz")});
    CHECK(run.status == 3);
    CHECK(contains(run.err, "this is a gzip file"));
    CHECK_FALSE(contains(run.err, "secret"));
  }
}

TEST_CASE("a loop of machine code that waits for others may get a time") {
  // nvcc 13.0 -cubin -arch=sm_80 of spin.cu.
  const std::string file = "tests/samples/objects/spin.cubin";
  const ProgramRun run = run_warpspan({"analyze", file, "--block", "32"});
  CHECK(run.status == 3);
  CHECK(contains(run.err, "--wait 0x80=2us"));
  CHECK(run_warpspan({"analyze", file, "--block", "32", "--wait", "0x80=2us"}).status == 0);
  CHECK(contains(run_warpspan({"facts", file, "--block", "32"}).out, "# wait = \"2 us\""));
}

TEST_CASE("what cannot be mended stands before what can, and parameters with long names have numbers") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"),
             header +
                 ".visible .entry _Z4manyPfi(.param .u64 _Z4manyPfi_param_0, .param .u32 _Z4manyPfi_param_1) {\n"
                 ".reg .pred %p; .reg .b32 %r<4>;\n"
                 "ld.param.u32 %r1, [_Z4manyPfi_param_1];\nmov.u32 %r2, 0;\nagain:\n"
                 "add.u32 %r2, %r2, 1;\nld.mmio.relaxed.sys.global.u32 %r3, [%rd1];\n"
                 "setp.lt.u32 %p, %r2, %r1;\n@%p bra again;\nret;\n}\n");
  std::string text = read_file(folder.file("k.ptx"));
  text.replace(text.find(".reg .pred"), 0, ".reg .b64 %rd<2>; ld.param.u64 %rd1, [_Z4manyPfi_param_0];\n");
  write_file(folder.file("k.ptx"), text);
  const ProgramRun run = run_warpspan({"analyze", folder.file("k.ptx"), "--block", "32"});
  CHECK(run.status == 3);
  const size_t hopeless = run.err.find("has no figures for"), loop = run.err.find("no bound for the loop");
  REQUIRE(loop != std::string::npos);
  CHECK(hopeless < loop);
  CHECK(contains(run.err, "--arg 1=VALUE"));
}
