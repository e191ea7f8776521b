#include "ir/dependencies.hpp"

#include <catch2/catch.hpp>

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
