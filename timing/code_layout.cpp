// Lines. Let a line hold p machine instructions, and n >= 1 of them lie one after another, the first at place o of its
// line, 0 <= o < p. They touch ceil((o + n) / p) lines, which is largest for o = p - 1: 1 + ceil((n - 1) / p).
//
// A warp's way. A warp whose lanes are together executes a block in one piece, so a block of n instructions makes it
// come to at most the lines of n. At a barrier the warp that is followed may change (timing/fetch.cpp), so the piece
// ends. Where lanes may be apart, the warp may go to and fro between them, and each instruction is a piece. Lanes are
// apart after a divergent block d until its join j, if two ways or more do not lead to j at once: lanes at j wait for
// the others. All blocks on the ways between lie between d and j in reverse post-order, as j post-dominates them,
// unless the way takes a back edge; then the loop holds d but not j, and all of it is taken.
//
// Loops that keep their code. Let the code of a loop have at most as many lines as a cache keeps. If nothing but the
// loop is executed between a warp's entry of it and its exit, a cache that replaces the line used longest ago replaces
// none of the loop's in the meantime: each is fetched once for an entry. Lanes that part in the loop have to join in
// it, and it must call no function, or code outside of it is executed too. The loop is entered over an edge from a
// block outside of it, so it is enough to add its lines to each such block, and to leave its own blocks out. That
// counts an entry too many when such a block goes another way, which is safe. A loop at the entry of the kernel or of a
// function has no such block for its first entry and keeps nothing.
#include "timing/code_layout.hpp"

#include <algorithm>

#include "ir/execution.hpp"
#include "ir/lane_groups.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

bool waits_for_other_warps(ir::OperationKind kind) {
  using enum ir::OperationKind;
  return kind == barrier || kind == cluster_barrier || kind == mbarrier;
}

class Layout {
 public:
  Layout(const ir::Kernel& kernel, const ir::Flow& flow, const Weights& weights, int64_t per_line)
      : kernel_(kernel), flow_(flow), weights_(weights), per_line_(per_line), apart_(kernel.blocks.size()) {
    mark_apart();
    survey_loops();
  }

  std::optional<CodeLayout> measure(const std::vector<int64_t>& keep) const;

 private:
  Integer instructions(ir::BlockId id) const;
  Integer lines(ir::BlockId id) const;
  Integer held(ir::BlockId id) const;
  bool splits(ir::BlockId block) const;
  void mark_apart();
  void survey_loops();
  std::vector<Integer> lines_with_kept_loops(int64_t keep) const;
  void survey(CodeLayout& layout) const;
  // Blocks of functions that calls share count whether or not an edge leads to them.
  bool has_code(ir::BlockId id) const { return flow_.blocks[id].reachable || !kernel_.functions.empty(); }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Weights& weights_;
  int64_t per_line_;
  struct LoopCode {
    Integer instructions;
    // Between entry and exit a warp executes nothing else, and only blocks outside lead to its first round.
    bool runs_by_itself = false;
  };
  std::vector<LoopCode> loops_;
  std::vector<bool> apart_;  // by block: lanes of one warp may be at different places when it runs
};

Integer Layout::instructions(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  Integer sum;
  for (uint32_t i = 0; i < block.count; ++i) {
    sum += weights_[kernel_.instructions[block.first + i].operation]->instructions;
  }
  return sum;
}

Integer Layout::lines(ir::BlockId id) const {
  if (apart_[id]) return instructions(id);
  const ir::Block& block = kernel_.blocks[id];
  Integer sum, piece;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel_.instructions[block.first + i];
    piece += weights_[instruction.operation]->instructions;
    if (!waits_for_other_warps(kernel_.operation(instruction).kind)) continue;
    sum += lines_of(piece, per_line_);
    piece = 0;
  }
  return sum + lines_of(piece, per_line_);
}

Integer Layout::held(ir::BlockId id) const {
  const ir::Block& block = kernel_.blocks[id];
  Integer sum;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel_.instructions[block.first + i];
    for (const Hold& hold : weights_[instruction.operation]->holds) {
      if (hold.resource > 0) sum += cycles_held(hold, flow_.transactions[block.first + i]);
    }
  }
  return sum;
}

// Lanes that part after the block have something to execute on more than one side.
bool Layout::splits(ir::BlockId id) const {
  if (!flow_.blocks[id].divergent) return false;
  const ir::BlockId join = flow_.blocks[id].post_dominator;
  const auto& ways = kernel_.blocks[id].successors;
  const auto busy = std::count_if(ways.begin(), ways.end(), [join](ir::BlockId way) { return way != join; });
  return busy + (kernel_.blocks[id].may_end && join != ir::no_block ? 1 : 0) > 1;
}

