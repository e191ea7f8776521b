// SPDX-License-Identifier: GPL-3.0-or-later
// A condition that an iteration decides has one value in it, wherever it is used: what selects by it, or is made a
// number of it, in blocks that an iteration runs once, follows the same side.
//
// Theorem. Each iteration that another one follows takes one of the paths that are found.
//
// Proof. One of the cases that the exits of the iteration, or of the one before, leave holds at the head
// (disjunction.cpp): each is followed. At a condition both values are followed, at a join all edges that lead there. A
// path is left out only if comparisons that hold on it contradict each other: those of exits, which such an iteration
// does not take, of conditions and of branches, all of numbers that have one value in the iteration. No iteration
// fulfils them. QED.
#include "frontend/lift/trips/methods/iteration_paths.hpp"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;

constexpr size_t most_paths = 64;
constexpr size_t most_counters = 16;
constexpr int longest_sum = 8;

}  // namespace

Span Span::of(const ConstantRange& range, bool is_signed) {
  if (is_signed) return {range.getSignedMin().sext(bits), range.getSignedMax().sext(bits)};
  return {range.getUnsignedMin().zext(bits), range.getUnsignedMax().zext(bits)};
}

ConstantRange IterationPaths::at_entry(Value& value) const {
  ConstantRange all = ConstantRange::getEmpty(value.getType()->getIntegerBitWidth());
  for (const llvm::BasicBlock* from : llvm::predecessors(context_.loop.getHeader())) {
    if (context_.loop.contains(from)) continue;
    all = all.unionWith(range_on_edge(value, *from, *context_.loop.getHeader(), context_.dominators, context_.ranges));
  }
  return all;
}

void IterationPaths::find_counters() {
  for (PHINode& phi : context_.loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || counters_.size() >= most_counters) continue;
    const unsigned bits = phi.getType()->getIntegerBitWidth();
    if (bits >= 8 && bits <= 64) counters_.push_back(&phi);
  }
}

void IterationPaths::add_tests(const Comparisons& comparisons, Tests& tests) const {
  for (const Comparison& comparison : comparisons) {
    Sum sum;
    Value* rest = comparison.a;
    for (int i = 0; i < longest_sum; ++i) {
      for (sum.counter = 0; sum.counter < counters_.size(); ++sum.counter) {
        if (counters_[sum.counter] == nullptr) continue;
        const PHINode& phi = *counters_[sum.counter];
        for (const bool is_next : {false, true}) {
          if (rest != (is_next ? &next(phi) : &phi)) continue;
          sum.is_next = is_next;
          tests.push_back({sum, comparison.predicate, comparison.b});
        }
      }
      auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(rest);
      if (binary == nullptr || !context_.loop.contains(binary)) break;
      const bool is_difference = binary->getOpcode() == llvm::Instruction::Sub;
      if (!is_difference && binary->getOpcode() != llvm::Instruction::Add) break;
      Value* a = binary->getOperand(0);
      Value* b = binary->getOperand(1);
      if (!is_difference && is_fixed(*a)) std::swap(a, b);
      if (!is_fixed(*b)) break;
      sum.addends.emplace_back(b, is_difference);
      rest = a;
    }
  }
}

void IterationPaths::find_tests() {
  for (const Exit& exit : exits_of_every_iteration(context_.loop, context_.dominators)) {
    if (!is_own(*exit.block)) continue;
    Comparisons comparisons;
    add_comparisons(*exit.condition, exit.stays, context_.dominators, comparisons);
    add_tests(comparisons, tests_);
    stays_.append(comparisons.begin(), comparisons.end());
  }
  heads_ = cases_of_iterations(context_);
}

// Whether it has one value in an iteration.
bool IterationPaths::is_single(const Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction == nullptr || !context_.loop.contains(instruction) || is_own(*instruction->getParent());
}

// False if an iteration on this path is not followed by another one.
bool IterationPaths::learn(const Comparisons& comparisons, Path& path) const {
  for (const Comparison& comparison : comparisons) {
    if (is_single(*comparison.a) && is_single(*comparison.b)) path.known.push_back(comparison);
  }
  return !contradict(path.known);
}

