// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/split_registers.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "tests/frontend/ptx/parse_text.hpp"
#include "tests/reference/generators/random.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

struct Edge {
  ir::InstructionId write = 0, read = 0;
  uint32_t operand = 0;  // of those that it reads
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

// Which writes an operand may read, by a flood from each write to those that hide it.
std::set<Edge> edges_of(const ir::Kernel& kernel) {
  std::set<Edge> edges;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) {
      const ir::InstructionId write = kernel.blocks[b].first + i;
      const ir::Instruction& writer = kernel.instructions[write];
      if (writer.writes == 0) continue;
      const ir::RegisterId reg = *kernel.writes(writer);
      std::vector<bool> entered(kernel.blocks.size());
      std::vector<std::pair<ir::BlockId, uint32_t>> open = {{b, i + 1}};
      while (!open.empty()) {
        auto [block, at] = open.back();
        open.pop_back();
        bool is_hidden = false;
        for (; at < kernel.blocks[block].count && !is_hidden; ++at) {
          const ir::Instruction& instruction = kernel.instructions[kernel.blocks[block].first + at];
          const ir::RegisterId* regs = kernel.reads(instruction);
          for (uint32_t r = 0; r < instruction.reads; ++r) {
            if (regs[r] == reg) edges.insert({write, kernel.blocks[block].first + at, r});
          }
          is_hidden = !instruction.guarded && instruction.writes > 0 && *kernel.writes(instruction) == reg;
        }
        for (const ir::BlockId next : kernel.blocks[block].successors) {
          if (is_hidden || entered[next]) continue;
          entered[next] = true;
          open.emplace_back(next, 0);
        }
      }
    }
  }
  return edges;
}

ir::Kernel split(const ptx::Module& module) {
  ptx::Function function = module.functions.at(0);
  ptx::split_registers(function);
  return ptx::lower(module, function);
}

// How many registers the instructions name.
size_t registers_of(const ir::Kernel& kernel) {
  return std::set<ir::RegisterId>(kernel.register_pool.begin(), kernel.register_pool.end()).size();
}

size_t registers_of(const std::string& body) { return registers_of(split(test::module_of(test::kernel(body)))); }

// Of instructions with one write each: those that share a read share a register. How many registers that makes.
size_t registers_needed(const ir::Kernel& kernel) {
  std::map<ir::InstructionId, ir::InstructionId> web;
  for (ir::InstructionId i = 0; i < kernel.instructions.size(); ++i) {
    if (kernel.instructions[i].writes > 0) web[i] = i;
  }
  std::map<std::pair<ir::InstructionId, uint32_t>, ir::InstructionId> first;
  for (const Edge& edge : edges_of(kernel)) {
    const ir::InstructionId from = web[edge.write];
    const ir::InstructionId to = web[first.try_emplace({edge.read, edge.operand}, edge.write).first->second];
    for (auto& [write, number] : web) number = number == from ? to : number;
  }
  std::set<ir::InstructionId> all;
  for (const auto& [write, number] : web) all.insert(number);
  return all.size();
}

// Blocks of a few registers that are written and read at random.
std::string random_body(reference::Random& random, int64_t guarded_percent) {
  const auto reg = [&random] { return "%r" + std::to_string(random.below(4)); };
  const int64_t blocks = random.between(1, 6);
  std::string text;
  for (int64_t b = 0; b < blocks; ++b) {
    text += "L" + std::to_string(b) + ":\n";
    for (int64_t i = random.between(0, 5); i > 0; --i) {
      if (random.chance(guarded_percent)) text += random.chance(50) ? "@%p0 " : "@!%p1 ";
      text += "add.u32 " + reg() + ", " + reg() + ", " + reg() + ";\n";
    }
    const std::string target = "L" + std::to_string(random.below(static_cast<uint64_t>(blocks)));
    if (random.chance(60)) text += "@%p0 bra " + target + ";\n";
    if (random.chance(10)) text += "bra " + target + ";\n";
  }
  return text + "st.global.u32 [%rd0], %r0;\nst.global.u32 [%rd0], %r1;";
}

}  // namespace

TEST_CASE("each value of a register gets a register of its own") {
  // p, the loaded pointer, what is stored.
  CHECK(registers_of("ld.param.u64 %rd0, [p];\ncvta.to.global.u64 %rd0, %rd0;\nst.global.u64 [%rd0], %rd0;") == 2);
  CHECK(registers_of("mov.u32 %r0, 1;\nadd.u32 %r0, %r0, 1;\nadd.u32 %r0, %r0, 2;") == 3);
  // One that is written before it is read again.
  CHECK(registers_of("mov.u32 %r0, 1;\nmov.u32 %r1, %r0;\nmov.u32 %r0, 2;\nmov.u32 %r2, %r0;") == 4);
}

