// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations. A warp issues one machine instruction a cycle at most. Each iteration issues those of its instructions
// again that no assembler can leave out: accesses to memory that others change, sleeps and fences. Let m be the fewest
// of these on a path from the header back to it, at least 1. A warp that is in the loop for T cycles at most has gone
// round it T / m times at most, so the header runs T / m + 1 times.
//
// Theorem. Let a loop contain no other, and let it only look: what it asks of memory it reads, and before its iteration
// goes on it waits for the answer, to decide where. Let no warp be in it for more than T cycles each time it is
// entered. Then solver/makespan/grid_bound.hpp holds if each time it is entered
//  - counts on the critical path the end of all that is outstanding, T, and the times of two iterations that begin with
//    nothing outstanding, and
//  - counts as demand what two iterations occupy, and T cycles of one more resource, of one server, which the warps
//    share that share anything the loop occupies.
//
// Proof. Analyse a warp v as in the proof of these bounds. While v is in the loop, at most T cycles pass, whether they
// are blocked or not: all of them are charged to its path. When it leaves the loop, answers may be outstanding only of
// the iteration that it leaves and of the one before: all earlier ones have been waited for. What else it has issued
// goes through units in order, and ends no later than its latency after the loop ends. On the path two iterations begin
// when v has left the loop already, so each of their results is there no earlier than the true one, and so is what
// follows. Another warp w is in the loop for T cycles each time. A cycle in which v is blocked meanwhile is charged to
// the additional resource, which w occupies for these T cycles and no other warp needs. A cycle in which v is blocked
// after w has left it is one in which w occupies nothing of the loop but for what is outstanding: requests of two
// iterations. A wait of v for what serves lines is divided by that, into one segment more each time: a line of the two
// iterations that has been served by then pays for the line that each begins with. QED.
//
// A question before the loop. An assembler may take the first question out of the loop: it asks a barrier object, and
// where the answer is no, the loop asks on. A question is a loop of one iteration that only looks, if it waits for the
// answer to decide where to go; so, if no warp is in it for more than T cycles, the theorem holds with the question's
// block in place of the loop's two iterations.
//
// On the path and in the sums the two iterations begin with the header, which runs twice; half of T counts at each. At
// the second one the first iteration has ended. Where more iterations are left behind, as below, T is shared out among
// all of them.
//
// Clocks. How long a warp is in a loop that a counter of cycles ends (ir::ClockLimit) also depends on what keeps it
// waiting after the last look at the counter that let an iteration go on.
//
// Theorem. Let a loop contain no other, let it ask nothing of memory, neither sleep nor synchronise with others, and
// let each of its instructions either occupy nothing but what it occupies from its issue on, or have a result which the
// branch at the end of its block waits for. Let M iterations follow the last one in which any of the lanes that entered
// it together reads the counter less than N cycles after its read before the loop, or no more than M iterations be all.
// Let no instruction of the loop and no read of the counter have a latency, a gap, or an occupancy of more than H
// cycles. Then grid_bound.hpp holds if each time the loop is entered T = N + 2 H and M + 2 iterations count as in the
// theorem above.
//
// Proof. Let the lanes enter the loop at e, let K be the last iteration in which a lane reads less than N cycles after
// its read before the loop, and r when that read takes place. That before the loop has been issued by e and takes place
// by e + H, so r < e + H + N; and where the warp is analysed no later than N after what is outstanding at e has ended
// on the path. What has been issued before iteration K is over by r + H: what is occupied from the issue on, because
// the read of iteration K issues later in order; and of what the branch of its iteration waited for, the result is
// there, so that it had begun to occupy all that it does. So from e to r + H at most T cycles pass, or for an analysed
// warp N + H after the end of what was outstanding. At r + H nothing is outstanding but of iteration K, and what is
// still to be done is of iteration K and the M iterations that follow it. If there is no iteration K, the M iterations
// are all.
//  Analyse a warp v. All cycles from e to r + H are charged to its path, whether they are blocked or not. The path goes
// on with M + 2 iterations that begin then with nothing outstanding: what v had issued of iteration K by then, it
// issued earlier than on the path; all else it issues no later than there but for blocked cycles, by the lemma, as in
// the last M + 1 iterations of these. An iteration more only makes the path longer.
//  Another warp w occupies the additional resource from e to r + H. A cycle in which v is blocked meanwhile is charged
// to that; one in which v is blocked later is one in which w occupies nothing of the loop but with steps of M + 1
// iterations. Where v waits for what serves lines, which only code and constants are here, the lines of the iteration
// that is left pay for the line that each further segment begins with. QED.
//
// Why reads follow one another within ir::ClockLimit::apart cycles wherever the bound is less than that and the device
// runs nothing but the launch: up to the end of the first gap that is longer, a run is one of a machine whose counter
// has more bits and never goes round, and has taken more than that. No such run takes longer than the bound, whatever
// comes after.
#include "timing/warp/waiting.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>
#include <string>

