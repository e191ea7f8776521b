// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of machine code are known: a section begins at one. A warp that comes out of one block into another one whose
// first instruction is in the same line has come to that line already.
//
// Lines otherwise. Let a line have p machine instructions, and n >= 1 of them lie one after another, the first at
// offset o of its line, 0 <= o < p. They touch ceil((o + n) / p) lines, which is largest for o = p - 1: 1 + ceil((n -
// 1) / p).
//
// A warp's path. A warp whose lanes have reconverged executes a block as one segment, so a block of n instructions
// makes it come to at most the lines of n. At a barrier the analysed warp may change (timing/costs/fetch.cpp), so the
// segment ends; so it does at a call of a function without a body, which may push it out, and which a block ends with.
// Where lanes may have diverged, the warp may go to and fro between them, and each instruction is a segment; where
// lanes do not push out the line that others run, it is a block as for lanes that have reconverged. They have after a
// divergent block d until its immediate post-dominator j, where they reconverge, if two successors or more are not j:
// lanes at j wait for the others. All blocks on the paths from d to j lie between the two in reverse post-order, as j
// post-dominates them, unless the path takes a back edge; then the loop contains d but not j, and all of it is taken.
//
// Lines that follow. In a segment each line but the first one follows the one before; and so does the first one, or it
// is the same, where a block has one predecessor, the one that stands before it in the code. Lanes that are apart
// follow no line.
//
// Divisions and roots of PTX. What the assembler makes of them calls a routine behind the kernel for values that are
// rare, and lanes diverge there; machine code shows that itself. Each of their instructions is a segment, and their
// routine has a line more than its share of the code.
//
// Loops whose code persists. Let the code of a loop have at most as many lines as a cache has. If nothing but the
// loop is executed between a warp's entry of it and its exit, a cache that replaces the line used longest ago replaces
// none of the loop's in the meantime: each is fetched once per entry. Lanes that diverge in the loop have to reconverge
// in it, and it must call no function, or code outside of it is executed too. The loop is entered over an edge from a
// block outside of it, so it is enough to add its lines to each such block, and to leave its own blocks out. That
// counts an entry too many when such a block is left over another edge, which is safe. A loop at the entry of the
// kernel or of a function has no such block for its first entry, and its code does not persist.
#include "timing/costs/code_layout.hpp"

#include <algorithm>
#include <set>

#include "ir/execution.hpp"
#include "ir/lane_groups.hpp"
#include "ir/sync_points.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

// Of 16 bytes, that begin together at a multiple of Kernel::section_alignment.
constexpr int64_t instructions_at_once = ir::Kernel::section_alignment / 16;

bool may_call_routine(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case int64_div:
    case fp32_div:
    case fp32_root:
    case fp64_div:
    case fp64_root: return true;
    default: return false;
  }
}

class Layout {
 public:
  Layout(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs, int64_t per_line)
      : kernel_(kernel), flow_(flow), costs_(costs), per_line_(per_line), diverged_(kernel.blocks.size()) {
    mark_diverged();
    predecessors_.resize(kernel.blocks.size());
    for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (const ir::BlockId next : kernel.blocks[b].successors) predecessors_[next].push_back(b);
    }
    survey_loops();
  }

  std::optional<CodeLayout> measure(const std::vector<int64_t>& keep) const;

 private:
  // Of machine code whose place is known, by which instructions of one line of the listing are one.
  bool is_placed() const { return !kernel_.sections.empty() && instructions_at_once % per_line_ == 0; }
  static constexpr int64_t no_line = -1;
  int64_t line_at(const ir::Instruction& instruction) const;
  // What a block runs last before it goes on to a successor; null if it is empty, or a function runs in between.
  const ir::Instruction* last_of(ir::BlockId id) const {
    const ir::Block& block = kernel_.blocks[id];
    const bool leads_on = block.count > 0 && block.callee == ir::no_function;
    return leads_on ? &kernel_.instructions[block.first + block.count - 1] : nullptr;
  }
  bool continues(ir::BlockId id) const;
  Integer instructions(ir::BlockId id) const;
  Integer routines(ir::BlockId id) const;
  // jointly: lanes that are apart have a segment for each block.
  Integer lines(ir::BlockId id, bool jointly = false) const;
  Integer segments(ir::BlockId id) const;
  Integer jumps(ir::BlockId id) const;
  bool follows(ir::BlockId id) const;
  Integer occupied(ir::BlockId id) const;
  // What a call takes is over when the next instruction is wanted.
  bool is_behind_issue(const Occupancy& occupancy) const {
    return occupancy.resource > 0 && occupancy.resource != costs_.calls;
  }
  bool reconverges_in(ir::LoopId loop, ir::BlockId block) const {
    const ir::BlockId reconvergence = flow_.blocks[block].reconvergence;
    return reconvergence != ir::no_block && contains(flow_, loop, reconvergence);
  }
  template <typename Visit>
  void for_each_loop_around(ir::BlockId block, const Visit& visit) const {
    for (ir::LoopId l = flow_.blocks[block].loop; l != ir::no_loop; l = flow_.loops[l].parent) visit(l);
  }
  void add_lines(ir::BlockId id, std::set<int64_t>& lines) const {
    const ir::Block& block = kernel_.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) lines.insert(line_at(kernel_.instructions[block.first + i]));
  }
  void mark_diverged();
  void survey_loops();
  // By block, as CodePath's.
  struct Visits {
    std::vector<Integer> persistent, undisturbed, jumps;
  };
  Visits visits_with_persistent_loops(int64_t keep) const;
  void survey(CodeLayout& layout) const;
  bool calls_routine(const ir::Instruction& instruction) const {
    return !kernel_.is_machine_code() && may_call_routine(kernel_.operation(instruction).kind);
  }
  // Blocks of functions that calls share count whether or not an edge leads to them.
  bool has_code(ir::BlockId id) const { return flow_.blocks[id].reachable || !kernel_.functions.empty(); }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Costs& costs_;
  int64_t per_line_;
  struct LoopCode {
    Integer instructions, routines, segments;
    std::set<int64_t> lines;  // of exact ones
    // Between entry and exit a warp executes nothing else, and only blocks outside lead to its first iteration.
    bool runs_by_itself = false;
  };
  std::vector<LoopCode> loops_;
  std::vector<bool> diverged_;  // by block: lanes of one warp may be in different blocks when it runs
  std::vector<std::vector<ir::BlockId>> predecessors_;
};

