// SPDX-License-Identifier: GPL-3.0-or-later
// Liveness, one register at a time: from each read backwards through the blocks to the writes (Boissinot et al.,
// "Computing Liveness Sets for SSA-Form Programs", 2011, section 4.1). The work is the length of all live ranges in
// blocks; a block that is as wide as widest_followed already is not passed, which bounds it by blocks x
// widest_followed, and the result still says that much.
//
// Calls: to a register that the called body names, a call is a jump to the body and its return a jump back. A register
// that it does not name passes by: it is live over the call, and its words are added to every point of the body, for
// the call where they are most. Which call a body returns to is not remembered, so that a register that several calls'
// surroundings share may be counted live where it is not: too many, never too few. A body that the assembler cannot
// inline has the register to itself: it saves it.
#include "ir/liveness.hpp"

#include <algorithm>

#include "ir/bodies.hpp"

namespace warpspan::ir {

namespace {

constexpr BlockId none = UINT32_MAX;

class Liveness {
 public:
  Liveness(const Kernel& kernel, const std::vector<uint8_t>& words, const std::vector<uint8_t>& besides)
      : kernel_(kernel),
        words_(words),
        besides_(besides),
        exposed_(kernel.registers),
        killed_(kernel.registers),
        written_(kernel.registers, false),
        predecessors_(kernel.blocks.size()),
        live_out_(kernel.blocks.size()),
        width_(kernel.blocks.size(), 0) {
    find_bodies();
    for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (const BlockId successor : kernel.blocks[b].successors) predecessors_[successor].push_back(b);
    }
    summarize_blocks();
    Marks marks{std::vector<RegisterId>(kernel.blocks.size(), UINT32_MAX), {}, {}};
    marks.live_out = marks.killed = marks.live_in;
    for (RegisterId reg = 0; reg < kernel.registers; ++reg) {
      if (written_[reg] && words_[reg] > 0) search(reg, marks);
    }
    find_carried();
  }

  WidestPoint widest() const {
    WidestPoint result;
    std::vector<bool> live(kernel_.registers, false);
    for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      const WidestPoint here = widest_of(b, live);
      if (here.words > result.words) result = here;
    }
    return result;
  }

 private:
  // By block: the last register for which something was found.
  struct Marks {
    std::vector<RegisterId> live_in, live_out, killed;
  };

  void find_bodies();
  void summarize_blocks();
  void search(RegisterId reg, Marks& marks);
  void find_carried();
  bool names(FunctionId body, RegisterId reg) const {
    return std::binary_search(named_[body].begin(), named_[body].end(), reg);
  }
  int64_t over_call(BlockId block) const;
  WidestPoint widest_of(BlockId block, std::vector<bool>& live) const;

  const Kernel& kernel_;
  const std::vector<uint8_t>& words_;
  const std::vector<uint8_t>& besides_;
  std::vector<FunctionId> body_of_;             // by block; no_function: the kernel's own, or none
  std::vector<std::vector<BlockId>> callers_;   // by function: blocks that end in a call of it
  std::vector<std::vector<BlockId>> returns_;   // by function: blocks from which it returns
  std::vector<std::vector<RegisterId>> named_;  // by function, ascending
  std::vector<int64_t> carried_;                // by function: words live over its calls
  std::vector<std::vector<BlockId>> exposed_;   // by register: blocks that read it before they write it
  std::vector<std::vector<BlockId>> killed_;    // by register: blocks that write it whatever its guards say
  std::vector<bool> written_;                   // by register
  std::vector<std::vector<BlockId>> predecessors_;
  std::vector<std::vector<RegisterId>> live_out_;  // by block
  std::vector<int64_t> width_;                     // by block: words live at its end
};

void Liveness::find_bodies() {
  body_of_ = bodies(kernel_);
  callers_.resize(kernel_.functions.size());
  returns_.resize(kernel_.functions.size());
  named_.resize(kernel_.functions.size());
  carried_.assign(kernel_.functions.size(), 0);
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const Block& block = kernel_.blocks[b];
    const bool returns = block.successors.empty() || block.may_end;
    if (body_of_[b] != no_function && returns) returns_[body_of_[b]].push_back(b);
    if (block.callee != no_function) callers_[block.callee].push_back(b);
  }
}

// What each block does to registers: reads before writes, and writes.
void Liveness::summarize_blocks() {
  std::vector<BlockId> read_in(kernel_.registers, none), killed_in(kernel_.registers, none);
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const Block& block = kernel_.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const Instruction& instruction = kernel_.instructions[block.first + i];
      const RegisterId* regs = kernel_.reads(instruction);
      for (uint32_t r = 0; r < instruction.reads; ++r) {
        const RegisterId reg = regs[r];
        if (killed_in[reg] == b || read_in[reg] == b) continue;
        read_in[reg] = b;
        exposed_[reg].push_back(b);
      }
      for (uint32_t w = 0; w < instruction.writes; ++w) {
        const RegisterId reg = kernel_.writes(instruction)[w];
        written_[reg] = true;
        if (instruction.guarded || killed_in[reg] == b) continue;
        killed_in[reg] = b;
        killed_[reg].push_back(b);
      }
      if (body_of_[b] == no_function) continue;
      std::vector<RegisterId>& names = named_[body_of_[b]];
      names.insert(names.end(), regs, regs + instruction.reads + instruction.writes);
    }
  }
  for (std::vector<RegisterId>& names : named_) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
  }
}

