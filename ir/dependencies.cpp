#include "ir/dependencies.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace warpspan::ir {

namespace {

// Reaching definitions, one register at a time. PTX is close to static single assignment, so most registers have one
// write, and nothing has to be searched: it reaches every read, or the read is of no value at all. For the others, sets
// of writes flow through the blocks until nothing changes.
class Dependencies {
 public:
  explicit Dependencies(const Kernel& kernel)
      : kernel_(kernel), writes_(kernel.registers), reads_(kernel.registers), block_of_(kernel.instructions.size()) {
    for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) block_of_[kernel.blocks[b].first + i] = b;
    }
    for (InstructionId i = 0; i < kernel.instructions.size(); ++i) {
      const Instruction& instruction = kernel.instructions[i];
      for (uint32_t r = 0; r < instruction.reads; ++r) add(reads_[kernel.reads(instruction)[r]], i);
      for (uint32_t w = 0; w < instruction.writes; ++w) add(writes_[kernel.writes(instruction)[w]], i);
    }
  }

  // Calls visit(edge) for every edge, register by register.
  template <typename Visit>
  void visit(const Visit& visit) {
    for (RegisterId reg = 0; reg < kernel_.registers; ++reg) {
      if (writes_[reg].size() == 1) {
        for (const InstructionId read : reads_[reg]) visit(RawEdge{writes_[reg].front(), read, reg});
      } else if (writes_[reg].size() > 1 && !reads_[reg].empty()) {
        visit_register(reg, visit);
      }
    }
  }

 private:
  using Ids = std::vector<InstructionId>;

  static void add(Ids& ids, InstructionId id) {
    if (ids.empty() || ids.back() != id) ids.push_back(id);
  }

  // The writes of a register in [first, end) whose value is there at `end`, as positions in the list of its writes, and
  // whether a value from before `first` may be there too.
  struct Local {
    size_t begin = 0, end = 0;
    bool transparent = true;
  };
  Local local(const Ids& writes, InstructionId first, InstructionId end) const {
    const auto after = std::lower_bound(writes.begin(), writes.end(), end);
    auto it = after;
    Local result;
    while (it != writes.begin() && *std::prev(it) >= first && result.transparent) {
      --it;
      result.transparent = kernel_.instructions[*it].guarded;
    }
    result.begin = static_cast<size_t>(it - writes.begin());
    result.end = static_cast<size_t>(after - writes.begin());
    return result;
  }

  template <typename Visit>
  void visit_register(RegisterId reg, const Visit& visit) {
    const Ids& writes = writes_[reg];
    find_entering(writes);
    const size_t words = (writes.size() + 63) / 64;
    for (const InstructionId read : reads_[reg]) {
      const BlockId block = block_of_[read];
      const Local here = local(writes, kernel_.blocks[block].first, read);
      for (size_t i = here.begin; i < here.end; ++i) visit(RawEdge{writes[i], read, reg});
      if (!here.transparent) continue;
      for (size_t word = 0; word < words; ++word) {
        for (uint64_t bits = entering_[block * words + word]; bits != 0; bits &= bits - 1) {
          const size_t i = word * 64 + static_cast<size_t>(std::countr_zero(bits));
          const bool counted = i >= here.begin && i < here.end;
          if (!counted) visit(RawEdge{writes[i], read, reg});
        }
      }
    }
  }

  // Sets of writes, as bits, that reach the begin of each block.
  void find_entering(const Ids& writes) {
    const size_t words = (writes.size() + 63) / 64;
    const size_t blocks = kernel_.blocks.size();
    entering_.assign(blocks * words, 0);
    std::vector<uint64_t> leaving(words);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < blocks; ++b) {
        const Block& block = kernel_.blocks[b];
        const Local own = local(writes, block.first, block.first + block.count);
        for (size_t word = 0; word < words; ++word) leaving[word] = own.transparent ? entering_[b * words + word] : 0;
        for (size_t i = own.begin; i < own.end; ++i) leaving[i / 64] |= uint64_t{1} << (i % 64);
        for (const BlockId successor : block.successors) {
          for (size_t word = 0; word < words; ++word) {
            uint64_t& there = entering_[successor * words + word];
            changed = changed || (leaving[word] & ~there) != 0;
            there |= leaving[word];
          }
        }
      }
    }
  }

  const Kernel& kernel_;
  std::vector<Ids> writes_;  // by register, ascending
  std::vector<Ids> reads_;
  std::vector<BlockId> block_of_;
  std::vector<uint64_t> entering_;  // by block
};

}  // namespace

std::vector<RawEdge> raw_edges(const Kernel& kernel) {
  std::vector<RawEdge> edges;
  Dependencies(kernel).visit([&edges](const RawEdge& edge) { edges.push_back(edge); });
  std::sort(edges.begin(), edges.end());
  return edges;
}

size_t count_raw_edges(const Kernel& kernel) {
  size_t count = 0;
  Dependencies(kernel).visit([&count](const RawEdge&) { ++count; });
  return count;
}

}  // namespace warpspan::ir