// By section, each of which is shorter than that.
int64_t Layout::line_at(const ir::Instruction& instruction) const {
  const auto& sections = kernel_.sections;
  const auto above = std::upper_bound(sections.begin(), sections.end(), instruction.line);
  const int64_t begin = above == sections.begin() ? 0 : *(above - 1);
  return (begin << 32) + (instruction.line - begin) / per_line_;
}

// Whether whoever comes to the block has come to its first line already, as the last one of the block before.
bool Layout::continues(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  const bool is_entry = id == 0 || std::any_of(kernel_.functions.begin(), kernel_.functions.end(),
                                               [id](const ir::Function& function) { return function.entry == id; });
  if (!is_placed() || is_entry || block.count == 0 || predecessors_[id].empty()) return false;
  const int64_t first = line_at(kernel_.instructions[block.first]);
  return std::all_of(predecessors_[id].begin(), predecessors_[id].end(), [&](ir::BlockId predecessor) {
    const ir::Instruction* last = last_of(predecessor);
    if (last == nullptr || line_at(*last) != first) return false;
    const ir::Operation& operation = kernel_.operation(*last);
    return !operation.call_time && !ir::waits_for_warps(operation);
  });
}

Integer Layout::instructions(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  Integer sum;
  if (is_placed()) {
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Instruction* const at = &kernel_.instructions[block.first + i];
      sum += i == 0 || at->line != (at - 1)->line ? 1 : 0;
    }
    return sum;
  }
  for (uint32_t i = 0; i < block.count; ++i) {
    sum += costs_.of(kernel_.instructions[block.first + i]).instructions;
  }
  return sum;
}

Integer Layout::routines(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  const ir::Instruction* first = kernel_.instructions.data() + block.first;
  return Integer(std::count_if(first, first + block.count, [this](const auto& each) { return calls_routine(each); }));
}

Integer Layout::lines(ir::BlockId id, bool jointly) const {
  if (diverged_[id] && !jointly) return instructions(id);
  const ir::Block& block = kernel_.blocks[id];
  if (is_placed()) {
    Integer visits;
    int64_t last = continues(id) ? line_at(kernel_.instructions[block.first]) : no_line;
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Instruction& instruction = kernel_.instructions[block.first + i];
      const ir::Operation& operation = kernel_.operation(instruction);
      const int64_t line = line_at(instruction);
      if (line != last) visits += 1;
      if (operation.call_time) visits += 1;  // when the call is over
      last = operation.call_time || ir::waits_for_warps(operation) ? no_line : line;
    }
    return visits;
  }
  Integer sum, segment;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel_.instructions[block.first + i];
    if (calls_routine(instruction)) {
      sum += lines_of(segment, per_line_) + costs_.of(instruction).instructions;
      segment = 0;
      continue;
    }
    segment += costs_.of(instruction).instructions;
    // What comes after a call of a function without a body, of the instructions that make it, is a segment by itself.
    if (kernel_.operation(instruction).call_time) sum += lines_of(costs_.of(instruction).instructions, per_line_);
    if (!ir::waits_for_warps(kernel_.operation(instruction))) continue;
    sum += lines_of(segment, per_line_);
    segment = 0;
  }
  return sum + lines_of(segment, per_line_);
}

