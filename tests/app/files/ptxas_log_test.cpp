// SPDX-License-Identifier: GPL-3.0-or-later
// Logs as several versions of ptxas print them, and what is none.
#include "app/files/ptxas_log.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

CompiledKernels read(const std::string& text) {
  const auto log = parse_ptxas_log("ptxas.log", text);
  INFO(text);
  if (!log) INFO(log.errors().front().message);
  REQUIRE(log);
  return *log;
}

std::string error_of(const std::string& text) {
  const auto log = parse_ptxas_log("ptxas.log", text);
  if (log) return "no error";
  REQUIRE(log.errors().size() == 1);
  CHECK(log.errors().front().cause == support::Cause::usage);
  return std::to_string(log.errors().front().location.line) + ": " + log.errors().front().message;
}

// registers, spill, stack, shared; -1 where it is not told
std::vector<int64_t> figures(const CompiledKernels& log, const std::vector<std::string>& targets,
                             const std::string& name) {
  const auto found = log.find(targets, name);
  if (!found) return {};
  return {found->registers.value_or(-1), found->spill.value_or(-1), found->stack.value_or(-1),
          found->shared.value_or(-1)};
}

// Bytes of constant memory; -1 where it is not told.
int64_t constants(const std::string& log, const std::string& target, const std::string& name) {
  const auto found = read(log).find({target}, name);
  REQUIRE(found);
  return found->constant.value_or(-1);
}

const std::string no_kernel =
    "0: the log names no kernel: it has no line 'Compiling entry function' of ptxas, no 'Function properties for' of "
    "nvlink or "
    "the driver, and no 'Function' of cuobjdump -res-usage";

// nvcc 13.0 -Xptxas -v -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
const std::string two_targets = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'nbody' for 'sm_80'
ptxas info    : Function properties for nbody
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem, 376 bytes cmem[0]
ptxas info    : Compile time = 4.438 ms
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'nbody' for 'sm_90a'
ptxas info    : Function properties for nbody
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2056 bytes smem
ptxas info    : Compile time = 5.476 ms
)";

// nvcc 13.0 of samples/device_call.cu: the properties of what the kernel calls come behind it.
const std::string with_function = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'device_call' for 'sm_80'
ptxas info    : Function properties for device_call
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers, used 0 barriers, 384 bytes cmem[0]
ptxas info    : Compile time = 4.351 ms
ptxas info    : Function properties for _Z6hornerPKff
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
)";

}  // namespace

TEST_CASE("logs of today tell each target apart") {
  const CompiledKernels log = read(two_targets);
  CHECK(figures(log, {"sm_80"}, "nbody") == std::vector<int64_t>{32, 0, 0, 2048});
  CHECK(figures(log, {"sm_90"}, "nbody") == std::vector<int64_t>{40, 16, 8, 2056});
  CHECK(figures(log, {"sm_90a"}, "nbody") == std::vector<int64_t>{40, 16, 8, 2056});
  CHECK(figures(log, {"sm_80", "sm_90"}, "nbody") == std::vector<int64_t>{40, 16, 8, 2056});
  CHECK(figures(log, {"sm_86"}, "nbody").empty());
  CHECK(figures(log, {"sm_80"}, "nbod").empty());
  CHECK(log.architectures_of("nbody") == std::vector<std::string>{"sm_80", "sm_90"});
}

TEST_CASE("what called functions spill counts for the kernels") {
  CHECK(figures(read(with_function), {"sm_80"}, "device_call") == std::vector<int64_t>{22, 12, 16, 0});
}

TEST_CASE("the stack of a kernel is the larger of what is told") {
  const std::string text = R"(ptxas info    : Compiling entry function 'local_array' for 'sm_80'
ptxas info    : Function properties for local_array
    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 25 registers, used 0 barriers, 96 bytes cumulative stack size, 372 bytes cmem[0]
)";
  CHECK(figures(read(text), {"sm_80"}, "local_array") == std::vector<int64_t>{25, 0, 96, 0});
}

TEST_CASE("logs of old versions") {
  // CUDA 4 and 5
  const std::string fermi = R"(ptxas info    : Compiling entry function '_Z3addPfS_' for 'sm_20'
ptxas info    : Function properties for _Z3addPfS_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, 2048+16 bytes smem, 52 bytes cmem[0], 4 bytes cmem[16]
)";
  CHECK(figures(read(fermi), {"sm_20"}, "_Z3addPfS_") == std::vector<int64_t>{14, 0, 0, 2064});
  // CUDA 2 and 3: no word of spills
  const std::string tesla = R"(ptxas info    : Compiling entry function '_Z3addPfS_' for 'sm_13'
