// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/rewrites/simplify.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>

#include "frontend/lift/rewrites/carried_conditions.hpp"
#include "frontend/lift/rewrites/carried_masks.hpp"
#include "frontend/lift/rewrites/chosen_values.hpp"
#include "frontend/lift/rewrites/comparisons.hpp"
#include "frontend/lift/rewrites/complements.hpp"
#include "frontend/lift/rewrites/counted_cases.hpp"
#include "frontend/lift/rewrites/exit_values.hpp"
#include "frontend/lift/rewrites/halves.hpp"
#include "frontend/lift/rewrites/joined_exits.hpp"
#include "frontend/lift/rewrites/known_extremes.hpp"
#include "frontend/lift/rewrites/known_signs.hpp"
#include "frontend/lift/rewrites/masks.hpp"
#include "frontend/lift/rewrites/only_values.hpp"
#include "frontend/lift/rewrites/phi_ranges.hpp"
#include "frontend/lift/rewrites/quotients.hpp"
#include "frontend/lift/rewrites/same_residues.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/long_chains.hpp"
#include "frontend/lift/values/evaluate.hpp"
#include "frontend/lift/values/propagation.hpp"

namespace warpspan::lift {

namespace {

bool is_unused(const llvm::Instruction& instruction) {
  if (!instruction.use_empty() || instruction.isTerminator()) return false;
  const CallKind kind = call_kind(instruction);
  if (kind == CallKind::access || kind == CallKind::fragment) return false;
  if (kind == CallKind::amount || kind == CallKind::guard) return false;
  if (kind == CallKind::vote || kind == CallKind::store) return false;
  return kind != CallKind::none || !instruction.mayHaveSideEffects();
}

void drop_unused(llvm::Function& function) {
  llvm::SmallSetVector<llvm::Instruction*, 32> work;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_unused(instruction)) work.insert(&instruction);
  }
  while (!work.empty()) {
    llvm::Instruction* instruction = work.pop_back_val();
    const llvm::SmallVector<llvm::Value*, 8> operands(instruction->operand_values());
    instruction->eraseFromParent();
    for (llvm::Value* operand : operands) {
      auto* used = llvm::dyn_cast<llvm::Instruction>(operand);
      if (used != nullptr && is_unused(*used)) work.insert(used);
    }
  }
}

// So that what is used only here is unused, and no list of users grows while it is worked off.
void release_operands(llvm::Instruction& instruction) {
  for (llvm::Use& operand : instruction.operands()) operand.set(llvm::PoisonValue::get(operand->getType()));
}

// What an operation on known floating-point numbers gives, which LLVM does not know.
llvm::Value* known_float(const llvm::Instruction& instruction) {
  if (!is_float(instruction)) return nullptr;
  llvm::SmallVector<uint64_t, 4> operands;
  for (const llvm::Use& argument : llvm::cast<llvm::CallInst>(instruction).args()) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(argument.get());
    if (constant == nullptr) return nullptr;
    operands.push_back(constant->getZExtValue());
  }
  const auto result = evaluate(instruction, operands.data());
  return result ? llvm::ConstantInt::get(instruction.getType(), *result) : nullptr;
}

// A phi that doubles, or grows by any power of two, does so by a shift: that is how LLVM knows how far it goes.
llvm::Value* shifted_recurrence(llvm::Instruction& instruction) {
  llvm::Value* before = nullptr;
  const llvm::APInt* factor = nullptr;
  if (!match(&instruction,
             llvm::PatternMatch::m_Mul(llvm::PatternMatch::m_Value(before), llvm::PatternMatch::m_Power2(factor))))
    return nullptr;
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(before);
  if (phi == nullptr || !llvm::is_contained(phi->incoming_values(), &instruction)) return nullptr;
  auto* bits = llvm::ConstantInt::get(instruction.getType(), factor->logBase2());
  return llvm::BinaryOperator::CreateShl(before, bits, "", instruction.getIterator());
}

