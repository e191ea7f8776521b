// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of an iteration: what selects and joins of a loop may choose in it, and how far each path moves the
// counters.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <utility>
#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/disjunction.hpp"
#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

// From low to high, as numbers of 128 bits with a sign.
struct Span {
  llvm::APInt low, high;

  static constexpr unsigned bits = 128;
  static Span zero() { return {llvm::APInt(bits, 0), llvm::APInt(bits, 0)}; }
  static Span of(const llvm::ConstantRange& range, bool is_signed);
  bool is_vague() const { return (high - low).uge(static_cast<uint64_t>(useless_distance)); }
  Span mirrored() const { return {-high, -low}; }
  Span operator+(const Span& other) const { return {low + other.low, high + other.high}; }
};

// A phi of the header plus numbers that do not change.
struct Sum {
  size_t counter = 0;
  bool is_next = false;                                              // with what the phi is in the next iteration
  llvm::SmallVector<std::pair<llvm::Value*, bool>, 4> addends = {};  // true: subtracted

  bool operator==(const Sum& other) const { return counter == other.counter && addends == other.addends; }
};

// A comparison of a sum with anything.
struct Test {
  Sum sum;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::ICMP_EQ;
  llvm::Value* limit = nullptr;
};
using Tests = std::vector<Test>;

struct Path {
  std::vector<llvm::Value*> ends;  // of each counter, what has still to be followed
  std::vector<Span> changes;       // of each counter, so far
  Tests guards = {};
  Comparisons known = {};  // of numbers that have one value in an iteration
  llvm::SmallVector<std::pair<const llvm::Value*, bool>, 4> decided = {};  // conditions
};

class IterationPaths {
 public:
  explicit IterationPaths(const LoopContext& context)
      : context_(context), cases_(*context.loop.getHeader(), context.dominators) {}

  // False if there is nothing to look at, or too much.
  bool find();

  // Phis of the header; null those that change in another manner.
  const std::vector<llvm::PHINode*>& counters() const { return counters_; }
  // True in every iteration that is followed by another.
  const Tests& tests() const { return tests_; }
  // Those that such an iteration may take.
  const std::vector<Path>& paths() const { return paths_of_iteration_; }
  bool is_fixed(const llvm::Value& value) const { return context_.loop.isLoopInvariant(&value); }
  // The range of a value that does not change in the loop.
  llvm::ConstantRange at_entry(llvm::Value& value) const;

 private:
  bool is_own(const llvm::BasicBlock& block) const { return context_.loops.getLoopFor(&block) == &context_.loop; }
  llvm::Value& next(const llvm::PHINode& phi) const {
    return *phi.getIncomingValueForBlock(context_.loop.getLoopLatch());
  }

  void find_counters();
  void add_tests(const Comparisons& comparisons, Tests& tests) const;
  void find_tests();
  void add_parts(const Path& path, const Cases& cases, std::vector<Path>& parts) const;
  bool find_paths();
  void drop_others();
  bool is_single(const llvm::Value& value) const;
  bool learn(const Comparisons& comparisons, Path& path) const;
  llvm::Value* chosen(llvm::Value* value, const Path& path) const;
  llvm::Value* condition_of(llvm::Value* value, const Path& path, int depth) const;
  llvm::Constant* folded(llvm::Value* value, const Path& path, int depth) const;
  bool follow(Path& path, size_t counter) const;
  std::optional<std::vector<Path>> split(const Path& path, size_t counter);

  const LoopContext& context_;
  std::vector<llvm::PHINode*> counters_;
  Tests tests_;
  Comparisons stays_;     // those that the tests are of
  Cases heads_;           // of each iteration
  bool by_cases_ = true;  // whether conditions are looked at case by case
  CasesFrom cases_;
  std::vector<Path> paths_of_iteration_;
};

}  // namespace warpspan::lift
