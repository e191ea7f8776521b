// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/flow_facts.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>

#include "frontend/lift/accesses/buffers.hpp"
#include "frontend/lift/lane_facts.hpp"
#include "frontend/lift/lifted_body.hpp"
#include "frontend/lift/loop_facts.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/evaluate.hpp"
#include "support/isolated.hpp"

namespace warpspan::lift {

namespace {

void find_order(LiftedBody& of, ir::Flow& flow) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(of.lifted.function);
  for (const llvm::BasicBlock* block : order) {
    const ir::BlockId id = of.lifted.graph.id(block);
    if (id != ir::no_block) flow.order.push_back(id);
  }
  for (size_t b = 0; b < of.kernel.blocks.size(); ++b) flow.blocks[b].reachable = of.lifted.graph.reachable[b];
}

// The next post-dominator that is a block of the kernel. Lanes that diverge reconverge there where the body declares no
// points.
void find_post_dominators(LiftedBody& of, ir::Flow& flow) {
  const std::vector<ir::Body::ReconvergencePoint>& declared = of.body.reconvergence_points;
  for (const ir::BlockId b : flow.order) {
    const auto* node = of.post_dominators.getNode(of.lifted.graph.blocks[b]);
    for (node = node == nullptr ? nullptr : node->getIDom(); node != nullptr; node = node->getIDom()) {
      const ir::BlockId found = node->getBlock() == nullptr ? ir::no_block : of.lifted.graph.id(node->getBlock());
      if (found == ir::no_block) continue;
      flow.blocks[b].post_dominator = found;
      break;
    }
    flow.blocks[b].reconvergence = declared.empty() ? flow.blocks[b].post_dominator : declared[b].block;
  }
}

// Whether control can come from the first block to an end.
bool may_end(const ir::Kernel& kernel, const ir::Flow& flow) {
  std::vector<bool> seen(kernel.blocks.size());
  std::vector<ir::BlockId> open = {0};
  while (!open.empty()) {
    const ir::BlockId block = open.back();
    open.pop_back();
    if (seen[block] || !flow.blocks[block].executed) continue;
    seen[block] = true;
    if (kernel.blocks[block].may_end) return true;
    const std::vector<ir::BlockId>& next = kernel.blocks[block].successors;
    open.insert(open.end(), next.begin(), next.end());
  }
  return false;
}

// Which blocks no thread executes. Where nothing is left, the user has stated what cannot be, or the kernel never ends:
// then all of it counts.
void find_executed(const LiftedBody& of, ir::Flow& flow) {
  if (!of.body.is_machine_code) return;
  for (const ir::BlockId b : flow.order) flow.blocks[b].executed = !of.dead.contains(of.lifted.graph.blocks[b]);
  if (may_end(of.kernel, flow)) return;
  for (const ir::BlockId b : flow.order) flow.blocks[b].executed = true;
}

void find_copies(const LiftedBody& of, ir::Flow& flow) {
  for (const ir::BlockId b : flow.order) {
    const ir::Block& block = of.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (ir::is_bulk_copy(of.kernel.operation(of.kernel.instructions[i])))
        flow.copies.push_back({i, ir::warp_lanes, {}});
    }
  }
  std::sort(flow.copies.begin(), flow.copies.end(),
            [](const ir::BulkCopy& a, const ir::BulkCopy& b) { return a.instruction < b.instruction; });
}

// How long sleeps are, and copies large.
void find_amounts(LiftedBody& of, ir::Flow& flow) {
  for (llvm::BasicBlock& block : *of.lifted.function) {
    for (llvm::Instruction& instruction : block) {
      const auto from = origin(instruction);
      if (!from || call_kind(instruction) != CallKind::amount) continue;
      const llvm::APInt most = of.counts.range(*instruction.getOperand(0), false).getUnsignedMax();
      if (most.isMaxValue()) continue;
      const auto amount = static_cast<int64_t>(most.getZExtValue());
      const auto copy = std::find_if(flow.copies.begin(), flow.copies.end(),
                                     [&](const ir::BulkCopy& one) { return one.instruction == *from; });
      if (copy == flow.copies.end()) {
        flow.sleeps.push_back({*from, amount});
      } else {
        copy->bytes = amount;
      }
    }
  }
  std::sort(flow.sleeps.begin(), flow.sleeps.end(),
            [](const ir::Sleep& a, const ir::Sleep& b) { return a.instruction < b.instruction; });
}

