// SPDX-License-Identifier: GPL-3.0-or-later
// Let each iteration of a loop make one compare-and-swap at an address that stays the same, let an iteration go on only
// if that did not find what it expected, and let the next one expect what it found.
//
// Theorem. If W writes of other threads at most change what is at the address while a thread is in the loop, the header
// runs W + 2 times at most.
//
// Proof. An iteration that goes on wrote nothing. Let iterations k and k + 1 both go on: iteration k + 1 expected what
// iteration k found, and found something else. A thread's atomic operations on one address see what is there in the
// order in which it is written (PTX ISA 9.0, 8.10.7, coherence), so a write of another thread lies between. Each lies
// between two iterations only. So W + 1 iterations go on at most: the first may have expected anything. QED.
#include "frontend/lift/trips/methods/cas_retry.hpp"

#include <llvm/ADT/STLExtras.h>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

namespace {

// Whether its operands begin with the address and what it expects, and its value is what it finds.
bool is_swap(const llvm::Instruction& instruction, const ir::Kernel& kernel) {
  const auto from = call_kind(instruction) == CallKind::opaque ? origin(instruction) : std::nullopt;
  return from && ir::is_compare_and_swap(kernel.operation(kernel.instructions[*from])) &&
         llvm::cast<llvm::CallInst>(instruction).arg_size() == 2;
}

}  // namespace

const llvm::Instruction* retried_swap(const TripContext& context) {
  const llvm::Loop& loop = context.loop;
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return nullptr;
  const llvm::BasicBlock& header = *loop.getHeader();
  for (const Comparison& differs : comparisons_on_edge(*latch, header, header, context.dominators)) {
    const auto* swap = llvm::dyn_cast<llvm::Instruction>(differs.a);
    const auto* expected = llvm::dyn_cast<llvm::PHINode>(differs.b);
    if (differs.predicate != llvm::CmpInst::ICMP_NE || swap == nullptr || expected == nullptr) continue;
    if (context.loops.getLoopFor(swap->getParent()) != &loop || expected->getParent() != &header) continue;
    if (!is_swap(*swap, context.body.kernel)) continue;
    const bool expects_found = swap->getOperand(1) == expected && expected->getIncomingValueForBlock(latch) == swap;
    const llvm::SCEV* address = expects_found ? context.evolution.getSCEV(swap->getOperand(0)) : nullptr;
    if (expects_found && context.evolution.isLoopInvariant(address, &loop)) return swap;
  }
  return nullptr;
}

std::optional<Trips> trips_by_cas_retry(const TripContext& context) {
  const llvm::Instruction* swap = retried_swap(context);
  if (swap == nullptr) return std::nullopt;
  const auto writes = most_writes(context.body.kernel, context.flow, context.launch, context.retried, *origin(*swap));
  return writes && *writes <= INT64_MAX - 2 ? at_most(*writes + 2) : std::nullopt;
}

}  // namespace warpspan::lift
