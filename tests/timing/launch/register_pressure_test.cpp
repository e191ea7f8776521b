// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/launch/register_pressure.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

timing::Machine machine(const std::string& name) {
  auto loaded = timing::load_machine(name);
  REQUIRE(loaded.ok());
  return std::move(*loaded);
}

ir::LaunchBounds bounds(int64_t threads, int64_t blocks, int64_t registers = 0) {
  ir::LaunchBounds result;
  if (threads > 0) result.maximum = {threads, 1, 1};
  result.min_blocks = blocks;
  result.max_registers = registers;
  return result;
}

struct Measured {
  std::string file, target;
  int64_t limit, used, stores, loads;  // registers; bytes
};

std::vector<Measured> measurements() {
  std::ifstream in(warpspan::test::source_dir() + "/tests/vectors/register_spills.csv");
  std::vector<Measured> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    Measured row;
    REQUIRE(words >> row.file >> row.target >> row.limit >> row.used >> row.stores >> row.loads);
    rows.push_back(row);
  }
  return rows;
}

ir::Kernel kernel_in(const std::string& file) {
  std::ifstream in(warpspan::test::source_dir() + "/" + file);
  std::stringstream text;
  text << in.rdbuf();
  const auto module = ptx::parse(std::make_shared<const support::SourceFile>(file, text.str()));
  REQUIRE(module.ok());
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry) continue;
    const auto expanded = ptx::expand_calls(*module, function);
    REQUIRE(expanded.ok());
    return ptx::lower(*module, *expanded);
  }
  FAIL(file << " has no kernel");
  return {};
}

ir::Kernel kernel_of(const std::string& functions, const std::string& body) {
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
                           ".visible .entry k()\n{\n.reg .b32 %r<200>;\n.reg .pred %p<3>;\n" + body + "ret;\n}\n";
  const auto module = ptx::parse(std::make_shared<const support::SourceFile>("t.ptx", text));
  REQUIRE(module.ok());
  const auto expanded = ptx::expand_calls(*module, module->functions.back());
  REQUIRE(expanded.ok());
  return ptx::lower(*module, *expanded);
}

}  // namespace

TEST_CASE("what launch bounds leave a thread is what ptxas 13.0 gives a kernel that could use more") {
  struct Row {
    const char* machine;
    int64_t threads, blocks, registers;
  };
  const std::vector<Row> rows = {
      {"ampere", 0, 0, 255},
      {"ampere", 128, 0, 255},
      {"ampere", 256, 0, 255},
      {"ampere", 384, 1, 168},
      {"ampere", 640, 1, 96},
      {"ampere", 768, 0, 80},
      {"ampere", 896, 0, 72},
      {"ampere", 1000, 1, 64},
      {"ampere", 1024, 0, 64},
      {"ampere", 1024, 2, 32},
      {"ampere", 1000, 2, 32},
      {"ampere", 512, 2, 64},
      {"ampere", 512, 3, 40},
      {"ampere", 96, 7, 80},
      {"ampere", 96, 16, 40},
      {"ampere", 33, 5, 168},
      {"ampere", 32, 32, 64},
      {"ampere", 256, 5, 48},
      {"ampere", 256, 8, 32},
      {"ampere", 128, 16, 32},
      {"ampere", 64, 32, 32},
      {"ampere", 1024, 3, 64},
      {"ampere", 0, 4, 255},
      {"turing", 1024, 2, 64},
      {"turing", 512, 2, 64},
      {"turing", 512, 3, 128},
      {"turing", 96, 16, 255},
      {"turing", 256, 5, 255},
      {"blackwell-consumer", 1024, 2, 64},
      {"blackwell-consumer", 512, 3, 40},
      {"blackwell-consumer", 96, 16, 40},
      {"blackwell-consumer", 32, 32, 255},
      {"blackwell-consumer", 256, 8, 255},
  };
  for (const Row& row : rows) {
    INFO(row.machine << " " << row.threads << " " << row.blocks);
    CHECK(register_limit(bounds(row.threads, row.blocks), {}, machine(row.machine)).registers == row.registers);
  }
}

// Each add reads a register that was never set.
TEST_CASE("registers that are read but never set need no place, but in a loop they may") {
  const auto need = [](const std::string& before, const std::string& behind) {
    std::string text = before;
    for (int i = 0; i < 200; ++i) text += "add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i) + ", 1;\n";
    return timing::register_need(kernel_of("", text + behind), {}).registers;
  };
  CHECK(need("", "") < 20);
  CHECK(need("L:\n", "@%p1 bra L;\n") > 200);
  CHECK(need("", "@%p1 bra M;\nadd.u32 %r0, %r0, 1;\nM:\n") < 20);
}

TEST_CASE("the smallest limit counts, and says where it comes from") {
  const timing::Machine ampere = machine("ampere");
  CHECK(register_limit(bounds(1024, 2, 40), {}, ampere).registers == 32);
  CHECK(register_limit(bounds(1024, 2, 40), {}, ampere).reason == "room for 2 blocks of 1024 threads");
  CHECK(register_limit(bounds(1024, 1, 40), {}, ampere).reason == ".maxnreg");
  CHECK(register_limit(bounds(0, 0, 300), {}, ampere).registers == 255);
  CHECK(register_limit({}, {}, machine("fermi")).registers == 63);
  ir::LaunchBounds required = bounds(1024, 1);
  required.required = {32, 4, 1};
  CHECK(register_limit(required, {}, ampere).registers == 255);
}