void Layout::mark_apart() {
  const size_t blocks = kernel_.blocks.size();
  std::vector<size_t> rank(blocks, flow_.order.size());
  for (size_t i = 0; i < flow_.order.size(); ++i) rank[flow_.order[i]] = i;
  for (ir::BlockId b = 0; b < blocks; ++b) apart_[b] = rank[b] == flow_.order.size();  // nothing is known of it
  std::vector<int64_t> begun(flow_.order.size() + 1);  // how many such regions begin at a rank, less those that end
  std::vector<bool> loops(flow_.loops.size());
  for (const ir::BlockId d : flow_.order) {
    if (!splits(d)) continue;
    const ir::BlockId join = flow_.blocks[d].post_dominator;
    const size_t end = join == ir::no_block ? flow_.order.size() : rank[join];
    if (rank[d] + 1 < end) {
      ++begun[rank[d] + 1];
      --begun[end];
    }
    for (ir::LoopId l = flow_.blocks[d].loop; l != ir::no_loop; l = flow_.loops[l].parent) {
      if (join == ir::no_block || !holds(flow_, l, join)) loops[l] = true;
    }
  }
  int64_t open = 0;
  bool calls = false;
  for (size_t i = 0; i < flow_.order.size(); ++i) {
    const ir::BlockId b = flow_.order[i];
    open += begun[i];
    apart_[b] = open > 0;
    for (ir::LoopId l = flow_.blocks[b].loop; l != ir::no_loop; l = flow_.loops[l].parent) {
      if (loops[l]) apart_[b] = true;
    }
    calls = calls || (apart_[b] && kernel_.blocks[b].callee != ir::no_function);
  }
  if (calls) apart_.assign(blocks, true);
}

void Layout::survey_loops() {
  loops_.resize(flow_.loops.size());
  for (ir::LoopId l = 0; l < loops_.size(); ++l) {
    const ir::BlockId header = flow_.loops[l].header;
    loops_[l].runs_by_itself = header != 0 && !apart_[header];
  }
  for (const ir::Function& function : kernel_.functions) {
    const ir::LoopId l = flow_.blocks[function.entry].loop;
    if (l != ir::no_loop) loops_[l].runs_by_itself = false;
  }
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const ir::BlockId join = flow_.blocks[b].post_dominator;
    for (ir::LoopId l = flow_.blocks[b].loop; l != ir::no_loop; l = flow_.loops[l].parent) {
      loops_[l].instructions += instructions(b);
      const bool joins = !splits(b) || (join != ir::no_block && holds(flow_, l, join));
      if (!joins || kernel_.blocks[b].callee != ir::no_function) loops_[l].runs_by_itself = false;
    }
  }
}

std::vector<Integer> Layout::lines_with_kept_loops(int64_t keep) const {
  enum Kept : uint8_t { no, itself, with_parent };
  std::vector<Kept> kept(loops_.size(), no);
  const auto code = [this](ir::LoopId l) { return lines_of(loops_[l].instructions, per_line_); };
  for (ir::LoopId l = 0; l < loops_.size(); ++l) {  // parents first: the outermost that fits is kept
    const ir::LoopId parent = flow_.loops[l].parent;
    if (parent != ir::no_loop && kept[parent] != no) {
      kept[l] = with_parent;
    } else if (loops_[l].runs_by_itself && code(l).value().value_or(INT64_MAX) <= keep) {
      kept[l] = itself;
    }
  }
  std::vector<Integer> result(kernel_.blocks.size());
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const ir::LoopId loop = flow_.blocks[b].loop;
    if (loop == ir::no_loop || kept[loop] == no) result[b] = lines(b);
    for (const ir::BlockId next : kernel_.blocks[b].successors) {
      const ir::LoopId entered = flow_.blocks[next].loop;
      if (entered == ir::no_loop || kept[entered] != itself || flow_.loops[entered].header != next) continue;
      if (!holds(flow_, entered, b)) result[b] += code(entered);
    }
  }
  return result;
}

// What does not depend on the way.
void Layout::survey(CodeLayout& layout) const {
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    if (!has_code(b)) continue;
    layout.instructions += instructions(b);
    const ir::Block& block = kernel_.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Instruction& instruction = kernel_.instructions[block.first + i];
      const ir::OperationKind kind = kernel_.operation(instruction).kind;
      layout.waits_for_warps = layout.waits_for_warps || waits_for_other_warps(kind);
      for (const Hold& hold : weights_[instruction.operation]->holds) {
        if (hold.resource == 0) continue;
        layout.way.longest_hold = max(layout.way.longest_hold, cycles_held(hold, flow_.transactions[block.first + i]));
      }
    }
  }
  layout.lines = lines_of(layout.instructions, per_line_);
}

std::optional<CodeLayout> Layout::measure(const std::vector<int64_t>& keep) const {
  std::vector<std::vector<Integer>> kept;
  for (const int64_t lines : keep) kept.push_back(lines_with_kept_loops(lines));
  const auto totals = ir::largest_block_totals(kernel_, flow_, 3 + keep.size(), [&](ir::BlockId id) {
    std::vector<Integer> values = {instructions(id), lines(id), held(id)};
    for (const std::vector<Integer>& each : kept) values.push_back(each[id]);
    return values;
  });
  if (!totals) return std::nullopt;
  CodeLayout layout;
  layout.way.instructions = (*totals)[0];
  layout.way.lines = (*totals)[1];
  layout.way.held = (*totals)[2];
  for (size_t i = 0; i < keep.size(); ++i) layout.way.kept.push_back(min((*totals)[3 + i], layout.way.lines));
  survey(layout);
  return layout;
}

}  // namespace

Integer lines_of(Integer instructions, int64_t instructions_per_line) {
  if (instructions == Integer(0)) return 0;
  return Integer(1) + ceil_divide(instructions - Integer(1), instructions_per_line);
}

std::optional<CodeLayout> code_layout(const ir::Kernel& kernel, const ir::Flow& flow, const Weights& weights,
                                      int64_t instructions_per_line, const std::vector<int64_t>& keep) {
  return Layout(kernel, flow, weights, instructions_per_line).measure(keep);
}

}  // namespace warpspan::timing
