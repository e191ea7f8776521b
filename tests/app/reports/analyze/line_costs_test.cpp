// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/line_costs.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using test::TemporaryFolder;
using test::write_file;

LineTexts texts_of(const std::string& name, const std::string& text) {
  return LineTexts(std::make_shared<const support::SourceFile>(name, text));
}

// Instructions at lines of the input from 1, and of a source: 0 where it is unknown.
ir::Kernel kernel_with(const std::vector<uint32_t>& source_lines) {
  ir::Kernel kernel;
  kernel.operations.resize(1);
  kernel.operations[0].text = "add.u32";
  kernel.source_files = {"k.cu"};
  for (const uint32_t line : source_lines) {
    ir::Instruction instruction;
    instruction.line = static_cast<uint32_t>(kernel.instructions.size() + 1);
    instruction.source_line = line;
    kernel.instructions.push_back(instruction);
  }
  return kernel;
}

}  // namespace

TEST_CASE("instructions of one source line are one line, those without are lines of the input") {
  const TemporaryFolder folder;
  write_file(folder.file("k.cu"), "one\n\ttwo = x;  \r\n");
  LineTexts texts = texts_of(folder.file("k.ptx"), "first\nsecond;\nthird\n  fourth  ");
  const ir::Kernel kernel = kernel_with({2, 0, 2, 0, 9});
  const std::vector<timing::InstructionCost> costs = {
      {0, 3, 10, 5, "memory"}, {1, 1, 1, 0, ""}, {2, 7, 0, 6, "issue"}, {3, 1, 50, 0, ""}, {4, 1, 1, 0, ""}};
  const std::vector<LineCost> lines = line_costs(kernel, costs, texts);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].text == "fourth");
  CHECK(lines[0].file == folder.file("k.ptx"));
  CHECK(lines[0].line == 4);
  CHECK(lines[1].file == "k.cu");
  CHECK(lines[1].path == folder.file("k.cu"));
  CHECK(lines[1].line == 2);
  CHECK(lines[1].text == "two = x;");
  CHECK(lines[1].own == 10);
  CHECK(lines[1].others == 11);
  CHECK(lines[1].resource == "issue");
  CHECK(lines[1].executions == 7);
  // Equal cycles: by file and line.
  CHECK(lines[2].text == "second;");
  CHECK(lines[3].line == 9);
  CHECK(lines[3].text.empty());

  const auto instructions = costly_instructions(kernel, costs);
  REQUIRE(instructions.size() == 5);
  CHECK(instructions[3].line == 4);
  CHECK(instructions[3].operation == "add.u32");
}

TEST_CASE("a source is looked for where the line table says, then beside the input") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("build"));
  write_file(folder.file("far.cu"), "far\n");
  write_file(folder.file("build/near.cu"), "near\n");
  LineTexts texts = texts_of(folder.file("build/k.ptx"), "");
  CHECK(texts.of_source(folder.file("far.cu"), 1) == "far");
  CHECK(texts.of_source("../far.cu", 1) == "far");
  CHECK(texts.of_source("near.cu", 1) == "near");
  CHECK(texts.of_source("missing.cu", 1).empty());
  CHECK(texts.of_source("near.cu", 0).empty());
  CHECK(texts.of_source("near.cu", 2).empty());
  CHECK(texts.of_input(1).empty());
  for (const std::string made : {"<machine code of ", "<PTX of "}) {
    CHECK(texts_of(made + folder.file("build/k.cubin") + ">", "").of_source("near.cu", 1) == "near");
  }
}

TEST_CASE("folders, devices and pipes are no sources") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.file("pipe.cu").c_str(), 0600) == 0);
  LineTexts texts = texts_of(folder.file("k.ptx"), "");
  CHECK(texts.of_source("pipe.cu", 1).empty());
  CHECK(texts.of_source("/dev/zero", 1).empty());
  CHECK(texts.of_source(folder.path(), 1).empty());
  CHECK(texts.of_source("", 1).empty());
}

TEST_CASE("a very long line is cut, but not within a character") {
  const LineTexts texts = texts_of("k.ptx", "a" + std::string(499, 'x') + "\n" + std::string(499, 'x') + "\xc3\xa4\n");
  CHECK(texts.of_input(1).size() == 500);
  CHECK(texts.of_input(2) == std::string(499, 'x'));
}

TEST_CASE("the costliest lines of a tiled product are those that load the tiles") {
  const auto run = test::run_warpspan({"analyze", "samples/matmul_tiled.nvcc-sm_80-lineinfo.ptx", "--block", "16,16",
                                       "--grid", "16,16", "--arg", "3=256", "--time-limit", "0", "--explain"});
  REQUIRE(run.status == 0);
  const size_t first = run.out.find("matmul_tiled.cu:15");
  const size_t second = run.out.find("matmul_tiled.cu:14");
  REQUIRE(first != std::string::npos);
  REQUIRE(second != std::string::npos);
  for (const char* other : {":13 ", ":16 ", ":18 ", ":22 "}) {
    CHECK(run.out.find(std::string("matmul_tiled.cu") + other) > std::max(first, second));
  }
  CHECK(run.out.find("tile_a[t") != std::string::npos);
}
