// Let each turn of a loop make one compare-and-swap at an address that stays the same, let a turn go on only if that
// did not find what it expected, and let the next one expect what it found.
//
// Theorem. If W writes of other threads at most change what is at the address while a thread is in the loop, the header
// runs W + 2 times at most.
//
// Proof. A turn that goes on wrote nothing. Let turns k and k + 1 both go on: turn k + 1 expected what turn k found,
// and found something else. A thread's atomic operations on one address see what is there in the order in which it is
// written (PTX ISA 9.0, 8.10.7, coherence), so a write of another thread lies between. Each lies between two turns
// only. So W + 1 turns go on at most: the first may have expected anything. QED.
#include "frontend/lift/trips/methods/cas_retry.hpp"

#include <llvm/ADT/STLExtras.h>

#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

const llvm::Instruction* retried_swap(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                      const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                                      const std::function<bool(const llvm::Instruction&)>& is_swap) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return nullptr;
  const llvm::BasicBlock& header = *loop.getHeader();
  for (const Comparison& differs : comparisons_on_edge(*latch, header, header, dominators)) {
    const auto* swap = llvm::dyn_cast<llvm::Instruction>(differs.a);
    const auto* expected = llvm::dyn_cast<llvm::PHINode>(differs.b);
    if (differs.predicate != llvm::CmpInst::ICMP_NE || swap == nullptr || expected == nullptr) continue;
    if (loops.getLoopFor(swap->getParent()) != &loop || expected->getParent() != &header || !is_swap(*swap)) continue;
    const bool expects_found = swap->getOperand(1) == expected && expected->getIncomingValueForBlock(latch) == swap;
    if (expects_found && evolution.isLoopInvariant(evolution.getSCEV(swap->getOperand(0)), &loop)) return swap;
  }
  return nullptr;
}

}  // namespace warpspan::lift