TEST_CASE("kernels that ptxas spills need more registers than they may have, and few others do") {
  std::map<std::string, ir::Kernel> kernels;
  std::map<std::string, timing::Machine> machines;
  int spilling = 0, spilling_matrices = 0;
  int fitting = 0;
  int refused = 0;
  for (const Measured& row : measurements()) {
    if (!kernels.contains(row.file)) kernels.emplace(row.file, kernel_in(row.file));
    if (!machines.contains(row.target)) machines.emplace(row.target, machine(row.target));
    const ir::Kernel& kernel = kernels.at(row.file);
    ir::Launch launch;
    if (row.limit < 255) launch.registers = row.limit;
    const auto error = spill_error(kernel, launch, machines.at(row.target));
    const bool spills = row.stores > 0 || row.loads > 0;
    const bool is_matrices = std::any_of(kernel.operations.begin(), kernel.operations.end(), [](const auto& operation) {
      return operation.kind == ir::OperationKind::matrix_multiply;
    });
    INFO(row.file << " " << row.target << " limit " << row.limit << " need "
                  << timing::register_need(kernel, launch).registers);
    CHECK(row.used <= row.limit);
    if (spills) {
      CHECK(error);
      ++(is_matrices ? spilling_matrices : spilling);
    } else if (!is_matrices) {
      ++fitting;
      if (error) ++refused;
    }
  }
  CHECK(kernels.size() >= 23);
  CHECK(spilling >= 100);
  CHECK(spilling_matrices >= 25);
  CHECK(refused * 4 <= fitting);
}

TEST_CASE("the registers of a launch are the limit, but not less than the assembler takes") {
  const timing::Machine ampere = machine("ampere");
  const auto limit = [](int64_t registers, const timing::Machine& of, const ir::LaunchBounds& file) {
    ir::Launch launch;
    launch.registers = registers;
    launch.registers_from = "--registers";
    return register_limit(file, launch, of);
  };
  CHECK(limit(40, ampere, {}).registers == 40);
  CHECK(limit(40, ampere, {}).reason == "--registers");
  CHECK(limit(1, ampere, {}).registers == 24);
  CHECK(limit(1, machine("pascal"), {}).registers == 16);
  CHECK(limit(300, ampere, {}).registers == 255);
  CHECK(limit(40, ampere, bounds(1024, 2)).registers == 32);
  CHECK(limit(24, ampere, bounds(1024, 2)).registers == 24);
  ir::Launch of_code;
  of_code.registers = 40;
  of_code.registers_of_code = true;  // whose stack tells what it spills
  CHECK(register_limit({}, of_code, ampere).registers == 255);
}

// 100 addresses, computed before a loop that loads from all of them. ptxas 13.0 takes 31 registers for such a kernel.
TEST_CASE("addresses that are another one and a constant need few registers where nothing limits these") {
  const auto need = [](const std::string& bounds, const std::string& sum, const std::string& use) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n" + bounds +
                       "{\n.reg .b32 %r<4>;\n.reg .b64 %d<120>;\n.reg .pred %p<2>;\nmov.u32 %r1, %tid.x;\n"
                       "ld.param.u64 %d100, [p];\nmul.wide.u32 %d101, %r1, 4;\nadd.s64 %d102, %d100, %d101;\n";
    for (int i = 0; i < 100; ++i) text += sum + " %d" + std::to_string(i) + ", %d102, " + std::to_string(i) + ";\n";
    text += "L:\n";
    for (int i = 0; i < 100; ++i) text += "ld.global.u32 %r2, [%d" + std::to_string(i) + "];\n";
    text += use + "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\nret;\n}\n";
    const auto module = ptx::parse(std::make_shared<const support::SourceFile>("t.ptx", text));
    REQUIRE(module.ok());
    const auto expanded = ptx::expand_calls(*module, module->functions.back());
    REQUIRE(expanded.ok());
    return timing::register_need(ptx::lower(*module, *expanded), {}).registers;
  };
  CHECK(need("", "add.s64", "") < 40);
  CHECK(need(".maxntid 64, 1, 1\n", "add.s64", "") > 200);  // a limit is named
  CHECK(need(".maxnreg 128\n", "add.s64", "") > 200);
  CHECK(need("", "sub.s64", "") > 200);                            // no offset that is written so
  CHECK(need("", "add.s64", "add.s64 %d102, %d102, 4;\n") > 200);  // the base moves on
  // One that something else reads keeps its place.
  CHECK(need("", "add.s64", "st.global.u64 [%d102], %d7;\n") < 44);
  CHECK(need("", "add.s64", "st.global.u64 [%d102], %d7;\n") > need("", "add.s64", ""));
}

TEST_CASE("that functions which are called by name save no registers is said of kernels that call any") {
  const timing::Machine ampere = machine("ampere");
  const auto plain = spill_assumption(kernel_of("", ""), {}, ampere, false);
  const auto calling = spill_assumption(kernel_of(".func f()\n{\nret;\n}\n", "call.uni f;\n"), {}, ampere, false);
  REQUIRE((plain.ok() && calling.ok()));
  CHECK(plain->find("called by name save none") == plain->npos);
  CHECK(calling->find("called by name save none, as where a program is compiled as a whole") != calling->npos);
}