TEST_CASE("values that a read may find are in one register") {
  // A guarded write, and the value before it.
  CHECK(registers_of("mov.u32 %r0, 1;\n@%p0 mov.u32 %r0, 2;\nmov.u32 %r1, %r0;") == 3);  // and the guard
  // A choice, and what comes behind it.
  CHECK(registers_of("@%p0 bra L;\nmov.u32 %r0, 1;\nbra M;\nL:\nmov.u32 %r0, 2;\nM:\nmov.u32 %r1, %r0;\n"
                     "mov.u32 %r0, 3;\nmov.u32 %r2, %r0;") == 5);
  // A count, and the same name behind the loop.
  CHECK(registers_of("mov.u32 %r0, 0;\nL:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 9;\n@%p0 bra L;\n"
                     "mov.u32 %r0, 7;\nmov.u32 %r1, %r0;") == 4);
  // What an instruction reads and writes in one operand.
  CHECK(registers_of("mov.u32 %r0, 1;\nmov.u32 %r1, %r0;\nmov.u32 %r0, 1;\nmov.u32 %r1, %r0;") == 4);
}

TEST_CASE("each value of the carry flag gets a register of its own") {
  const std::string sum = "add.cc.u32 %r0, %r1, %r2;\naddc.u32 %r3, %r4, %r5;\n";
  CHECK(registers_of(sum) == 7);
  // Again, with two results that nobody reads.
  CHECK(registers_of(sum + sum) == 10);
  CHECK(registers_of("add.cc.u32 %r0, %r1, %r2;\naddc.cc.u32 %r3, %r4, %r5;\naddc.u32 %r6, %r1, %r2;") == 9);
}

TEST_CASE("registers that are parameters, results or vectors stay as they are") {
  const std::string text =
      ".visible .entry k()\n{\n.reg .v4 .f32 %v;\n.reg .f32 %f<2>;\n"
      "mov.f32 %f0, 0f00000000;\nmov.v4.f32 %v, {%f0, %f0, %f0, %f0};\nmov.f32 %f0, %v.x;\n"
      "mov.v4.f32 %v, {%f0, %f0, %f0, %f0};\nmov.f32 %f1, %v.x;\nret;\n}\n";
  const ptx::Module module = test::module_of(text);
  ptx::Function function = module.functions.at(0);
  const uint32_t before = function.registers;
  ptx::split_registers(function);
  CHECK(function.registers == before + 1);  // %f0
}

TEST_CASE("registers are split in bodies that calls share") {
  const std::string text =
      ".func f(.param .u64 a)\n{\n.reg .u64 %rd<1>;\nld.param.u64 %rd0, [a];\ncvta.to.global.u64 %rd0, %rd0;\n"
      "st.global.u64 [%rd0], %rd0;\nret;\n}\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %rd<1>;\nld.param.u64 %rd0, [p];\n"
      "{\n.param .u64 x;\nst.param.u64 [x], %rd0;\ncall f, (x);\n}\n"
      "{\n.param .u64 x;\nst.param.u64 [x], %rd0;\ncall f, (x);\n}\nret;\n}\n";
  const ptx::Module module = test::module_of(text);
  const auto expanded = ptx::expand_calls(module, module.functions.at(1), ptx::SharingLimits{0, 0});
  REQUIRE(expanded);
  REQUIRE(expanded->shared.size() == 1);
  CHECK(expanded->shared.front().registers == 2);
}

TEST_CASE("split registers: the same writes reach the same reads, and no two that need not share a register do") {
  const uint64_t first = test::first_seed(1, 2000), end = first + static_cast<uint64_t>(test::thinned_seeds(2000));
  for (uint64_t seed = first; seed < end; ++seed) {
    reference::Random random(seed);
    const bool has_guards = random.chance(50);
    const std::string body = random_body(random, has_guards ? 30 : 0);
    INFO(body);
    const ptx::Module module = test::module_of(test::kernel(body));
    const ir::Kernel plain = ptx::lower(module, module.functions.at(0));
    const ir::Kernel parts = split(module);
    REQUIRE(edges_of(parts) == edges_of(plain));
    std::set<ir::RegisterId> written;
    for (const ir::Instruction& instruction : parts.instructions) {
      for (uint32_t w = 0; w < instruction.writes; ++w) written.insert(parts.writes(instruction)[w]);
    }
    // A guarded write that nobody reads has the register of the value before it.
    const size_t needed = registers_needed(plain);
    INFO(written.size() << " and " << needed);
    REQUIRE((has_guards ? written.size() <= needed : written.size() == needed));
  }
}
