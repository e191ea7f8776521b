// SPDX-License-Identifier: GPL-3.0-or-later
// What a thread brings along from a loop.
//
// Let v be computed in a loop L and used outside of it by u. A phi uses v where the edge ends, so each of its edges is
// a use of its own. Say that scalar evolution knows v at the scope of u to be the constant c. Then every execution of u
// reads c.
//
// 1. u reads what v was in the last iteration of L. v dominates u, or the block that the edge comes from. If the last
// iteration
//    went from the header to where it left L, and on to u, without computing v, then so would a path from the entry to
//    the header, which does not pass v because the header dominates v, and along this iteration to u. Once L is left, v
//    is not computed before L is entered again. If L lies in L', which u is outside of too, the same holds of L'.
// 2. Which iteration is the last. The exact count of scalar evolution is the number of the first iteration in which the
// test of
//    an exit ends the loop, and there is none unless it is known for every exit of L but those whose tests are
//    constants that never hold. It is found in wrapping arithmetic: nothing here is nsw or nuw. That a loop ends is
//    assumed only of functions or loops that are mustprogress or willreturn, which these are not. A loop that never
//    ends leaves nothing behind: u is not executed.
// 3. What v is in that iteration: its closed form there, or what its operands in the same iteration make of it, or, in
// the first
//    hundred iterations, what is found by executing them. The only undefined values are what phis get by edges that are
//    never taken; no constant number is made of them alone, and nothing reads what is made of them. What a call returns
//    is never known, a cut chain of computations included.
//
// All this is of one thread and holds for each, so c is the same for all.
//
// The same goes for V + c, if V is what a phi of the header of L gets where L is entered, and v, in the last iteration,
// is V + c with what else the loops around L hold at that time. V dominates the header, so v, so what u reads. Between
// the last v before u and u V is not computed: there would be a path from V to u without v, and, since no path comes to
// V by v first, one from the entry. So V still is what it was as L was entered.
#include "frontend/lift/rewrites/exit_values.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <map>
#include <optional>
#include <tuple>

namespace warpspan::lift {

namespace {

class Rewriter {
 public:
  // takes_sums: V + c, too.
  Rewriter(LoopAnalyses& analyses, bool takes_sums)
      : function_(analyses.function), loops_(analyses.loops), evolution_(analyses.evolution), takes_sums_(takes_sums) {}

  bool run() {
    if (loops_.empty()) return false;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      const llvm::Loop* loop = loops_.getLoopFor(instruction.getParent());
      if (loop == nullptr || !instruction.getType()->isIntegerTy()) continue;
      for (llvm::Use& use : instruction.uses()) {
        const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(use.getUser())->getParent();
        if (!loop->contains(block)) uses_.push_back(&use);
      }
    }
    // All are found before any is replaced: what is known of an expression was computed from the uses as they are.
    for (llvm::Use* use : uses_) values_.push_back(exit_value(*use));
    bool changes = false;
    for (size_t i = 0; i < uses_.size(); ++i) {
      if (!values_[i]) continue;
      uses_[i]->set(sum(*values_[i]));
      changes = true;
    }
    return changes;
  }

 private:
  // V + c; V is null for c alone.
  struct ExitValue {
    llvm::Value* start = nullptr;
    llvm::ConstantInt* constant = nullptr;
    bool operator<(const ExitValue& other) const {
      return std::tie(start, constant) < std::tie(other.start, other.constant);
    }
  };

  std::optional<ExitValue> exit_value(const llvm::Use& use) {
    const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    const llvm::SCEV* value = evolution_.getSCEVAtScope(use.get(), loops_.getLoopFor(user.getParent()));
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(value))
      return ExitValue{nullptr, constant->getValue()};
    return takes_sums_ ? from_start(*use.get()) : std::nullopt;
  }

  std::optional<ExitValue> from_start(llvm::Value& value) {
    const llvm::Loop& loop = *loops_.getLoopFor(llvm::cast<llvm::Instruction>(value).getParent());
    const llvm::BasicBlock* entering = loop.getLoopPredecessor();
    if (entering == nullptr) return std::nullopt;
    const llvm::SCEV* last = evolution_.getSCEVAtScope(&value, loop.getParentLoop());
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      llvm::Value* start = phi.getIncomingValueForBlock(entering);
      if (phi.getType() != value.getType() || llvm::isa<llvm::Constant>(start)) continue;
      const llvm::SCEV* apart = evolution_.getMinusSCEV(last, evolution_.getSCEV(start));
      if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(apart))
        return ExitValue{start, constant->getValue()};
    }
    return std::nullopt;
  }

  // Where V is known, so that it is known to all that read it, whatever edges are never taken.
  llvm::Value* sum(const ExitValue& value) {
    if (value.start == nullptr) return value.constant;
    if (value.constant->isZero()) return value.start;
    llvm::Value*& known = sums_[value];
    if (known != nullptr) return known;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value.start);
    llvm::BasicBlock& block = instruction == nullptr ? function_.getEntryBlock() : *instruction->getParent();
    const bool is_first = instruction == nullptr || llvm::isa<llvm::PHINode>(instruction);
    const auto place = is_first ? block.getFirstInsertionPt() : std::next(instruction->getIterator());
    known = llvm::BinaryOperator::CreateAdd(value.start, value.constant, "", place);
    return known;
  }

  llvm::Function& function_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const bool takes_sums_;
  llvm::SmallVector<llvm::Use*, 32> uses_;
  llvm::SmallVector<std::optional<ExitValue>, 32> values_;
  std::map<ExitValue, llvm::Value*> sums_;
};

}  // namespace

bool rewrite_exit_values(LoopAnalyses& analyses) { return Rewriter(analyses, false).run(); }
bool rewrite_exit_sums(LoopAnalyses& analyses) { return Rewriter(analyses, true).run(); }

}  // namespace warpspan::lift