#include "ir/lane_groups.hpp"
#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

namespace {

using ir::BlockId;
using ir::OperationKind;
using support::Integer;

constexpr int64_t iterations_left_behind = 2;
constexpr int64_t iterations_more = 2;  // than follow the last look at a counter which lets an iteration go on

Integer cycles_of(int64_t nanoseconds, const Machine& machine) {
  return ceil_divide(Integer(nanoseconds) * machine.clock_khz, 1'000'000);
}

// Whether each run of the PTX instruction is at least one machine instruction.
bool is_issued(const ir::Kernel& kernel, const ir::Instruction& instruction) {
  if (kernel.is_machine_code()) return true;
  const ir::Operation& operation = kernel.operation(instruction);
  switch (operation.kind) {
    case OperationKind::sleep:
    case OperationKind::fence:
    case OperationKind::mbarrier:
    case OperationKind::atomic_shared:
    case OperationKind::atomic_global:
    case OperationKind::reduce_global:
    case OperationKind::atomic_generic: return true;
    default: return ir::is_strong_load(operation);
  }
}

// The fewest machine instructions of an iteration that are known to be issued.
int64_t shortest_iteration(const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId id) {
  const BlockId header = flow.loops[id].header;
  const auto own = [&](BlockId b) {
    int64_t issued = 0;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (!kernel.instructions[i].guarded && is_issued(kernel, kernel.instructions[i])) ++issued;
    }
    return issued;
  };
  constexpr int64_t far = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> begins(kernel.blocks.size(), far);
  using Entry = std::pair<int64_t, BlockId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  begins[header] = 0;
  open.push({0, header});
  int64_t shortest = far;
  while (!open.empty()) {
    const auto [distance, block] = open.top();
    open.pop();
    if (distance > begins[block]) continue;
    const int64_t end = distance + own(block);
    for (const BlockId next : kernel.blocks[block].successors) {
      if (next == header) shortest = std::min(shortest, end);
      if (next == header || !ir::contains(flow, id, next) || end >= begins[next]) continue;
      begins[next] = end;
      open.push({end, next});
    }
  }
  return shortest == far ? 1 : std::max<int64_t>(1, shortest);
}

// Nothing if it exceeds 64 bits.
std::optional<int64_t> most_iterations(const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId id,
                                       const Machine& machine) {
  const Integer cycles = cycles_of(*flow.loops[id].longest_wait, machine);
  return (floor_divide(cycles, shortest_iteration(kernel, flow, id)) + 1).value();
}

// Whether the branch at the end of the block waits for what the instruction writes.
bool decides(const ir::Kernel& kernel, const ir::Block& block, ir::InstructionId instruction) {
  std::set<ir::RegisterId> needed = {block.transfer.guard};
  const auto is_needed = [&](const ir::Instruction& i) {
    const ir::RegisterId* writes = kernel.writes(i);
    return std::any_of(writes, writes + i.writes, [&](ir::RegisterId r) { return needed.contains(r); });
  };
  for (ir::InstructionId i = block.first + block.count - 1; i > instruction; --i) {
    const ir::Instruction& later = kernel.instructions[i];
    if (!is_needed(later)) continue;
    if (!later.guarded) {
      for (uint32_t w = 0; w < later.writes; ++w) needed.erase(kernel.writes(later)[w]);
    }
    for (uint32_t r = 0; r < later.reads; ++r) needed.insert(kernel.reads(later)[r]);
  }
  return is_needed(kernel.instructions[instruction]);
}