// As lines() has them.
Integer Layout::segments(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  Integer sum = block.count > 0 ? 1 : 0;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel_.instructions[block.first + i];
    const ir::Operation& operation = kernel_.operation(instruction);
    if (calls_routine(instruction)) sum += costs_.of(instruction).instructions + Integer(1);
    if (operation.call_time || ir::waits_for_warps(operation)) sum += 1;
  }
  return sum;
}

Integer Layout::jumps(ir::BlockId id) const {
  if (diverged_[id]) return lines(id, true);
  return min(lines(id, true), segments(id) - Integer(follows(id) || continues(id) ? 1 : 0));
}

// Of machine code, whose places are known.
bool Layout::follows(ir::BlockId id) const {
  const std::vector<ir::BlockId>& predecessors = predecessors_[id];
  if (!kernel_.is_machine_code() || id == 0 || predecessors.size() != 1 || kernel_.blocks[id].count == 0) return false;
  const ir::Instruction* last = diverged_[predecessors.front()] ? nullptr : last_of(predecessors.front());
  return last != nullptr && kernel_.instructions[kernel_.blocks[id].first].line == last->line + 1;
}

Integer Layout::occupied(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  Integer sum;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel_.instructions[block.first + i];
    for (const Occupancy& occupancy : costs_.of(instruction).occupancies) {
      if (is_behind_issue(occupancy)) sum += costs_.occupied_cycles(occupancy, flow_.transactions[block.first + i]);
    }
  }
  return sum;
}

// Blocks between a divergent one and where its lanes reconverge, by a sum over ranks.
void Layout::mark_diverged() {
  const size_t blocks = kernel_.blocks.size();
  const size_t ranks = flow_.order.size();
  std::vector<size_t> rank(blocks, ranks);
  for (size_t i = 0; i < ranks; ++i) rank[flow_.order[i]] = i;
  for (ir::BlockId b = 0; b < blocks; ++b) diverged_[b] = rank[b] == ranks;  // nothing is known of it
  std::vector<int64_t> begun(ranks + 1);  // how many such regions begin at a rank, less those that end
  std::vector<bool> loops(flow_.loops.size());
  for (const ir::BlockId d : flow_.order) {
    if (!ir::divides_lanes(kernel_, flow_, d)) continue;
    const ir::BlockId reconvergence = flow_.blocks[d].reconvergence;
    const size_t end = reconvergence == ir::no_block ? ranks : rank[reconvergence];
    if (rank[d] + 1 < end) {
      ++begun[rank[d] + 1];
      --begun[end];
    }
    for_each_loop_around(d, [&](ir::LoopId l) { loops[l] = loops[l] || !reconverges_in(l, d); });
  }
  int64_t open = 0;
  bool calls = false;
  for (size_t i = 0; i < ranks; ++i) {
    const ir::BlockId b = flow_.order[i];
    open += begun[i];
    diverged_[b] = open > 0;
    for_each_loop_around(b, [&](ir::LoopId l) { diverged_[b] = diverged_[b] || loops[l]; });
    calls = calls || (diverged_[b] && kernel_.blocks[b].callee != ir::no_function);
  }
  if (calls) diverged_.assign(blocks, true);
}

void Layout::survey_loops() {
  loops_.resize(flow_.loops.size());
  for (ir::LoopId l = 0; l < loops_.size(); ++l) {
    const ir::BlockId header = flow_.loops[l].header;
    loops_[l].runs_by_itself = header != 0 && !diverged_[header];
  }
  for (const ir::Function& function : kernel_.functions) {
    const ir::LoopId l = flow_.blocks[function.entry].loop;
    if (l != ir::no_loop) loops_[l].runs_by_itself = false;
  }
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    for_each_loop_around(b, [&](ir::LoopId l) {
      loops_[l].instructions += instructions(b);
      loops_[l].routines += routines(b);
      loops_[l].segments += segments(b);
      if (is_placed()) add_lines(b, loops_[l].lines);
      const bool leaves = ir::divides_lanes(kernel_, flow_, b) && !reconverges_in(l, b);
      if (leaves || kernel_.calls_outside(kernel_.blocks[b]) || kernel_.blocks[b].callee != ir::no_function)
        loops_[l].runs_by_itself = false;
    });
  }
}