// The path in each of the cases, but for those in which an iteration is not followed by another one.
void IterationPaths::add_parts(const Path& path, const Cases& cases, std::vector<Path>& parts) const {
  for (const Comparisons& one : cases) {
    Path part = path;
    add_tests(one, part.guards);
    if (learn(one, part)) parts.push_back(std::move(part));
  }
}

// A condition that is not decided yet and that the value depends on: of a select, or a predicate that has become a
// number.
Value* IterationPaths::condition_of(Value* value, const Path& path, int depth) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || depth == 0 || !is_own(*instruction->getParent())) return nullptr;
  const auto undecided = [&](Value* condition) {
    while (llvm::PatternMatch::match(condition, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(condition)))) {
    }
    return folded(condition, path, depth) == nullptr ? condition : nullptr;
  };
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) return undecided(select->getCondition());
  Value* operand = instruction->getOperand(0);
  if (llvm::isa<llvm::CastInst>(instruction)) {
    return operand->getType()->isIntegerTy(1) ? undecided(operand) : condition_of(operand, path, depth - 1);
  }
  const bool is_masked =
      llvm::isa<llvm::BinaryOperator>(instruction) && llvm::isa<llvm::ConstantInt>(instruction->getOperand(1));
  return is_masked ? condition_of(operand, path, depth - 1) : nullptr;
}

// The constant that it is by the conditions that are decided.
llvm::Constant* IterationPaths::folded(Value* value, const Path& path, int depth) const {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || depth == 0) return nullptr;
  const auto found = llvm::find_if(path.decided, [&](const auto& one) { return one.first == value; });
  if (found != path.decided.end()) return llvm::ConstantInt::getBool(value->getContext(), found->second);
  if (!is_own(*instruction->getParent())) return nullptr;
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    const llvm::Constant* condition = folded(select->getCondition(), path, depth - 1);
    if (condition == nullptr) return nullptr;
    return folded(condition->isOneValue() ? select->getTrueValue() : select->getFalseValue(), path, depth - 1);
  }
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst>(instruction)) return nullptr;
  llvm::SmallVector<llvm::Constant*, 2> operands;
  for (llvm::Value* operand : instruction->operand_values()) {
    llvm::Constant* constant = folded(operand, path, depth - 1);
    if (constant == nullptr) return nullptr;
    operands.push_back(constant);
  }
  const llvm::DataLayout& layout = context_.loop.getHeader()->getDataLayout();
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(llvm::ConstantFoldInstOperands(instruction, operands, layout));
}

// What it is by the conditions that are decided.
Value* IterationPaths::chosen(Value* value, const Path& path) const {
  for (int i = 0; i < longest_sum; ++i) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
    if (select == nullptr || !is_own(*select->getParent())) break;
    const llvm::Constant* condition = folded(select->getCondition(), path, longest_sum);
    if (condition == nullptr) return value;
    value = condition->isOneValue() ? select->getTrueValue() : select->getFalseValue();
  }
  llvm::Constant* constant = folded(value, path, longest_sum);
  return constant == nullptr ? value : constant;
}

// Follows additions of what does not change; true at the phi itself.
bool IterationPaths::follow(Path& path, size_t counter) const {
  Value*& end = path.ends[counter];
  for (int i = 0; i < longest_sum; ++i) {
    end = chosen(end, path);
    if (end == counters_[counter]) return true;
    auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(end);
    if (binary == nullptr || !context_.loop.contains(binary)) return false;
    const bool is_difference = binary->getOpcode() == llvm::Instruction::Sub;
    if (!is_difference && binary->getOpcode() != llvm::Instruction::Add) return false;
    Value* a = chosen(binary->getOperand(0), path);
    Value* b = chosen(binary->getOperand(1), path);
    if (!is_difference && is_fixed(*a)) std::swap(a, b);
    if (!is_fixed(*b)) return false;
    const Span by = Span::of(at_entry(*b), true);
    path.changes[counter] = path.changes[counter] + (is_difference ? by.mirrored() : by);
    end = a;
  }
  return false;
}

