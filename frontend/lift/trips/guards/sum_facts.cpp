// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of sums, as forms that are at most 0 (sums.cpp): what relations imply, by clause 5 there what follows
// for the operands of minima and maxima, and that some sums do not wrap.
//
// Theorem. Let t be a sum of w bits that may wrap, S what it adds up to as an unbounded integer, and G <= t be known,
// so that t - G is from 0 to p. If S - G is at least l > p - 2^w, and less than 2^w, then t = S. Proof. t and S are
// equal modulo 2^w, and t - S = (t - G) - (S - G) is above -2^w and at most p - l < 2^w. QED.
//
// Numbers a and b that are not equal, and apart by a multiple of m, are m apart at least: so if a - b is above -m, b <
// a.
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "frontend/lift/trips/guards/sums.hpp"

namespace warpspan::lift {

using llvm::SCEV;

constexpr int most_passes = 4;

// a <= b + distance.
void SumRanges::assume_at_most(const SCEV& a, const SCEV& b, int64_t distance) {
  Form fact{-distance};
  add(fact, form_of(a), 1);
  add(fact, form_of(b), -1);
  add_fact(std::move(fact));
}

void SumRanges::add_fact(Form fact) {
  if (!fact.terms.empty()) {
    if (!llvm::is_contained(facts_, fact)) facts_.push_back(std::move(fact));
  } else if (!fact.constant.overflowed() && fact.constant.is_at_least(1)) {
    is_contradicted_ = true;
  }
}

// What follows for the operands of minima and maxima.
void SumRanges::add_facts_of_operands(size_t from) {
  for (size_t i = from; i < facts_.size(); ++i) {
    const Form fact = facts_[i];
    for (const auto& [id, term] : fact.terms) {
      const Kind needed = term.is_at_least(1) ? Kind::maximum : Kind::minimum;
      if (term.overflowed() || atoms_[id].kind != needed) continue;
      for (Form& part : operands_of(fact, id)) {
        if (facts_.size() < most_facts) add_fact(std::move(part));
      }
    }
  }
}

// That sums do not wrap which are known not to be below what they begin with: s < min(s + c, n), say.
void SumRanges::add_exact_sums(size_t from) {
  const size_t known = facts_.size();
  for (size_t i = from; i < known; ++i) {
    const Form fact = facts_[i];
    for (const auto& [id, term] : fact.terms) {
      const SCEV& expression = *atoms_[id].expression;
      if (term != WideInteger(-1) || !llvm::isa<llvm::SCEVAddExpr>(expression) || facts_.size() >= most_facts) continue;
      const auto sum = sum_of(expression);
      if (!sum) continue;
      Form least = fact;  // G
      least.terms.erase(id);
      Form above = *sum;
      add(above, least, -1);
      const auto span = span_of(above), span_of_least = span_of(least);
      const auto most = atoms_[id].most.value();
      const Int128 wrap = Int128{1} << expression.getType()->getIntegerBitWidth();
      if (!span || !span_of_least || !most || span->second >= wrap) continue;
      if (*most - span_of_least->first - span->first >= wrap) continue;
      Form not_above = *sum;  // S <= t
      not_above.terms[id] -= 1;
      add_fact(std::move(not_above));
    }
  }
}

void SumRanges::assume(const Relation& relation) {
  using P = llvm::CmpInst::Predicate;
  const auto& [predicate, a, b] = relation;
  const bool is_unsigned = predicate == P::ICMP_ULT || predicate == P::ICMP_ULE;
  // Then both have the same sign.
  const bool is_low = is_unsigned && is_never_negative(*b);
  if (is_unsigned && !is_low && values(*a).getSignedMax().isNonNegative()) return;
  if (is_low) assume_at_most(*evolution_.getZero(a->getType()), *a, 0);
  if (predicate == P::ICMP_SLT || predicate == P::ICMP_ULT) assume_at_most(*a, *b, -1);
  if (predicate == P::ICMP_SLE || predicate == P::ICMP_ULE || predicate == P::ICMP_EQ) assume_at_most(*a, *b, 0);
  if (predicate != P::ICMP_NE) return;
  Form difference;
  add(difference, form_of(*a), 1);
  add(difference, form_of(*b), -1);
  const auto span = span_of(difference);
  if (!span) return;
  // Both are apart by a multiple of this.
  const Int128 common = Int128{1} << evolution_.getMinTrailingZeros(evolution_.getMinusSCEV(a, b));
  if (span->second >= 0 && span->second < common) assume_at_most(*a, *b, -1);
  if (span->first <= 0 && span->first > -common) assume_at_most(*b, *a, -1);
}

// With what is known by now: that what is divided is not negative, say.
void SumRanges::find_atoms_again() {
  for (size_t i = 0; i < atoms_.size(); ++i) {  // grows
    const SCEV& expression = *atoms_[i].expression;
    const llvm::ConstantRange range = values(expression);
    const Kind kind = kind_of(expression);
    atoms_[i].kind = kind;
    atoms_[i].least = range.getSignedMin().getSExtValue();
    atoms_[i].most = range.getSignedMax().getSExtValue();
  }
}

// What is known of operands may follow from later ones, and more expressions are sums once others are known to be
// small.
SumRanges::SumRanges(llvm::ScalarEvolution& evolution, const std::vector<Relation>& relations) : evolution_(evolution) {
  size_t done = 0;  // of facts, from which others have been drawn
  for (int pass = 0; pass < most_passes; ++pass) {
    const size_t known = facts_.size();
    for (size_t i = 0; i < relations.size() && facts_.size() < most_facts; ++i) assume(relations[i]);
    if (pass > 0) {
      add_facts_of_operands(done);
      add_exact_sums(done);
      done = facts_.size();
      if (facts_.size() == known) break;
    }
    values_.clear();
    forms_.clear();
    find_atoms_again();
  }
}

bool SumRanges::is_possible() {
  return !is_contradicted_ && llvm::none_of(facts_, [this](const Form& fact) {
    Form opposite;
    add(opposite, fact, -1);
    int budget = most_forms;
    const WideInteger most_of_opposite = most(opposite, budget);
    return !most_of_opposite.overflowed() && !most_of_opposite.is_at_least(0);
  });
}

}  // namespace warpspan::lift
