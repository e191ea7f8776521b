#include "ir/dependencies.hpp"

#include <algorithm>
#include <map>

namespace warpspan::ir {

namespace {

// Finds, for one read of a register, the writes whose value may arrive: backwards through the block, then through all
// blocks before it, stopping at unguarded writes. PTX is close to static single assignment, so most registers have one
// write and the search is short-cut: a single write reaches every read of its register, or the read is of no value at
// all.
class Dependencies {
 public:
  explicit Dependencies(const Kernel& kernel)
      : kernel_(kernel),
        writes_(kernel.registers),
        predecessors_(kernel.blocks.size()),
        block_of_(kernel.instructions.size()) {
    for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (const BlockId successor : kernel.blocks[b].successors) predecessors_[successor].push_back(b);
      for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) block_of_[kernel.blocks[b].first + i] = b;
    }
    for (InstructionId i = 0; i < kernel.instructions.size(); ++i) {
      const Instruction& instruction = kernel.instructions[i];
      for (uint32_t w = 0; w < instruction.writes; ++w) {
        std::vector<InstructionId>& list = writes_[kernel.writes(instruction)[w]];
        if (list.empty() || list.back() != i) list.push_back(i);
      }
    }
  }

  std::vector<RawEdge> run() {
    std::vector<RawEdge> edges;
    for (InstructionId i = 0; i < kernel_.instructions.size(); ++i) {
      const Instruction& instruction = kernel_.instructions[i];
      std::vector<InstructionId> sources;
      for (uint32_t r = 0; r < instruction.reads; ++r) {
        const RegisterId reg = kernel_.reads(instruction)[r];
        if (writes_[reg].size() == 1) {
          sources.push_back(writes_[reg].front());
        } else if (writes_[reg].size() > 1) {
          search(i, reg, sources);
        }
      }
      std::sort(sources.begin(), sources.end());
      sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
      for (const InstructionId source : sources) edges.push_back({source, i});
    }
    return edges;
  }

 private:
  // What leaves a block in a register: the writes that may have made it, and whether the value at the block's begin may
  // too.
  struct Exit {
    std::vector<InstructionId> writes;
    bool transparent = true;
  };

  // Writes of `reg` in [first, end), nearest first.
  Exit scan(RegisterId reg, InstructionId first, InstructionId end) const {
    Exit exit;
    const std::vector<InstructionId>& list = writes_[reg];
    auto it = std::lower_bound(list.begin(), list.end(), end);
    while (it != list.begin() && *std::prev(it) >= first) {
      --it;
      exit.writes.push_back(*it);
      if (!kernel_.instructions[*it].guarded) {
        exit.transparent = false;
        break;
      }
    }
    return exit;
  }

  void search(InstructionId read, RegisterId reg, std::vector<InstructionId>& sources) {
    const BlockId own = block_of_[read];
    const Exit here = scan(reg, kernel_.blocks[own].first, read);
    sources.insert(sources.end(), here.writes.begin(), here.writes.end());
    if (!here.transparent) return;
    const std::vector<InstructionId>& incoming = entering(own, reg);
    sources.insert(sources.end(), incoming.begin(), incoming.end());
  }

  // The writes of `reg` whose value may arrive at the begin of a block. Kept per block and register: a register that is
  // read many times is searched for once.
  const std::vector<InstructionId>& entering(BlockId block, RegisterId reg) {
    const auto [known, fresh] = entering_.try_emplace({reg, block});
    if (!fresh) return known->second;
    std::vector<InstructionId> found;
    std::vector<bool> seen(kernel_.blocks.size(), false);
    std::vector<BlockId> open = predecessors_[block];
    while (!open.empty()) {
      const BlockId b = open.back();
      open.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      const Exit exit = scan(reg, kernel_.blocks[b].first, kernel_.blocks[b].first + kernel_.blocks[b].count);
      found.insert(found.end(), exit.writes.begin(), exit.writes.end());
      if (exit.transparent) open.insert(open.end(), predecessors_[b].begin(), predecessors_[b].end());
    }
    return entering_[{reg, block}] = std::move(found);
  }

  const Kernel& kernel_;
  std::vector<std::vector<InstructionId>> writes_;  // by register, ascending
  std::vector<std::vector<BlockId>> predecessors_;
  std::vector<BlockId> block_of_;
  std::map<std::pair<RegisterId, BlockId>, std::vector<InstructionId>> entering_;
};

}  // namespace

std::vector<RawEdge> raw_edges(const Kernel& kernel) { return Dependencies(kernel).run(); }

}  // namespace warpspan::ir
