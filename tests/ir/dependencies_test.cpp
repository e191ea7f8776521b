// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/dependencies.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace warpspan;

namespace {

struct Spec {
  std::vector<ir::RegisterId> reads;
  std::vector<ir::RegisterId> writes;
  bool guarded = false;
};

ir::Kernel kernel_of(const std::vector<std::vector<Spec>>& blocks,
                     const std::vector<std::vector<ir::BlockId>>& successors) {
  ir::Kernel kernel;
  kernel.registers = 10;
  for (size_t b = 0; b < blocks.size(); ++b) {
    ir::Block block;
    block.first = static_cast<ir::InstructionId>(kernel.instructions.size());
    block.count = static_cast<uint32_t>(blocks[b].size());
    block.successors = successors[b];
    kernel.blocks.push_back(block);
    for (const Spec& spec : blocks[b]) {
      ir::Instruction instruction;
      instruction.first_register = static_cast<uint32_t>(kernel.register_pool.size());
      instruction.reads = static_cast<uint16_t>(spec.reads.size());
      instruction.writes = static_cast<uint16_t>(spec.writes.size());
      instruction.guarded = spec.guarded;
      kernel.register_pool.insert(kernel.register_pool.end(), spec.reads.begin(), spec.reads.end());
      kernel.register_pool.insert(kernel.register_pool.end(), spec.writes.begin(), spec.writes.end());
      kernel.instructions.push_back(instruction);
    }
  }
  return kernel;
}

using Edges = std::vector<ir::RawEdge>;

}  // namespace

TEST_CASE("a chain in one block") {
  CHECK(raw_edges(kernel_of({{{{}, {0}}, {{0}, {1}}, {{0, 1}, {2}}}}, {{}})) == Edges{{0, 1, 0}, {0, 2, 0}, {1, 2, 1}});
}

TEST_CASE("a second write hides the first, unless it is guarded") {
  CHECK(raw_edges(kernel_of({{{{}, {0}}, {{}, {0}}, {{0}, {}}}}, {{}})) == Edges{{1, 2, 0}});
  CHECK(raw_edges(kernel_of({{{{}, {0}}, {{}, {0}, true}, {{0}, {}}}}, {{}})) == Edges{{0, 2, 0}, {1, 2, 0}});
}

TEST_CASE("each register is an edge of its own, however often it is read") {
  CHECK(raw_edges(kernel_of({{{{}, {0, 1}}, {{0, 1, 1}, {}}}}, {{}})) == Edges{{0, 1, 0}, {0, 1, 1}});
}

TEST_CASE("both sides of a branch reach the join") {
  const ir::Kernel kernel = kernel_of({{{{}, {0}}}, {{{}, {1}}}, {{{}, {1}}}, {{{0, 1}, {}}}}, {{1, 2}, {3}, {3}, {}});
  CHECK(raw_edges(kernel) == Edges{{0, 3, 0}, {1, 3, 1}, {2, 3, 1}});
}

TEST_CASE("a loop carries values round") {
  // 0: r0 = ..; 1: r0 = f(r0), back to 1 or on; 2: reads r0
  const ir::Kernel kernel = kernel_of({{{{}, {0}}}, {{{0}, {0}}}, {{{0}, {}}}}, {{1}, {1, 2}, {}});
  CHECK(raw_edges(kernel) == Edges{{0, 1, 0}, {1, 1, 0}, {1, 2, 0}});
}

TEST_CASE("more writes than a machine word has bits") {
  // Each of 100 blocks may be skipped: every write reaches every later read.
  std::vector<std::vector<Spec>> blocks;
  std::vector<std::vector<ir::BlockId>> successors;
  for (ir::BlockId b = 0; b < 200; b += 2) {
    blocks.push_back({{{0}, {}}});
    successors.push_back({b + 1, b + 2});
    blocks.push_back({{{}, {0}}});
    successors.push_back({b + 2});
  }
  blocks.push_back({{{0}, {}}});
  successors.push_back({});
  const ir::Kernel kernel = kernel_of(blocks, successors);
  CHECK(count_raw_edges(kernel) == 100 * 101 / 2);
  CHECK(raw_edges(kernel).size() == count_raw_edges(kernel));
}

namespace {

// By following each write through the blocks, instruction by instruction.
Edges edges_by_search(const ir::Kernel& kernel) {
  Edges edges;
  for (ir::InstructionId write = 0; write < kernel.instructions.size(); ++write) {
    for (uint32_t w = 0; w < kernel.instructions[write].writes; ++w) {
      const ir::RegisterId reg = kernel.writes(kernel.instructions[write])[w];
      std::vector<std::pair<ir::BlockId, ir::InstructionId>> work;
      for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
        const ir::Block& block = kernel.blocks[b];
        if (write >= block.first && write < block.first + block.count) work.emplace_back(b, write + 1);
      }
      std::vector<bool> entered(kernel.blocks.size(), false);
      while (!work.empty()) {
        auto [b, i] = work.back();
        work.pop_back();
        const ir::InstructionId end = kernel.blocks[b].first + kernel.blocks[b].count;
        bool lives = true;
        for (; i < end && lives; ++i) {
          const ir::Instruction& instruction = kernel.instructions[i];
          for (uint32_t r = 0; r < instruction.reads; ++r) {
            if (kernel.reads(instruction)[r] == reg) edges.push_back({write, i, reg});
          }
          for (uint32_t r = 0; r < instruction.writes; ++r) {
            if (kernel.writes(instruction)[r] == reg && !instruction.guarded) lives = false;
          }
        }
        for (const ir::BlockId next : kernel.blocks[b].successors) {
          if (lives && !entered[next]) work.emplace_back(next, kernel.blocks[next].first);
          if (lives) entered[next] = true;
        }
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

TEST_CASE("edges of random graphs are those that a search finds") {
  std::mt19937 random(7);
  const auto pick = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  for (int round = 0; round < 500; ++round) {
    const uint32_t count = 1 + pick(12);
    const uint32_t registers = round % 5 == 0 ? 1 : 3;
    std::vector<std::vector<Spec>> blocks(count);
    std::vector<std::vector<ir::BlockId>> successors(count);
    for (uint32_t b = 0; b < count; ++b) {
      const uint32_t instructions = pick(round % 5 == 0 ? 20 : 5);
      for (uint32_t i = 0; i < instructions; ++i) {
        Spec spec;
        spec.guarded = pick(2) == 0;
        if (pick(2) == 0) spec.reads.push_back(pick(registers));
        if (pick(2) == 0) spec.writes.push_back(pick(registers));
        blocks[b].push_back(spec);
      }
      const uint32_t ways = pick(3);
      for (uint32_t w = 0; w < ways; ++w) successors[b].push_back(pick(count));
    }
    const ir::Kernel kernel = kernel_of(blocks, successors);
    // A register with one write takes it to reach every read of it.
    Edges expected = edges_by_search(kernel);
    Edges found = raw_edges(kernel);
    std::vector<size_t> writers(kernel.registers, 0);
    for (const ir::Instruction& instruction : kernel.instructions) {
      for (uint32_t w = 0; w < instruction.writes; ++w) ++writers[kernel.writes(instruction)[w]];
    }
    const auto has_one = [&](const ir::RawEdge& edge) { return writers[edge.reg] == 1; };
    std::erase_if(expected, has_one);
    std::erase_if(found, has_one);
    CHECK(found == expected);
  }
}
