// SPDX-License-Identifier: GPL-3.0-or-later
// Compilers take the larger of a limit and a start before they count what lies between, as in max(i + n, i + 1) - i.
//
// Let a - b be a constant d in wrapping arithmetic, read as a signed number, and let b + d be within the type for all
// values of b, signed or not as the choice is. Then a is b + d as an integer: it is the larger if d > 0, the smaller
// if d < 0, and the same number if d = 0.
//
// Where no value of b is above any of a, as of a clamp to limits that the launch keeps, a is the larger and b the
// smaller.
#include "frontend/lift/rewrites/known_extremes.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/lift/values/extremes.hpp"

namespace warpspan::lift {

namespace {

using llvm::APInt;
using llvm::Value;

// Of the operands as they are, the one that is chosen by their ranges; null where these overlap.
Value* chosen_by_ranges(const Extreme& extreme, llvm::ScalarEvolution& evolution) {
  const auto is_above = [&](Value* high, Value* low) {
    const llvm::SCEV *h = evolution.getSCEV(high), *l = evolution.getSCEV(low);
    return extreme.is_signed ? evolution.getSignedRangeMin(h).sge(evolution.getSignedRangeMax(l))
                             : evolution.getUnsignedRangeMin(h).uge(evolution.getUnsignedRangeMax(l));
  };
  if (is_above(extreme.a, extreme.b)) return extreme.is_least ? extreme.b : extreme.a;
  if (is_above(extreme.b, extreme.a)) return extreme.is_least ? extreme.a : extreme.b;
  return nullptr;
}

// The operand that is chosen; null where that is not known.
Value* chosen(const Extreme& extreme, llvm::ScalarEvolution& evolution) {
  if (Value* value = chosen_by_ranges(extreme, evolution)) return value;
  const llvm::SCEV* b = evolution.getSCEV(extreme.b);
  const auto* apart = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(evolution.getSCEV(extreme.a), b));
  if (apart == nullptr) return nullptr;
  const APInt& d = apart->getAPInt();
  for (const bool most : {false, true}) {
    bool overflows = false;
    if (extreme.is_signed) {
      const APInt end = most ? evolution.getSignedRangeMax(b) : evolution.getSignedRangeMin(b);
      overflows = (end + d).slt(end) != d.isNegative();
    } else {
      const APInt end = most ? evolution.getUnsignedRangeMax(b) : evolution.getUnsignedRangeMin(b);
      overflows = d.isNegative() ? end.ult(-d) : (end + d).ult(end);
    }
    if (overflows) return nullptr;
  }
  return d.isNegative() == extreme.is_least ? extreme.a : extreme.b;
}

}  // namespace

bool rewrite_known_extremes(LoopAnalyses& analyses) {
  llvm::SmallVector<std::pair<llvm::Instruction*, Value*>, 8> all;
  for (llvm::Instruction& instruction : llvm::instructions(analyses.function)) {
    if (instruction.use_empty()) continue;
    const auto extreme = extreme_of(instruction);
    if (!extreme) continue;
    if (Value* value = chosen(*extreme, analyses.evolution)) all.emplace_back(&instruction, value);
  }
  for (const auto& [instruction, value] : all) instruction->replaceAllUsesWith(value);
  return !all.empty();
}

}  // namespace warpspan::lift