ptxas info    : Used 4 registers, 60+56 bytes lmem, 44+40 bytes smem, 20 bytes cmem[1], 12 bytes cmem[14]
)";
  CHECK(figures(read(tesla), {"sm_13"}, "_Z3addPfS_") == std::vector<int64_t>{4, -1, 116, 84});
}

TEST_CASE("other lines, what logs of builds put before a line, and other line ends do not matter") {
  std::string text = "[1/2] Building CUDA object k.o\nUsed 99 registers to hold the doors\n";
  for (size_t begin = 0; begin < two_targets.size();) {
    const size_t end = two_targets.find('\n', begin);
    text += "2026-01-01T00:00:00Z " + two_targets.substr(begin, end - begin) + "\r\n";
    begin = end + 1;
  }
  text +=
      "ptxas warning : Registers are spilled to local memory in function 'nbody', 4 bytes spill stores, 12 bytes "
      "spill loads\n";
  const auto log = parse_ptxas_log("ptxas.log", text);
  REQUIRE(log);
  CHECK(figures(*log, {"sm_80"}, "nbody") == std::vector<int64_t>{32, 0, 0, 2048});
  CHECK(figures(*log, {"sm_90"}, "nbody") == std::vector<int64_t>{40, 16, 8, 2056});
}

TEST_CASE("a kernel that stands twice has the larger figures") {
  std::string more = two_targets;
  more.replace(more.find("Used 32"), 7, "Used 48");
  more.replace(more.find("0 bytes spill stores"), 1, "4");
  CompiledKernels log = read(two_targets);
  log.add(read(more));
  CHECK(figures(log, {"sm_80"}, "nbody") == std::vector<int64_t>{48, 4, 0, 2048});
  CHECK(figures(read(two_targets + more), {"sm_80"}, "nbody") == std::vector<int64_t>{48, 4, 0, 2048});
  // What one of them does not say is not known.
  const std::string silent =
      "ptxas info    : Compiling entry function 'nbody' for 'sm_80'\n"
      "ptxas info    : Used 8 registers\n";
  CHECK(figures(read(two_targets + silent), {"sm_80"}, "nbody") == std::vector<int64_t>{32, -1, -1, 2048});
}

// nvcc 13.0 -rdc=true: copies of functions stand before the kernels of their target.
TEST_CASE("what functions spill counts whatever target they were printed for") {
  const std::string spilling =
      "ptxas info    : Function properties for _Z6helperPfi$1\n"
      "    264 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n";
  const std::string first = two_targets.substr(0, two_targets.rfind("ptxas info    : 0 bytes gmem"));
  std::string second = first;
  second.replace(second.find("sm_80"), 5, "sm_90");
  CHECK(figures(read(first + spilling + second), {"sm_90"}, "nbody") == std::vector<int64_t>{32, 16, 264, 2048});
  CompiledKernels other = read(first + spilling);
  other.add(read(second));
  CHECK(figures(other, {"sm_90"}, "nbody") == std::vector<int64_t>{32, 16, 264, 2048});
}

TEST_CASE("a log that ends early is refused") {
  const auto ended = [](const std::string& behind) {
    return error_of("ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Used 10 registers" +
                    behind);
  };
  CHECK(ended("\n") == "no error");
  CHECK(ended("") == "2: the log ends within a line");
  CHECK(ended(", 40") == "2: the log ends within a line");
  CHECK(ended(", 40 bytes") == "2: the log ends within a line");
  CHECK(ended("\nptxas info    : Function properties for f\n") ==
        "3: no figures of stack and spills of 'f' before this line");
  CHECK(ended("\nptxas info    : Function properties for f\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes "
              "spill loads") == "4: the log ends within a line");
}