void fold(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  const llvm::DominatorTree dominators(function);
  const llvm::SimplifyQuery query(function.getDataLayout(), &library, &dominators);
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  llvm::SmallVector<llvm::Instruction*, 0> current;
  for (llvm::BasicBlock* block : order) {
    for (llvm::Instruction& instruction : *block) current.push_back(&instruction);
  }
  while (!current.empty()) {
    llvm::SetVector<llvm::Instruction*> next;  // those whose operands have changed
    for (llvm::Instruction* instruction : current) {
      if (instruction->use_empty()) continue;
      llvm::Value* simpler = llvm::simplifyInstruction(instruction, query.getWithInstruction(instruction));
      if (simpler == nullptr) simpler = known_float(*instruction);
      if (simpler == nullptr) {
        simpler = simpler_comparison(*instruction);
        if (simpler != nullptr) next.insert(llvm::cast<llvm::Instruction>(simpler));
      }
      if (simpler == nullptr) simpler = only_value(*instruction, dominators);
      if (simpler == nullptr) simpler = counted_cases(*instruction, dominators);
      if (simpler == nullptr) simpler = cleared_bits(*instruction);
      if (simpler == nullptr) simpler = same_magnitude(*instruction, dominators);
      if (simpler == nullptr) simpler = recognised_quotient(*instruction);
      if (simpler == nullptr) simpler = shifted_recurrence(*instruction);
      if (simpler == nullptr) simpler = simpler_halves(*instruction);
      if (simpler == nullptr) simpler = simpler_complement(*instruction);
      if (simpler == nullptr || simpler == instruction) continue;
      for (llvm::User* user : instruction->users()) next.insert(llvm::cast<llvm::Instruction>(user));
      instruction->replaceAllUsesWith(simpler);
      if (!llvm::isa<llvm::CallInst>(instruction)) release_operands(*instruction);
    }
    current = next.takeVector();
  }
}

// What a phi would get by an edge that is never taken may be anything: poison, which lets LLVM choose the value that
// comes by the other edges.
void drop_edges(llvm::BasicBlock& block, const llvm::SCCPSolver& solver) {
  for (llvm::PHINode& phi : block.phis()) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (solver.isEdgeFeasible(phi.getIncomingBlock(i), &block)) continue;
      phi.setIncomingValue(i, llvm::PoisonValue::get(phi.getType()));
    }
  }
}

llvm::DenseSet<const llvm::BasicBlock*> propagate(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  const auto solver = propagated(function, library);
  llvm::DenseSet<const llvm::BasicBlock*> dead;
  for (llvm::BasicBlock& block : function) {
    if (!solver->isBlockExecutable(&block)) {
      dead.insert(&block);
      continue;
    }
    drop_edges(block, *solver);
    for (llvm::Instruction& instruction : block) {
      if (!instruction.getType()->isIntegerTy() || instruction.use_empty()) continue;
      if (llvm::Constant* constant = solver->getConstantOrNull(&instruction)) instruction.replaceAllUsesWith(constant);
    }
  }
  return dead;
}

llvm::DenseSet<const llvm::BasicBlock*> rewrite_once(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  auto dead = propagate(function, library);
  fold(function, library);
  drop_unused(function);
  return dead;
}

// What is one number may let others be: a phi behind two loops, the halves of which each loop moves on.
constexpr int most_joins = 4;

bool join_halves(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  const bool joins = join_phis(function);
  if (joins) {
    fold(function, library);
    share_numbers(function);
  }
  const bool splits = split_phis(function);
  if (splits) fold(function, library);
  const bool shares = share_low_phis(function);
  if (shares) fold(function, library);
  return joins || splits || shares;
}

// Exit values of one loop decide how another one runs, and so on.
constexpr int most_rounds = 8;

}  // namespace

llvm::DenseSet<const llvm::BasicBlock*> simplify(llvm::Function& function) {
  const llvm::TargetLibraryInfoImpl functions(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo library(functions);
  drop_unused(function);
  use_chosen_values(function);  // as long as a branch and a select share a condition
  fold(function, library);
  use_chosen_values(function);
  fold(function, library);
  if (drop_unused_bits(function)) fold(function, library);
  for (int again = 0; again < most_joins && join_halves(function, library); ++again) {
  }
  drop_unused(function);
  auto dead = rewrite_once(function, library);
  cut_long_chains(function);
  const auto rewrite_loops = [&] {
    LoopAnalyses analyses(function, library);
    return rewrite_known_extremes(analyses) || rewrite_exit_values(analyses) || rewrite_joined_exits(analyses) ||
           rewrite_carried_conditions(analyses) || rewrite_carried_masks(analyses) || rewrite_known_signs(analyses) ||
           rewrite_same_residues(analyses) || rewrite_exit_sums(analyses);
  };
  const auto rewrite = [&] {
    const auto more = rewrite_once(function, library);
    dead.insert(more.begin(), more.end());
  };
  int round = 0;
  for (; round < most_rounds && rewrite_loops(); ++round) rewrite();
  // The last round may have decided branches, and so others.
  for (int again = 0; round > 0 && again < 2; ++again) rewrite();
  LoopAnalyses analyses(function, library);
  note_phi_ranges(analyses);
  return dead;
}

}  // namespace warpspan::lift
