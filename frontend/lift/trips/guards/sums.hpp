// SPDX-License-Identifier: GPL-3.0-or-later
// What sums of clamped and divided numbers can be: the width of a window that is cut off at the border of an
// image, which no range of its ends gives.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/ConstantRange.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "frontend/lift/trips/guards/case_split.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

class SumRanges {
 public:
  // Only executions count in which these hold.
  explicit SumRanges(llvm::ScalarEvolution& evolution, const std::vector<Relation>& relations = {});

  // Whether there is such an execution, as far as this is known.
  bool is_possible();

  // The values that an expression can have, as an unsigned range where there is a choice; no more than scalar evolution
  // allows, and by the theorem in sums.cpp.
  llvm::ConstantRange values(const llvm::SCEV& expression);

 private:
  using Int128 = support::Int128;
  using WideInteger = support::WideInteger;
  using AtomId = uint32_t;

  static constexpr size_t most_facts = 32;
  static constexpr int most_forms = 400;  // that are looked at for one bound

  enum class Kind : uint8_t { plain, minimum, maximum, quotient, choice };
  // A number that forms count, as a signed one.
  struct Atom {
    const llvm::SCEV* expression = nullptr;
    Kind kind = Kind::plain;
    unsigned order = 0;  // the higher ones are replaced first
    WideInteger least, most;
  };
  // constant + sum of terms * atoms, as an unbounded integer.
  struct Form {
    WideInteger constant;
    std::map<AtomId, WideInteger> terms = {};

    friend bool operator==(const Form&, const Form&) = default;
  };
  using Forms = std::vector<Form>;

  void assume(const Relation& relation);
  void assume_at_most(const llvm::SCEV& a, const llvm::SCEV& b, int64_t distance);
  void add_fact(Form fact);
  void add_facts_of_operands(size_t from);
  void add_exact_sums(size_t from);
  void find_atoms_again();
  llvm::ConstantRange find_values(const llvm::SCEV& expression);
  llvm::ConstantRange by_operands(const llvm::SCEV& expression);
  bool is_never_negative(const llvm::SCEV& expression);
  std::optional<Form> sum_of(const llvm::SCEV& expression);
  Form congruent(const llvm::SCEV& expression);
  const Form& form_of(const llvm::SCEV& expression);
  Form find_form(const llvm::SCEV& expression);
  AtomId atom_of(const llvm::SCEV& expression);
  Kind kind_of(const llvm::SCEV& expression);

  static void add(Form& to, const Form& form, WideInteger factor);
  // Bounds; none if they overflow.
  WideInteger largest(AtomId atom, WideInteger factor) const;
  WideInteger by_ranges(const Form& form) const;
  WideInteger by_facts(const Form& form) const;
  WideInteger most(const Form& form, int& budget);
  WideInteger with_largest(Form form, AtomId atom, int& budget);
  WideInteger replaced(const Form& form, AtomId atom, int& budget);
  WideInteger divided(const Form& form, AtomId atom, int& budget);
  std::optional<AtomId> to_replace(const Form& form) const;
  Forms operands_of(const Form& form, AtomId atom);
  std::optional<std::pair<Int128, Int128>> span_of(const Form& form);

  llvm::ScalarEvolution& evolution_;
  std::vector<Atom> atoms_;
  llvm::DenseMap<const llvm::SCEV*, AtomId> ids_;
  std::map<const llvm::SCEV*, llvm::ConstantRange> values_;
  std::map<const llvm::SCEV*, Form> forms_;
  Forms facts_;  // are at most 0
  bool is_contradicted_ = false;
  int depth_ = 0;
};

}  // namespace warpspan::lift