TEST_CASE("what is no whole log is refused") {
  const std::string compiling = "ptxas info    : Compiling entry function 'k' for 'sm_80'\n";
  const std::string properties = "ptxas info    : Function properties for k\n";
  const std::string spills = "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
  const std::string used = "ptxas info    : Used 10 registers\n";
  CHECK(error_of(compiling + properties + spills + used) == "no error");
  CHECK(error_of("") == no_kernel);
  CHECK(error_of(properties + spills + used) == no_kernel);
  CHECK(error_of(compiling) == "1: kernel 'k' has no line 'Used ... registers' before this one");
  CHECK(error_of(compiling + compiling) == "2: kernel 'k' has no line 'Used ... registers' before this one");
  CHECK(error_of(compiling + used + used) == "3: a second number of registers for kernel 'k'");
  CHECK(error_of(compiling + spills + used) == "2: figures of stack and spills of no function");
  CHECK(error_of("ptxas info    : Compiling entry function 'k'\n") == "1: a kernel without an architecture");
  CHECK(error_of(compiling + "ptxas info    : Used many registers\n") == "2: figures of registers that cannot be read");
  CHECK(error_of(compiling + "ptxas info    : Used -1 registers\n") == "2: figures of registers that cannot be read");
  CHECK(error_of(compiling + "ptxas info    : Used 99999999999999999999 registers\n") ==
        "2: figures of registers that cannot be read");
  CHECK(error_of(compiling + "ptxas info    : Used 10 registers, 1+x bytes smem\n") ==
        "2: figures of registers that cannot be read");
  CHECK(error_of(compiling + properties + "    0 bytes stack frame, x bytes spill stores, 0 bytes spill loads\n") ==
        "3: figures of stack and spills that cannot be read");
  CHECK(error_of(compiling + properties + "    0 bytes stack frame, 0 bytes spill stores\n") ==
        "3: figures of stack and spills that cannot be read");
  CHECK(error_of(compiling + properties + spills + properties + spills + used) ==
        "5: second figures of stack and spills of kernel 'k'");
  // Two compilers at once.
  std::string other = compiling;
  other.replace(other.find("'k'"), 3, "'m'");
  CHECK(error_of(compiling + properties + other + spills + used + used) ==
        "3: kernel 'k' has no line 'Used ... registers' before this one");
  CHECK(error_of(compiling + used + other + properties + spills + used) ==
        "5: figures of kernel 'k' behind another one");
}

TEST_CASE("what nvlink prints replaces the figures of ptxas") {
  // nvcc 13.0 -rdc=true -Xptxas -v -Xnvlink -v
  const std::string text = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'light' for 'sm_80'
ptxas info    : Function properties for light
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 0 barriers, 364 bytes cmem[0]
ptxas info    : Function properties for _Z2fnf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
nvlink info    : 0 bytes gmem
nvlink info    : Function properties for 'light':
nvlink info    : used 24 registers, used 0 barriers, 8 stack, 16 bytes smem, 364 bytes cmem[0], 0 bytes lmem
)";
  CHECK(figures(read(text), {"sm_80"}, "light") == std::vector<int64_t>{24, 0, 8, 16});
  CHECK(figures(read(text), {"sm_90"}, "light").empty());
}

TEST_CASE("a log of the driver is for any architecture") {
  const std::string text =
      "info    : 0 bytes gmem\n"
      "info    : Function properties for 'light':\n"
      "info    : used 8 registers, 0 stack, 0 bytes smem, 364 bytes cmem[0], 0 bytes lmem\n";
  CHECK(figures(read(text), {"sm_86"}, "light") == std::vector<int64_t>{8, 0, 0, 0});
  CHECK(figures(read(text), {}, "light") == std::vector<int64_t>{8, 0, 0, 0});
  CHECK(read(text).architectures_of("light").empty());
  CHECK(error_of(text.substr(0, text.rfind("info"))) == "2: no figures of 'light' before this line");
}

TEST_CASE("what cuobjdump -res-usage prints is read") {
  const std::string text = R"(Fatbin elf code:
================
arch = sm_90
code version = [1,8]

Resource usage:
 Common:
  GLOBAL:0
 Function light:
  REG:8 STACK:0 SHARED:1040 LOCAL:0 CONSTANT[0]:364 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function heavy:
  REG:255 STACK:64 SHARED:0 LOCAL:0 CONSTANT[0]:364 TEXTURE:0 SURFACE:0 SAMPLER:0
)";
  CHECK(figures(read(text), {"sm_90"}, "light") == std::vector<int64_t>{8, 0, 0, 16});
  CHECK(figures(read(text), {"sm_90"}, "heavy") == std::vector<int64_t>{255, -1, 64, 0});
  CHECK(figures(read(text), {"sm_80"}, "heavy").empty());
}

TEST_CASE("constant memory of all banks of a kernel is added up") {
  const std::string head = "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Used 8 registers";
  CHECK(constants(two_targets, "sm_80", "nbody") == 376);
  CHECK(constants(two_targets, "sm_90", "nbody") == -1);
  CHECK(constants(head + ", 16 bytes smem, 376 bytes cmem[0], 16+4 bytes cmem[2]\n", "sm_80", "k") == 396);
  CHECK(constants(head + ", x bytes cmem[0]\n", "sm_80", "k") == -1);
  CHECK(constants(
            "arch = sm_80\n Function k:\n  REG:8 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:364 CONSTANT[2]:8 TEXTURE:0\n",
            "sm_80", "k") == 372);
  // What nvlink prints stands for the linked code.
  CHECK(constants(head + ", 364 bytes cmem[0], 8 bytes cmem[2]\nnvlink info    : Function properties for 'k':\n"
                         "nvlink info    : used 8 registers, 0 stack, 0 bytes smem, 364 bytes cmem[0], 0 bytes lmem\n",
                  "sm_80", "k") == 364);
}