void Liveness::search(RegisterId reg, Marks& marks) {
  for (const BlockId b : killed_[reg]) marks.killed[b] = reg;
  std::vector<BlockId> open;
  const auto live_into = [&](BlockId b) {
    if (marks.live_in[b] == reg) return;
    marks.live_in[b] = reg;
    open.push_back(b);
  };
  const auto live_after = [&](BlockId b) {
    if (marks.live_out[b] == reg || width_[b] >= widest_followed) return;
    marks.live_out[b] = reg;
    live_out_[b].push_back(reg);
    width_[b] += words_[reg];
    if (marks.killed[b] != reg) live_into(b);
  };
  for (const BlockId b : exposed_[reg]) live_into(b);
  while (!open.empty()) {
    const BlockId b = open.back();
    open.pop_back();
    for (const BlockId before : predecessors_[b]) {
      const FunctionId callee = kernel_.blocks[before].callee;
      if (callee == no_function || !names(callee, reg)) {
        live_after(before);
      } else {
        for (const BlockId last : returns_[callee]) live_after(last);
      }
    }
    const FunctionId body = body_of_[b];
    if (body == no_function || kernel_.functions[body].entry != b) continue;
    for (const BlockId caller : callers_[body]) live_after(caller);
  }
}

// Words that are live over the call at the end of a block.
int64_t Liveness::over_call(BlockId block) const {
  int64_t words = body_of_[block] == no_function ? 0 : carried_[body_of_[block]];
  for (const RegisterId reg : live_out_[block]) {
    if (!names(kernel_.blocks[block].callee, reg)) words += words_[reg];
  }
  return words;
}

// A function comes after those it calls, so callers' own are known first when they are taken from the last.
void Liveness::find_carried() {
  for (FunctionId f = static_cast<FunctionId>(kernel_.functions.size()); f-- > 0;) {
    for (const BlockId caller : callers_[f]) {
      const Block& block = kernel_.blocks[caller];
      const Instruction& call = kernel_.instructions[block.first + block.count - 1];
      if (!kernel_.operation(call).stays_call) carried_[f] = std::max(carried_[f], over_call(caller));
    }
  }
}

WidestPoint Liveness::widest_of(BlockId id, std::vector<bool>& live) const {
  const Block& block = kernel_.blocks[id];
  const int64_t carried = body_of_[id] == no_function ? 0 : carried_[body_of_[id]];
  WidestPoint result{block.first, 0};
  std::vector<RegisterId> touched = live_out_[id];
  int64_t words = width_[id];
  for (const RegisterId reg : live_out_[id]) live[reg] = true;
  const auto add = [&](RegisterId reg) {
    if (live[reg] || !written_[reg]) return;
    live[reg] = true;
    touched.push_back(reg);
    words += words_[reg];
  };
  const auto count = [&](InstructionId at) {
    const Operation& operation = kernel_.operation(kernel_.instructions[at]);
    const int64_t saved = operation.stays_call ? 2 * (carried + words) : carried + words;
    const int64_t all = saved + besides_[kernel_.instructions[at].operation];
    if (all >= result.words) result = {at, all};
  };
  for (InstructionId i = block.first + block.count; i-- > block.first;) {
    const Instruction& instruction = kernel_.instructions[i];
    const RegisterId* writes = kernel_.writes(instruction);
    const int64_t outside = words;
    std::vector<RegisterId> unread;
    for (uint32_t w = 0; w < instruction.writes; ++w) {
      if (!live[writes[w]]) unread.push_back(writes[w]);
      add(writes[w]);
    }
    count(i);
    if (instruction.guarded) {  // the value before is alive only if the one behind is
      for (const RegisterId reg : unread) live[reg] = false;
      words = outside;
    } else {
      for (uint32_t w = 0; w < instruction.writes; ++w) {
        if (live[writes[w]]) words -= words_[writes[w]];
        live[writes[w]] = false;
      }
    }
    for (uint32_t r = 0; r < instruction.reads; ++r) add(kernel_.reads(instruction)[r]);
    count(i);
  }
  for (const RegisterId reg : touched) live[reg] = false;
  return result;
}

}  // namespace

WidestPoint widest_point(const Kernel& kernel, const std::vector<uint8_t>& words, const std::vector<uint8_t>& besides) {
  return Liveness(kernel, words, besides).widest();
}

std::vector<uint8_t> register_words(const Kernel& kernel) {
  std::vector<uint8_t> words(kernel.registers, 1);
  for (size_t r = 0; r < std::min(words.size(), kernel.register_bits.size()); ++r) {
    const int bits = kernel.register_bits[r];
    words[r] = static_cast<uint8_t>(bits <= 1 ? 0 : std::max(bits / 32, 1));
  }
  return words;
}

}  // namespace warpspan::ir