// By what decides a counter's value: the condition of a select, or of what is added, or the join that gives it. Other
// counters that it decides follow the same side.
std::optional<std::vector<Path>> IterationPaths::split(const Path& path, size_t counter) {
  std::vector<Path> result;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(path.ends[counter]);
  if (instruction == nullptr || !is_own(*instruction->getParent())) return std::nullopt;
  Value* condition = condition_of(instruction, path, longest_sum);
  if (llvm::isa<llvm::BinaryOperator>(instruction)) {
    condition = condition_of(chosen(instruction->getOperand(1), path), path, longest_sum);
    if (condition == nullptr) condition = condition_of(chosen(instruction->getOperand(0), path), path, longest_sum);
  }
  if (condition != nullptr) {
    for (const bool value : {true, false}) {
      Path part = path;
      part.decided.emplace_back(condition, value);
      Comparisons comparisons;
      add_comparisons(*condition, value, context_.dominators, comparisons);
      add_parts(part, by_cases_ ? cases_of(*condition, value, context_.dominators) : Cases{comparisons}, result);
    }
    return result;
  }
  const auto* phi = llvm::dyn_cast<PHINode>(instruction);
  if (phi == nullptr || phi->getParent() == context_.loop.getHeader()) return std::nullopt;
  for (const llvm::BasicBlock* from : phi->blocks()) {
    Path part = path;
    for (Value*& end : part.ends) {
      auto* other = llvm::dyn_cast_or_null<PHINode>(end);
      if (other != nullptr && other->getParent() == phi->getParent()) end = other->getIncomingValueForBlock(from);
    }
    const llvm::BasicBlock& to = *phi->getParent();
    add_parts(part,
              by_cases_ ? cases_.on_edge(*from, to)
                        : Cases{comparisons_on_edge(*from, to, *context_.loop.getHeader(), context_.dominators)},
              result);
  }
  return result;
}

// Counters that change in another manner are dropped. False if there are too many paths.
bool IterationPaths::find_paths() {
  Path whole;
  for (const PHINode* phi : counters_) {
    whole.ends.push_back(phi == nullptr ? nullptr : &next(*phi));
    whole.changes.push_back(Span::zero());
  }
  paths_of_iteration_.clear();
  std::vector<bool> is_dropped(counters_.size());
  for (size_t i = 0; i < counters_.size(); ++i) is_dropped[i] = counters_[i] == nullptr;
  std::vector<Path> work;
  if (!learn(stays_, whole)) return true;
  add_parts(whole, by_cases_ ? heads_ : Cases{{}}, work);
  while (!work.empty()) {
    Path path = std::move(work.back());
    work.pop_back();
    bool is_done = true;
    for (size_t i = 0; i < counters_.size() && is_done; ++i) {
      if (is_dropped[i] || follow(path, i)) continue;
      auto parts = split(path, i);
      if (parts) {
        std::move(parts->begin(), parts->end(), std::back_inserter(work));
        is_done = false;
      } else {
        is_dropped[i] = true;
      }
    }
    if (is_done) paths_of_iteration_.push_back(std::move(path));
    if (paths_of_iteration_.size() + work.size() > most_paths) return false;
  }
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (is_dropped[i]) counters_[i] = nullptr;
  }
  return true;
}

// Counters that no exit is about.
void IterationPaths::drop_others() {
  Tests tests = tests_;
  for (const Comparisons& one : heads_) add_tests(one, tests);
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (llvm::none_of(tests, [i](const Test& test) { return test.sum.counter == i; })) counters_[i] = nullptr;
  }
}

bool IterationPaths::find() {
  find_counters();
  find_tests();
  if (counters_.empty() || (tests_.empty() && heads_.size() < 2)) return false;
  for (const bool is_again : {false, true}) {
    if (is_again) drop_others();
    for (const bool by_cases : {true, false}) {
      by_cases_ = by_cases;
      if (find_paths()) return true;
    }
  }
  return false;
}

}  // namespace warpspan::lift