// Of operations that access memory: whether they only read, or change it by an instruction that answers.
bool answers(const ir::Operation& operation) {
  using ir::AccessClass;
  using ir::MemorySpace;
  using ir::Synchronisation;
  const Synchronisation what = operation.facts.synchronisation;
  if (what == Synchronisation::test || what == Synchronisation::try_wait) return true;
  const ir::KindTraits of_kind = ir::traits(operation.kind);
  const bool returns = of_kind.access == AccessClass::load || of_kind.access == AccessClass::atomic;
  return returns && of_kind.space != MemorySpace::local && of_kind.space != MemorySpace::texture;
}

// The theorem's condition.
bool only_looks(const CostedKernel& costed, ir::LoopId id) {
  const auto& [kernel, flow, costs, machine] = costed;
  const auto is_inner = [id](const ir::Loop& loop) { return loop.parent == id; };
  if (std::any_of(flow.loops.begin(), flow.loops.end(), is_inner)) return false;
  if (kernel.blocks[flow.loops[id].header].count == 0) return false;
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (flow.blocks[b].loop != id) continue;
    const ir::Block& block = kernel.blocks[b];
    if (block.callee != ir::no_function) return false;
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Instruction& instruction = kernel.instructions[i];
      const ir::Operation& operation = kernel.operation(instruction);
      if (!costs.of(instruction).retries.empty()) return false;
      const bool accesses = operation.space != ir::MemorySpace::none || operation.bytes > 0;
      if (accesses ? !answers(operation) || !decides(kernel, block, i) : ir::traits(operation.kind).lasts) return false;
    }
  }
  return true;
}

// The condition of the theorem of clocks.
bool only_looks_at_clock(const CostedKernel& costed, ir::LoopId id) {
  const auto& [kernel, flow, costs, machine] = costed;
  if (!only_looks(costed, id)) return false;
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (flow.blocks[b].loop != id) continue;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = kernel.operation(kernel.instructions[i]);
      const bool asks = operation.space != ir::MemorySpace::none || operation.bytes > 0;
      if (asks || operation.kind == OperationKind::sleep || operation.kind == OperationKind::fence) return false;
      const std::vector<Occupancy>& occupancies = costs.of(kernel.instructions[i]).occupancies;
      const bool from_issue = std::all_of(
          occupancies.begin(), occupancies.end(),
          [&costed](const Occupancy& occupancy) { return costed.machine.resources[occupancy.resource].at_issue; });
      if (!from_issue && !decides(kernel, block, i)) return false;
    }
  }
  return true;
}

// H of the theorem of clocks.
Integer longest_figure(const CostedKernel& costed, ir::LoopId id) {
  const auto& [kernel, flow, costs, machine] = costed;
  Integer longest = 0;
  const auto add = [&longest](const Integer& cycles) { longest = max(longest, cycles); };
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Instruction& instruction = kernel.instructions[i];
      if (flow.blocks[b].loop != id && !kernel.operation(instruction).reads_clock) continue;
      const OperationFigures& cost = costs.of(instruction);
      add(worst_latency(cost, flow.transactions[i]));
      add(cost.gap);
      add(Integer(cost.instructions) * machine.issue_gap);
      for (const Occupancy& occupancy : cost.occupancies) add(costs.occupied_cycles(occupancy, flow.transactions[i]));
    }
  }
  return longest;
}