Layout::Visits Layout::visits_with_persistent_loops(int64_t keep) const {
  enum Persists : uint8_t { no, itself, with_parent };
  std::vector<Persists> persistent(loops_.size(), no);
  const auto code = [this](ir::LoopId l) {
    if (is_placed()) return Integer(static_cast<int64_t>(loops_[l].lines.size()));
    return lines_of(loops_[l].instructions, per_line_) + loops_[l].routines;
  };
  for (ir::LoopId l = 0; l < loops_.size(); ++l) {  // parents first: the outermost that fits counts
    const ir::LoopId parent = flow_.loops[l].parent;
    if (parent != ir::no_loop && persistent[parent] != no) {
      persistent[l] = with_parent;
    } else if (loops_[l].runs_by_itself && code(l).value().value_or(INT64_MAX) <= keep) {
      persistent[l] = itself;
    }
  }
  const size_t blocks = kernel_.blocks.size();
  Visits result{std::vector<Integer>(blocks), std::vector<Integer>(blocks), std::vector<Integer>(blocks)};
  const auto add = [&result](ir::BlockId b, Integer all, Integer undisturbed, Integer jumps) {
    result.persistent[b] += all;
    result.undisturbed[b] += undisturbed;
    result.jumps[b] += jumps;
  };
  for (ir::BlockId b = 0; b < blocks; ++b) {
    const ir::LoopId loop = flow_.blocks[b].loop;
    if (loop == ir::no_loop || persistent[loop] == no) add(b, lines(b), lines(b, true), jumps(b));
    for (const ir::BlockId next : kernel_.blocks[b].successors) {
      const ir::LoopId entered = flow_.blocks[next].loop;
      if (entered == ir::no_loop || persistent[entered] != itself || flow_.loops[entered].header != next) continue;
      if (contains(flow_, entered, b)) continue;
      const Integer of_loop = code(entered);
      add(b, of_loop, of_loop, min(of_loop, loops_[entered].segments));
    }
  }
  return result;
}

// What does not depend on the path.
void Layout::survey(CodeLayout& layout) const {
  std::set<int64_t> exact;
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (!has_code(b)) continue;
    layout.instructions += instructions(b);
    layout.segments += segments(b);
    if (is_placed()) add_lines(b, exact);
    const ir::Block& block = kernel_.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Instruction& instruction = kernel_.instructions[block.first + i];
      layout.waits_for_warps = layout.waits_for_warps || ir::waits_for_warps(kernel_.operation(instruction));
      for (const Occupancy& occupancy : costs_.of(instruction).occupancies) {
        if (!is_behind_issue(occupancy)) continue;
        layout.path.longest_occupancy =
            max(layout.path.longest_occupancy, costs_.occupied_cycles(occupancy, flow_.transactions[block.first + i]));
      }
    }
  }
  layout.lines = is_placed() ? Integer(static_cast<int64_t>(exact.size())) : lines_of(layout.instructions, per_line_);
  layout.sections = sections_of(kernel_);
  layout.calls_outside = kernel_.calls_outside();
  layout.is_exact = kernel_.is_machine_code();
  layout.is_placed = is_placed();
}

std::optional<CodeLayout> Layout::measure(const std::vector<int64_t>& keep) const {
  std::vector<Visits> persistent;
  for (const int64_t lines : keep) persistent.push_back(visits_with_persistent_loops(lines));
  const auto totals = ir::largest_block_totals(kernel_, flow_, 3 + 3 * keep.size(), [&](ir::BlockId id) {
    std::vector<Integer> values = {instructions(id), lines(id), occupied(id)};
    for (const Visits& each : persistent) {
      for (const auto* visits : {&each.persistent, &each.undisturbed, &each.jumps}) values.push_back((*visits)[id]);
    }
    return values;
  });
  if (!totals) return std::nullopt;
  CodeLayout layout;
  layout.path.instructions = (*totals)[0];
  layout.path.lines = (*totals)[1];
  layout.path.occupied = (*totals)[2];
  for (size_t i = 0; i < keep.size(); ++i) {
    const Integer* const visits = totals->data() + 3 + 3 * i;
    layout.path.persistent.push_back(min(visits[0], layout.path.lines));
    layout.path.undisturbed.push_back(min(visits[1], layout.path.persistent.back()));
    layout.path.jumps.push_back(min(visits[2], layout.path.undisturbed.back()));
  }
  survey(layout);
  return layout;
}

}  // namespace

Integer lines_of(Integer instructions, int64_t instructions_per_line) {
  if (instructions == Integer(0)) return 0;
  return Integer(1) + ceil_divide(instructions - Integer(1), instructions_per_line);
}

int64_t sections_of(const ir::Kernel& kernel) {
  return std::max<int64_t>(1, static_cast<int64_t>(kernel.sections.size()));
}

Integer pages_of_code(Integer bytes, int64_t sections, int64_t page_bytes) {
  return floor_divide(bytes, page_bytes) + Integer(2) * sections;  // one that ends and one that begins within a page
}

std::optional<CodeLayout> code_layout(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                      int64_t instructions_per_line, const std::vector<int64_t>& keep) {
  return Layout(kernel, flow, costs, instructions_per_line).measure(keep);
}

}  // namespace warpspan::timing
