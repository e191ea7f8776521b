// Lemma. Let a phi be in a block B that is no loop's header, let v be what came in when B last ran, by the edge from P,
// and a use be dominated by B. There, v still is what it was when B ran, and so is what branches before P said of it.
// Proof. Otherwise the block D that defines v ran again behind B, and the use is reached from there without B. As B
// dominates the use, D cannot be reached without B: B dominates D. D dominates P, so the edge from P leads back to a
// block that dominates P, and B is the header of a loop. A branch that is known to have been taken before P is of a
// block that dominates P, and what it compares dominates that: the same holds of it. QED.
#include "frontend/lift/trips/cases.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "frontend/lift/trips/conditions.hpp"

namespace warpspan::lift {

namespace {

using llvm::PHINode;
using llvm::SCEV;

constexpr size_t most_cases = 32;
constexpr size_t most_relations = 48;
constexpr unsigned widest = 64;

const PHINode* join_of(const SCEV& expression, const llvm::LoopInfo& loops) {
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&expression);
  const auto* phi = unknown == nullptr ? nullptr : llvm::dyn_cast<PHINode>(unknown->getValue());
  return phi == nullptr || loops.isLoopHeader(phi->getParent()) ? nullptr : phi;
}

class Splitter {
 public:
  Splitter(const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : loops_(loops), dominators_(dominators), evolution_(evolution) {}

  const llvm::BasicBlock* block_of_joins(const SCEV& expression) const;
  std::vector<Case> split(const Case& whole, const llvm::BasicBlock& block) const;
  void add_relations(const llvm::BasicBlock& from, const llvm::BasicBlock& to, std::vector<Relation>& relations) const;

 private:
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
};

// One that joins what others of the expression joined before, if there is such; null: there is none.
const llvm::BasicBlock* Splitter::block_of_joins(const SCEV& expression) const {
  const llvm::BasicBlock* best = nullptr;
  llvm::SCEVExprContains(&expression, [&](const SCEV* part) {
    const PHINode* join = join_of(*part, loops_);
    if (join != nullptr && (best == nullptr || dominators_.dominates(best, join->getParent()))) {
      best = join->getParent();
    }
    return false;
  });
  return best;
}

void Splitter::add_relations(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                             std::vector<Relation>& relations) const {
  for (const Comparison& comparison : comparisons_on_edge(from, to, from.getParent()->getEntryBlock(), dominators_)) {
    if (relations.size() >= most_relations || comparison.a->getType()->getIntegerBitWidth() > widest) break;
    const Relation relation{comparison.predicate, evolution_.getSCEV(comparison.a), evolution_.getSCEV(comparison.b)};
    if (!llvm::is_contained(relations, relation)) relations.push_back(relation);
  }
}

std::vector<Case> Splitter::split(const Case& whole, const llvm::BasicBlock& block) const {
  std::vector<Case> parts;
  const llvm::Loop* around = loops_.getLoopFor(&block);
  for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
    llvm::ValueToSCEVMapTy incoming;
    for (const PHINode& phi : block.phis()) {
      if (!evolution_.isSCEVable(phi.getType())) continue;
      incoming[&phi] = evolution_.getSCEVAtScope(phi.getIncomingValueForBlock(from), around);
    }
    const auto replaced = [&](const SCEV* expression) {
      return llvm::SCEVParameterRewriter::rewrite(expression, evolution_, incoming);
    };
    Case& part = parts.emplace_back(Case{replaced(whole.expression), {}});
    for (const Relation& relation : whole.relations) {
      part.relations.push_back({relation.predicate, replaced(relation.a), replaced(relation.b)});
    }
    add_relations(*from, block, part.relations);
  }
  return parts;
}

}  // namespace

std::vector<Case> cases_on_entry(const SCEV& number, const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                 const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution) {
  const Splitter splitter(loops, dominators, evolution);
  std::vector<Case> work(1, Case{&number, {}});
  if (const llvm::BasicBlock* from = loop.getLoopPredecessor()) {
    splitter.add_relations(*from, *loop.getHeader(), work.front().relations);
  }
  std::vector<Case> cases;
  while (!work.empty()) {
    const Case whole = std::move(work.back());
    work.pop_back();
    const llvm::BasicBlock* block = splitter.block_of_joins(*whole.expression);
    const bool is_enough = block == nullptr || cases.size() + work.size() + llvm::pred_size(block) > most_cases;
    if (is_enough) {
      cases.push_back(whole);
      continue;
    }
    std::vector<Case> parts = splitter.split(whole, *block);
    work.insert(work.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  }
  return cases;
}

bool is_multiple(const Case& number, unsigned bits, llvm::ScalarEvolution& evolution) {
  if (evolution.getMinTrailingZeros(number.expression) >= bits) return true;
  llvm::Type* type = llvm::IntegerType::get(evolution.getContext(), bits);
  const SCEV* low = evolution.getTruncateExpr(number.expression, type);
  if (low->isZero()) return true;
  return llvm::any_of(number.relations, [&](const Relation& relation) {
    if (relation.predicate != llvm::CmpInst::ICMP_EQ || relation.a->getType()->getIntegerBitWidth() <= bits) {
      return false;
    }
    const SCEV* zero = evolution.getTruncateExpr(evolution.getMinusSCEV(relation.a, relation.b), type);
    return evolution.getMinusSCEV(low, zero)->isZero() || evolution.getAddExpr(low, zero)->isZero();
  });
}

}  // namespace warpspan::lift
