// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/dependencies.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace warpspan::ir {

namespace {

// Reaching definitions, one register at a time. PTX is close to static single assignment, so most registers have one
// write, and nothing has to be searched: it reaches every read, or the read is of no value at all. For the others the
// blocks are found, from the reads backwards, at whose begin the register may still be read, and through these, 64 at a
// time, the writes flow until nothing changes. Most registers live in few blocks, so most take little time.
class Dependencies {
 public:
  explicit Dependencies(const Kernel& kernel)
      : kernel_(kernel),
        writes_(kernel.registers),
        reads_(kernel.registers),
        block_of_(kernel.instructions.size()),
        predecessors_(kernel.blocks.size()),
        is_live_(kernel.blocks.size(), false),
        entering_(kernel.blocks.size(), 0) {
    for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) block_of_[kernel.blocks[b].first + i] = b;
      for (const BlockId next : kernel.blocks[b].successors) predecessors_[next].push_back(b);
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

  Local local(const Ids& writes, BlockId block) const {
    const InstructionId first = kernel_.blocks[block].first;
    return local(writes, first, first + kernel_.blocks[block].count);
  }

  // A read that a value from before its block may come to.
  struct OpenRead {
    InstructionId read = 0;
    Local here;  // the writes before it in its block
  };

  template <typename Visit>
  void visit_register(RegisterId reg, const Visit& visit) {
    const Ids& writes = writes_[reg];
    open_reads_.clear();
    for (const InstructionId read : reads_[reg]) {
      const Local here = local(writes, kernel_.blocks[block_of_[read]].first, read);
      for (size_t i = here.begin; i < here.end; ++i) visit(RawEdge{writes[i], read, reg});
      if (here.transparent) open_reads_.push_back({read, here});
    }
    find_live(writes);
    for (size_t first = 0; first < writes.size() && !live_.empty(); first += 64) {
      flow(writes, first);
      for (const BlockId block : touched_) visit_entering(writes, first, block, reg, visit);
      for (const BlockId block : touched_) entering_[block] = 0;
      touched_.clear();
    }
    for (const BlockId block : live_) is_live_[block] = false;
  }

  template <typename Visit>
  void visit_entering(const Ids& writes, size_t first, BlockId block, RegisterId reg, const Visit& visit) const {
    const InstructionId begin = kernel_.blocks[block].first;
    const auto before = [](const OpenRead& open, InstructionId id) { return open.read < id; };
    auto open = std::lower_bound(open_reads_.begin(), open_reads_.end(), begin, before);
    for (; open != open_reads_.end() && open->read < begin + kernel_.blocks[block].count; ++open) {
      for (uint64_t bits = entering_[block]; bits != 0; bits &= bits - 1) {
        const size_t i = first + static_cast<size_t>(std::countr_zero(bits));
        const bool counted = i >= open->here.begin && i < open->here.end;
        if (!counted) visit(RawEdge{writes[i], open->read, reg});
      }
    }
  }

  // The blocks from whose begin a read can be reached before the register is written for all lanes.
  void find_live(const Ids& writes) {
    live_.clear();
    const auto mark = [this](BlockId block) {
      if (!is_live_[block]) live_.push_back(block);
      is_live_[block] = true;
    };
    for (const OpenRead& open : open_reads_) mark(block_of_[open.read]);
    for (size_t i = 0; i < live_.size(); ++i) {
      for (const BlockId from : predecessors_[live_[i]]) {
        if (!is_live_[from] && local(writes, from).transparent) mark(from);
      }
    }
  }

  // The writes first..first+63, as bits, that reach the begin of each live block; those where there are any are
  // touched.
  void flow(const Ids& writes, size_t first) {
    const size_t end = std::min(first + 64, writes.size());
    std::vector<BlockId> work;
    const auto send = [&](BlockId from, uint64_t bits) {
      for (const BlockId next : kernel_.blocks[from].successors) {
        uint64_t& there = entering_[next];
        if (!is_live_[next] || (bits & ~there) == 0) continue;
        if (there == 0) touched_.push_back(next);
        there |= bits;
        work.push_back(next);
      }
    };
    for (size_t i = first; i < end; ++i) {
      const BlockId block = block_of_[writes[i]];
      const Local own = local(writes, block);
      if (i >= own.begin && i < own.end) send(block, uint64_t{1} << (i - first));
    }
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      if (local(writes, block).transparent) send(block, entering_[block]);
    }
  }

  const Kernel& kernel_;
  std::vector<Ids> writes_;  // by register, ascending
  std::vector<Ids> reads_;
  std::vector<BlockId> block_of_;
  std::vector<std::vector<BlockId>> predecessors_;
  // Of one register:
  std::vector<OpenRead> open_reads_;  // ascending
  std::vector<bool> is_live_;         // by block
  std::vector<BlockId> live_;
  std::vector<uint64_t> entering_;  // by block
  std::vector<BlockId> touched_;
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