// Whether all threads of all blocks pass the instruction, each once: so they pass all of these in the same order.
bool is_passed_once(const LiftedBody& of, const ir::Flow& flow, ir::InstructionId instruction) {
  if (of.program.bodies.size() > 1 || of.kernel.instructions[instruction].guarded) return false;
  const llvm::BasicBlock& entry = of.lifted.function->getEntryBlock();
  for (const ir::BlockId b : flow.order) {
    const ir::Block& block = of.kernel.blocks[b];
    if (instruction < block.first || instruction >= block.first + block.count) continue;
    const llvm::BasicBlock& own = *of.lifted.graph.blocks[b];
    return of.loops.getLoopFor(&own) == nullptr && of.post_dominators.dominates(&own, &entry);
  }
  return true;  // no thread comes there
}

// PTX ISA, "bar, barrier": the barrier's number, then how many threads meet there, which is rounded up to whole warps,
// and of a reduction a predicate.
bool is_partial(const LiftedBody& of, ir::InstructionId barrier) {
  const ir::Synchronisation what = of.body.operation(barrier).facts.synchronisation;
  if (what == ir::Synchronisation::arrive) return true;
  const auto all = of.body.sources(barrier);
  const auto sources = all.first(all.size() - (what == ir::Synchronisation::reduce ? 1 : 0));
  if (sources.size() < 2) return false;
  return sources[1].kind != ir::Operand::Kind::integer ||
         sources[1].value < of.block.count().value().value_or(INT64_MAX);
}

void find_partial_barriers(const LiftedBody& of, ir::Flow& flow) {
  using enum ir::OperationKind;
  for (ir::InstructionId i = 0; i < of.kernel.instructions.size(); ++i) {
    const ir::OperationKind kind = of.kernel.operation(of.kernel.instructions[i]).kind;
    const bool partial = kind == cluster_barrier ? !is_passed_once(of, flow, i) : kind == barrier && is_partial(of, i);
    if (partial) flow.partial_barriers.push_back(i);
  }
  // Those with guards are there already.
  auto& all = flow.partial_barriers;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

bool is_unbounded(const ir::Flow& flow) {
  return std::any_of(flow.loops.begin(), flow.loops.end(), [](const ir::Loop& loop) { return !loop.trip_count; });
}

// The blocks in their order, and loops: all that there is of the control part, and of a body that is all of the program
// where loops_only is asked for and one of these has no trip count.
ir::Flow find_flow(LiftedBody& of, Part part, OfUnbounded of_unbounded, const MoreTrips& more_trips) {
  ir::Flow flow;
  flow.blocks.resize(of.kernel.blocks.size());
  flow.trusted_variables = of.lifted.trusted_variables;
  flow.lanes_part = of.kernel.lanes_part;
  find_order(of, flow);
  find_post_dominators(of, flow);
  const LoopIds loops = find_loops(of, flow);
  find_executed(of, flow);
  if (more_trips) more_trips(flow);
  const bool needs_loops_only =
      of_unbounded == OfUnbounded::loops_only && of.program.bodies.size() == 1 && is_unbounded(flow);
  if (part == Part::all && !needs_loops_only) {
    flow.transactions.resize(of.kernel.instructions.size());
    find_copies(of, flow);
    find_amounts(of, flow);
    find_lane_facts(of, loops, flow);
    find_partial_barriers(of, flow);
  }
  flow.unrounded_floats = flow.unrounded_floats || has_evaluated_unrounded(*of.lifted.module);
  return flow;
}

// By body.
support::Result<std::vector<Lifted>> lift_bodies(const ir::Program& program, const ir::Launch& launch,
                                                 const Bindings& bindings, Part part) {
  const VariableSet common = find_common_variables(program);
  std::vector<Lifted> all;
  support::Diagnostics errors;
  for (const ir::Body& body : program.bodies) {
    auto lifted = lift(program, body, launch, bindings, common, part);
    if (lifted) {
      all.push_back(std::move(*lifted));
    } else {
      errors.insert(errors.end(), lifted.errors().begin(), lifted.errors().end());
    }
  }
  // A pointer that one body makes may be used in any other.
  const bool any = std::any_of(all.begin(), all.end(), [](const Lifted& lifted) { return lifted.has_local_pointers; });
  for (Lifted& lifted : all) lifted.has_local_pointers = any;
  if (!errors.empty()) return errors;
  return all;
}

// The facts of a body, behind those of the bodies before it.
void append(ir::Flow body, ir::Flow& all) {
  const auto first_block = static_cast<ir::BlockId>(all.blocks.size());
  const auto first_loop = static_cast<ir::LoopId>(all.loops.size());
  for (ir::BlockFlow& block : body.blocks) {
    if (block.loop != ir::no_loop) block.loop += first_loop;
    for (ir::BlockId* joining : {&block.post_dominator, &block.reconvergence}) {
      if (*joining != ir::no_block) *joining += first_block;
    }
    all.blocks.push_back(block);
  }
  for (ir::Loop& loop : body.loops) {
    loop.header += first_block;
    if (loop.parent != ir::no_loop) loop.parent += first_loop;
    all.loops.push_back(std::move(loop));
  }
  for (const ir::BlockId block : body.order) all.order.push_back(block + first_block);
  const auto first_instruction = static_cast<ir::InstructionId>(all.transactions.size());
  for (ir::Access& access : body.accesses) {
    access.renumber([first_instruction](ir::InstructionId id) { return id + first_instruction; });
    if (access.object != ir::no_object) access.object += static_cast<ir::ObjectId>(all.objects.size());
    all.accesses.push_back(std::move(access));
  }
  for (const ir::Sleep& sleep : body.sleeps)
    all.sleeps.push_back({sleep.instruction + first_instruction, sleep.nanoseconds});
  for (ir::PartialAccess& access : body.partial_accesses) {
    access.instruction += first_instruction;
    all.partial_accesses.push_back(access);
  }
  for (ir::BulkCopy& copy : body.copies) {
    copy.instruction += first_instruction;
    all.copies.push_back(copy);
  }
  for (const ir::InstructionId barrier : body.partial_barriers)
    all.partial_barriers.push_back(barrier + first_instruction);
  all.unrounded_floats = all.unrounded_floats || body.unrounded_floats;
  all.lanes_part = all.lanes_part || body.lanes_part;
  all.divides_least = all.divides_least || body.divides_least;
  all.same_unwritten = all.same_unwritten || body.same_unwritten;
  all.bounding_variables.insert(all.bounding_variables.end(), body.bounding_variables.begin(),
                                body.bounding_variables.end());
  all.trusted_variables.insert(all.trusted_variables.end(), body.trusted_variables.begin(),
                               body.trusted_variables.end());
  all.objects.insert(all.objects.end(), body.objects.begin(), body.objects.end());
  all.transactions.insert(all.transactions.end(), body.transactions.begin(), body.transactions.end());
}

}  // namespace

