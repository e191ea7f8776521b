// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/liveness.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <utility>

using namespace warpspan;
using Random = std::mt19937;

namespace {

struct Spec {
  std::vector<ir::RegisterId> reads;
  std::vector<ir::RegisterId> writes;
  bool guarded = false;
};

struct BlockSpec {
  std::vector<Spec> instructions;
  std::vector<ir::BlockId> successors;
  ir::FunctionId callee = ir::no_function;
};

ir::Kernel kernel_of(const std::vector<BlockSpec>& blocks, uint32_t registers) {
  ir::Kernel kernel;
  kernel.registers = registers;
  kernel.operations.emplace_back();
  for (const BlockSpec& spec : blocks) {
    ir::Block block;
    block.first = static_cast<ir::InstructionId>(kernel.instructions.size());
    block.count = static_cast<uint32_t>(spec.instructions.size());
    block.successors = spec.successors;
    block.callee = spec.callee;
    kernel.blocks.push_back(block);
    for (const Spec& one : spec.instructions) {
      ir::Instruction instruction;
      instruction.first_register = static_cast<uint32_t>(kernel.register_pool.size());
      instruction.reads = static_cast<uint16_t>(one.reads.size());
      instruction.writes = static_cast<uint16_t>(one.writes.size());
      instruction.guarded = one.guarded;
      kernel.register_pool.insert(kernel.register_pool.end(), one.reads.begin(), one.reads.end());
      kernel.register_pool.insert(kernel.register_pool.end(), one.writes.begin(), one.writes.end());
      kernel.instructions.push_back(instruction);
    }
  }
  return kernel;
}

ir::WidestPoint widest(const ir::Kernel& kernel, const std::vector<uint8_t>& words) {
  return widest_point(kernel, words, {0});
}

// The widest point by walking every path from every place: a place is a position in a block, and for calls the blocks
// to return to.
class BruteForce {
 public:
  BruteForce(const ir::Kernel& kernel, const std::vector<uint8_t>& words) : kernel_(kernel), words_(words) {
    written_.resize(kernel.registers, false);
    for (const ir::Instruction& i : kernel.instructions) {
      for (uint32_t w = 0; w < i.writes; ++w) written_[kernel.writes(i)[w]] = true;
    }
  }

  int64_t run() {
    reach({0, 0, {}});
    int64_t most = 0;
    for (const Place& place : places_) {
      if (place.position >= kernel_.blocks[place.block].count) continue;
      const ir::Instruction& instruction = kernel_.instructions[kernel_.blocks[place.block].first + place.position];
      const Place behind{place.block, place.position + 1, place.calls};
      int64_t before = 0;
      int64_t after = 0;
      for (ir::RegisterId reg = 0; reg < kernel_.registers; ++reg) {
        if (!written_[reg]) continue;
        const ir::RegisterId* writes = kernel_.writes(instruction);
        const bool result = std::find(writes, writes + instruction.writes, reg) != writes + instruction.writes;
        if (live(place, reg)) before += words_[reg];
        if (result || live(behind, reg)) after += words_[reg];
      }
      most = std::max({most, before, after});
    }
    return most;
  }

 private:
  struct Place {
    ir::BlockId block;
    uint32_t position;
    std::vector<ir::BlockId> calls;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::vector<Place> next(const Place& place) const {
    const ir::Block& block = kernel_.blocks[place.block];
    if (place.position < block.count) return {{place.block, place.position + 1, place.calls}};
    if (block.callee != ir::no_function) {
      Place inside{kernel_.functions[block.callee].entry, 0, place.calls};
      inside.calls.push_back(block.successors.at(0));
      return {inside};
    }
    std::vector<Place> all;
    for (const ir::BlockId successor : block.successors) all.push_back({successor, 0, place.calls});
    if (block.successors.empty() && !place.calls.empty()) {
      Place back{place.calls.back(), 0, place.calls};
      back.calls.pop_back();
      all.push_back(back);
    }
    return all;
  }

  void reach(const Place& place) {
    if (!places_.insert(place).second) return;
    for (const Place& other : next(place)) reach(other);
  }