// A sleep has ended when the next instruction of the loop issues, so it is within the time of the wait.
void leave_out_sleeps(const ir::Kernel& kernel, ir::LoopId id, ir::Flow& flow) {
  const auto before = [](const ir::Sleep& a, ir::InstructionId b) { return a.instruction < b; };
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (flow.blocks[b].loop != id || kernel.blocks[b].count == 0) continue;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i + 1 < block.first + block.count; ++i) {
      if (kernel.operation(kernel.instructions[i]).kind != OperationKind::sleep) continue;
      const auto at = std::lower_bound(flow.sleeps.begin(), flow.sleeps.end(), i, before);
      const bool is_known = at != flow.sleeps.end() && at->instruction == i;
      (is_known ? at : flow.sleeps.insert(at, {i, 0}))->nanoseconds = 0;
    }
  }
}

// T of the theorem of clocks, where that counts; nothing else says how often the loop runs then.
std::optional<int64_t> clock_wait(const CostedKernel& costed, ir::LoopId id) {
  const ir::Loop& loop = costed.flow.loops[id];
  if (!loop.clock || loop.source != ir::TripCountSource::clock) return std::nullopt;
  if (*loop.trip_count <= loop.clock->more + iterations_more) return std::nullopt;
  if (!only_looks_at_clock(costed, id)) return std::nullopt;
  return (Integer(loop.clock->cycles) + Integer(2) * longest_figure(costed, id)).value();
}

bool may_suspend(const ir::Operation& operation) {
  return operation.facts.synchronisation == ir::Synchronisation::try_wait;
}

// The question of a block that waits for the answer to decide where to go, if it has just one.
std::optional<ir::InstructionId> question_in(const ir::Kernel& kernel, const ir::Block& block) {
  std::optional<ir::InstructionId> question;
  for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
    if (!may_suspend(kernel.operation(kernel.instructions[i]))) continue;
    if (question || !decides(kernel, block, i)) return std::nullopt;
    question = i;
  }
  return question;
}

bool asks_like(const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId id, const std::string& question) {
  return ir::any_instruction(kernel, flow, id, [&](ir::InstructionId i) {
    const ir::Operation& operation = kernel.operation(kernel.instructions[i]);
    return may_suspend(operation) && operation.text == question;
  });
}

// Whether control that comes to a block only leads to another one.
bool only_leads_to(const ir::Kernel& kernel, BlockId from, BlockId to) {
  constexpr int most_blocks = 16;
  for (int i = 0; i < most_blocks && from != to; ++i) {
    if (kernel.blocks[from].successors.size() != 1 || kernel.blocks[from].may_end) return false;
    from = kernel.blocks[from].successors.front();
  }
  return from == to;
}

// Those that stand in no loop with a wait of its own, ask as the loop does, and lead to nothing but it where the answer
// is no, or where it is yes.
std::vector<ir::Loop::Question> questions_before(const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId id) {
  std::vector<ir::Loop::Question> questions;
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::LoopId around = flow.blocks[b].loop;
    const ir::Block& block = kernel.blocks[b];
    if (!flow.blocks[b].reachable || (around != ir::no_loop && flow.loops[around].longest_wait)) continue;
    const auto question = question_in(kernel, block);
    if (!question || !asks_like(kernel, flow, id, kernel.operation(kernel.instructions[*question]).text)) continue;
    const bool leads = std::any_of(block.successors.begin(), block.successors.end(),
                                   [&](BlockId next) { return only_leads_to(kernel, next, flow.loops[id].header); });
    if (leads) questions.push_back({b, kernel.instructions[*question].line});
  }
  return questions;
}

support::Diagnostic too_short(const ir::Kernel& kernel, const ir::Loop& loop, int64_t iterations) {
  return error_in_line(kernel, loop.line,
                       "a wait of " + std::to_string(*loop.longest_wait) +
                           " ns cannot be true: the loop runs at least " + std::to_string(loop.fewest_trips) +
                           " times where it is entered, and in this time " + std::to_string(iterations) +
                           " times at most",
                       "leave it out (" + ir::to_string(loop.wait_given_by) + "), or give a longer time");
}

}  // namespace

bool has_given_waits(const ir::Flow& flow) {
  return std::any_of(flow.loops.begin(), flow.loops.end(), [](const ir::Loop& loop) { return loop.longest_wait; });
}