// LLVM takes memory with malloc too, and aborts where there is none.
static void install_memory_handler() {
  static const bool installed = [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { support::out_of_memory(); });
    return true;
  }();
  static_cast<void>(installed);
}

static support::Result<ir::Flow> facts_of(const ir::Program& program, const ir::Launch& launch,
                                          const Bindings& bindings, Part part, OfUnbounded of_unbounded,
                                          const MoreTrips& more_trips, Groups groups) {
  auto lifted = lift_bodies(program, launch, bindings, part);
  if (!lifted) return lifted.errors();
  ir::Flow all;
  for (size_t i = 0; i < program.bodies.size(); ++i) {
    LiftedBody body(program, program.bodies[i], launch, (*lifted)[i]);
    body.any_groups = groups == Groups::any || body.kernel.lanes_part;
    append(find_flow(body, part, of_unbounded, more_trips), all);
  }
  return all;
}

// Below, all facts are found about as soon as it is known whether loops are bounded.
constexpr size_t least_instructions = 4096;

// Whether it pays to look at the loops first: what goes back in the text may be one.
static bool has_loops_in_much_code(const ir::Program& program) {
  size_t instructions = 0;
  bool goes_back = false;
  for (const ir::Body& body : program.bodies) {
    instructions += body.instructions.size();
    for (ir::BlockId b = 0; b < body.kernel.blocks.size(); ++b) {
      const auto& next = body.kernel.blocks[b].successors;
      goes_back = goes_back || std::any_of(next.begin(), next.end(), [b](ir::BlockId to) { return to <= b; });
    }
  }
  return goes_back && instructions >= least_instructions;
}

support::Result<ir::Flow> find_facts(const ir::Program& program, const ir::Launch& launch, OfUnbounded of_unbounded,
                                     const MoreTrips& more_trips, Groups groups) {
  install_memory_handler();
  const auto bindings = bind_arguments(program, launch);
  if (!bindings) return bindings.errors();
  if (auto errors = check_buffers(launch); !errors.empty()) return errors;
  if (of_unbounded == OfUnbounded::loops_only && has_loops_in_much_code(program)) {
    auto control = facts_of(program, launch, *bindings, Part::control, of_unbounded, more_trips, groups);
    if (!control || is_unbounded(*control)) return control;
  }
  auto all = facts_of(program, launch, *bindings, Part::all, of_unbounded, more_trips, groups);
  if (!all || (of_unbounded == OfUnbounded::loops_only && is_unbounded(*all))) return all;
  if (auto errors = check_against_buffers(program, launch, *all); !errors.empty()) return errors;
  return all;
}

}  // namespace warpspan::lift