  bool live(const Place& place, ir::RegisterId reg) const {
    std::set<Place> seen;
    return live(place, reg, seen);
  }
  bool live(const Place& place, ir::RegisterId reg, std::set<Place>& seen) const {
    if (!seen.insert(place).second) return false;
    const ir::Block& block = kernel_.blocks[place.block];
    if (place.position < block.count) {
      const ir::Instruction& i = kernel_.instructions[block.first + place.position];
      const ir::RegisterId* reads = kernel_.reads(i);
      if (std::find(reads, reads + i.reads, reg) != reads + i.reads) return true;
      const ir::RegisterId* writes = kernel_.writes(i);
      if (!i.guarded && std::find(writes, writes + i.writes, reg) != writes + i.writes) return false;
    }
    const std::vector<Place> after = next(place);
    return std::any_of(after.begin(), after.end(), [&](const Place& other) { return live(other, reg, seen); });
  }

  const ir::Kernel& kernel_;
  const std::vector<uint8_t>& words_;
  std::vector<bool> written_;
  std::set<Place> places_;
};

uint32_t below(Random& random, uint32_t n) { return static_cast<uint32_t>(random() % n); }

std::vector<Spec> random_instructions(Random& random, uint32_t registers) {
  std::vector<Spec> instructions(1 + below(random, 4));
  for (Spec& spec : instructions) {
    for (uint32_t n = below(random, 3); n > 0; --n) spec.reads.push_back(below(random, registers));
    for (uint32_t n = below(random, 2); n > 0; --n) spec.writes.push_back(below(random, registers));
    spec.guarded = below(random, 4) == 0;
  }
  return instructions;
}

constexpr uint32_t registers = 6;

std::vector<uint8_t> random_words(Random& random) {
  std::vector<uint8_t> words(registers);
  for (uint8_t& one : words) one = static_cast<uint8_t>(below(random, 3));
  return words;
}

// Every block reaches some other or none; block 0 reaches all that count.
std::vector<BlockSpec> random_blocks(Random& random, uint32_t first, uint32_t count) {
  std::vector<BlockSpec> blocks(count);
  for (uint32_t b = 0; b < count; ++b) {
    blocks[b].instructions = random_instructions(random, registers);
    if (b + 1 < count) blocks[b].successors.push_back(first + b + 1);
    if (b + 1 < count && below(random, 2) == 0) blocks[b].successors.push_back(first + below(random, count));
  }
  return blocks;
}

}  // namespace

TEST_CASE("a value is live from its write to its last read") {
  const ir::Kernel kernel = kernel_of({{{{{}, {0}}, {{}, {1}}, {{0, 1}, {2}}, {{2}, {}}}, {}}}, 3);
  const ir::WidestPoint point = widest(kernel, {1, 2, 1});
  CHECK(point.words == 3);
  CHECK(point.instruction == 1);
}

TEST_CASE("a result that nobody reads needs its register, one that nobody writes needs none") {
  CHECK(widest(kernel_of({{{{{}, {0}}}, {}}}, 1), {2}).words == 2);
  CHECK(widest(kernel_of({{{{{0}, {}}}, {}}}, 1), {2}).words == 0);
}

TEST_CASE("a guarded write keeps the value before it") {
  const std::vector<Spec> code = {{{}, {0}}, {{}, {1}}, {{1}, {0}, true}, {{0}, {}}};
  CHECK(widest(kernel_of({{code, {}}}, 2), {1, 1}).words == 2);
  const std::vector<Spec> unguarded = {{{}, {0}}, {{}, {1}}, {{1}, {0}}, {{0}, {}}};
  CHECK(widest(kernel_of({{unguarded, {}}}, 2), {1, 1}).words == 1);
}

TEST_CASE("what an instruction needs for itself counts where it stands") {
  ir::Kernel kernel = kernel_of({{{{{}, {0}}, {{0}, {1}}, {{1}, {}}}, {}}}, 2);
  kernel.operations.resize(2);
  kernel.instructions[2].operation = 1;
  const ir::WidestPoint point = widest_point(kernel, {2, 1}, {0, 5});
  CHECK(point.words == 6);
  CHECK(point.instruction == 2);
}

TEST_CASE("what is live over a call counts in the body, where it is most") {
  // Block 0 calls with register 0 alive, block 1 with registers 0 and 1; the body (block 3) needs register 2.
  ir::Kernel kernel =
      kernel_of({{{{{}, {0}}}, {1}, 0}, {{{{}, {1}}}, {2}, 0}, {{{{0, 1}, {}}}, {}}, {{{{}, {2}}, {{2}, {}}}, {}}}, 3);
  kernel.functions.push_back({"f", 3});
  const ir::WidestPoint point = widest(kernel, {1, 2, 4});
  CHECK(point.words == 7);
  CHECK(point.instruction == 3);
}

TEST_CASE("a body's results are live from its return to their use") {
  ir::Kernel kernel =
      kernel_of({{{{{}, {0}}}, {1}, 0}, {{{{1}, {}}}, {}}, {{{{0}, {1}}, {{}, {2}}, {{2}, {}}}, {}}}, 3);
  kernel.functions.push_back({"f", 2});
  CHECK(widest(kernel, {1, 2, 4}).words == 6);
}

TEST_CASE("words of registers by their width") {
  ir::Kernel kernel;
  kernel.register_bits = {1, 0, 8, 16, 32, 64, 128};
  kernel.registers = 8;
  CHECK(register_words(kernel) == std::vector<uint8_t>{0, 0, 1, 1, 1, 2, 4, 1});
}

TEST_CASE("the widest point is that of all paths, on random kernels") {
  Random random(20261);
  for (int n = 0; n < 3000; ++n) {
    const ir::Kernel kernel = kernel_of(random_blocks(random, 0, 1 + below(random, 5)), registers);
    const std::vector<uint8_t> words = random_words(random);
    INFO("kernel " << n);
    REQUIRE(widest(kernel, words).words == BruteForce(kernel, words).run());
  }
}

TEST_CASE("the widest point is never below that of all paths with calls, on random kernels") {
  Random random(20262);
  int exact = 0;
  constexpr int kernels = 3000;
  for (int n = 0; n < kernels; ++n) {
    const uint32_t own = 2 + below(random, 4);
    const uint32_t body = 1 + below(random, 3);
    std::vector<BlockSpec> blocks = random_blocks(random, 0, own);
    const std::vector<BlockSpec> shared = random_blocks(random, own, body);
    blocks.insert(blocks.end(), shared.begin(), shared.end());
    for (uint32_t b = 0; b + 1 < own; ++b) {
      if (below(random, 2) == 0) continue;
      blocks[b].callee = 0;
      blocks[b].successors = {b + 1};
    }
    ir::Kernel kernel = kernel_of(blocks, registers);
    kernel.functions.push_back({"f", own});
    const std::vector<uint8_t> words = random_words(random);
    const int64_t most = BruteForce(kernel, words).run();
    INFO("kernel " << n);
    const bool called = std::any_of(blocks.begin(), blocks.end(),
                                    [](const BlockSpec& block) { return block.callee != ir::no_function; });
    if (!called) continue;
    REQUIRE(widest(kernel, words).words >= most);
    if (widest(kernel, words).words == most) ++exact;
  }
  CHECK(exact > kernels / 2);
}

TEST_CASE("a kernel wider than what is followed is at least that wide, in little time") {
  // 3,000 diamonds, each with a guarded write of a register that the end reads.
  constexpr uint32_t diamonds = 6000;
  std::vector<BlockSpec> blocks(diamonds + 1);
  for (uint32_t b = 0; b < diamonds; ++b) {
    blocks[b].instructions = {{{}, {b}, true}};
    blocks[b].successors = {b + 1};
    blocks[diamonds].instructions.push_back({{b}, {}});
  }
  const ir::Kernel kernel = kernel_of(blocks, diamonds);
  CHECK(widest(kernel, std::vector<uint8_t>(diamonds, 1)).words >= ir::widest_followed);
}