support::Result<ir::Flow> with_wait_trip_counts(const ir::Kernel& kernel, ir::Flow flow, const Machine& machine) {
  support::Diagnostics errors;
  for (ir::LoopId id = 0; id < flow.loops.size(); ++id) {
    ir::Loop& loop = flow.loops[id];
    if (!loop.longest_wait) continue;
    loop.asked_before = questions_before(kernel, flow, id);
    const int64_t iterations = most_iterations(kernel, flow, id, machine).value_or(std::numeric_limits<int64_t>::max());
    if (iterations < loop.fewest_trips) errors.push_back(too_short(kernel, loop, iterations));
    if (loop.trip_count && *loop.trip_count <= iterations) continue;
    loop.trip_count = iterations;
    loop.source = ir::TripCountSource::user;
  }
  if (!errors.empty()) return errors;
  return flow;
}

ir::Flow with_waits(const CostedKernel& costed) {
  ir::Flow flow = costed.flow;
  for (ir::LoopId id = 0; id < flow.loops.size(); ++id) {
    ir::Loop& loop = flow.loops[id];
    if (const auto wait = clock_wait(costed, id)) {
      loop.wait_cycles = wait;
      loop.trip_count = loop.clock->more + iterations_more;
    } else if (loop.longest_wait && only_looks(costed, id)) {
      loop.wait_cycles = cycles_of(*loop.longest_wait, costed.machine).value();
      if (!loop.wait_cycles) continue;
      loop.trip_count = iterations_left_behind;
      leave_out_sleeps(costed.kernel, id, flow);
    }
  }
  return flow;
}

std::map<BlockId, BlockWait> block_waits(const ir::Flow& flow) {
  std::map<BlockId, BlockWait> waits;
  for (ir::LoopId id = 0; id < flow.loops.size(); ++id) {
    const ir::Loop& loop = flow.loops[id];
    if (!loop.wait_cycles) continue;
    waits[loop.header] = {id, *ceil_divide(Integer(*loop.wait_cycles), *loop.trip_count).value()};
    for (const ir::Loop::Question& question : loop.asked_before) {
      BlockWait& wait = waits[question.block];
      if (wait.cycles < *loop.wait_cycles) wait = {id, *loop.wait_cycles};
    }
  }
  return waits;
}

bool has_waits(const ir::Flow& flow) {
  return std::any_of(flow.loops.begin(), flow.loops.end(), [](const ir::Loop& loop) { return loop.wait_cycles; });
}

void add_wait_resources(Machine& machine, Costs& costs) {
  using Sharing = ResourceFigures::Sharing;
  constexpr const char* source = "how long warps wait, as a user or a counter of cycles says";
  machine.resources.push_back({std::string(waits_resource), 1, Sharing::multiprocessor, Evidence::assumed, source});
  machine.resources.push_back({std::string(device_waits_resource), 1, Sharing::device, Evidence::assumed, source});
  costs.ticks.resize(machine.resources.size(), 1);
}

support::Diagnostics endless_suspensions(const ir::Kernel& kernel, const ir::Flow& flow) {
  support::Diagnostics errors;
  const auto waits = block_waits(flow);
  for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::LoopId loop = flow.blocks[b].loop;
    if (!flow.blocks[b].reachable || waits.contains(b)) continue;
    if (loop != ir::no_loop && flow.loops[loop].wait_cycles) continue;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = kernel.operation(kernel.instructions[i]);
      if (!may_suspend(operation)) continue;
      const char* help = loop == ir::no_loop || !flow.loops[loop].longest_wait
                             ? "let a loop repeat it until it succeeds, and give the longest time that a thread is in "
                               "that loop ({wait} PLACE=2us)"
                             : "the loop does more than to look at what it waits for, so that its time says nothing "
                               "about this instruction (docs/facts.md); use mbarrier.test_wait";
      errors.push_back(error_in_line(kernel, kernel.instructions[i].line,
                                     "'" + operation.text + "' may suspend its warp for as long as the system likes",
                                     help));
    }
  }
  return errors;
}

}  // namespace warpspan::timing
