// SPDX-License-Identifier: GPL-3.0-or-later
// On which paths a loop is entered, as far as a number depends on them.
#pragma once

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>

#include <vector>

#include "frontend/lift/trips/guards/loop_context.hpp"

namespace warpspan::lift {

// Larger ones are not looked into.
inline constexpr unsigned largest_expression = 200;

// Holds of two integers.
struct Relation {
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::ICMP_EQ;
  const llvm::SCEV* a = nullptr;
  const llvm::SCEV* b = nullptr;

  friend bool operator==(const Relation&, const Relation&) = default;
};

// A condition that is true, or one that is false, and what that implies.
struct Literal {
  llvm::Value* condition = nullptr;
  bool holds = true;
  std::vector<Relation> relations = {};

  friend bool operator==(const Literal&, const Literal&) = default;
};

// Of two conditions one is as said, or both are.
struct Either {
  Literal a;
  Literal b;

  friend bool operator==(const Either&, const Either&) = default;
};

struct Case {
  const llvm::SCEV* expression = nullptr;  // what the number is there
  std::vector<Relation> relations = {};    // what branches imply there
  std::vector<Either> either = {};         // and what they leave open

  friend bool operator==(const Case&, const Case&) = default;
};

// Whenever the loop is entered, one of these holds of a number that does not change in it: with phis that join paths
// replaced by what comes in on each of them, and selects by what they choose, by the lemma in case_split.cpp; maxima
// too, if asked for, by the operand that no other one is above. At least one.
std::vector<Case> cases_on_entry(const llvm::SCEV& number, const LoopContext& context, bool of_maxima = false);

// The same wherever control goes from one block to another that has no other predecessor, of a number that is known at
// the end of the first one.
std::vector<Case> cases_on_edge(const llvm::SCEV& number, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                                const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                                llvm::ScalarEvolution& evolution);

// Whether a number is a multiple of 2^bits where the case holds; bits is below the number's own.
bool is_multiple(const Case& number, unsigned bits, llvm::ScalarEvolution& evolution);

}  // namespace warpspan::lift
