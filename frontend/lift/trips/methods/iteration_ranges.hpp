// SPDX-License-Identifier: GPL-3.0-or-later
// An iteration of a loop, computed with ranges: theorem and proof are in value_ranges.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/lift/trips/guards/loop_context.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

class IterationRanges {
 public:
  using Gap = support::Int128;

  IterationRanges(const LoopContext& context, bool by_paths) : context_(context), by_paths_(by_paths) {}

  // False if there is nothing to evaluate, or too much.
  bool build();
  // How much there is to evaluate in an iteration.
  int64_t evaluations() const;

  // The ranges of the phis that exits depend on, where the loop is entered.
  std::vector<llvm::ConstantRange> at_entry() const;
  // The next iteration begins with these.
  void begin(std::vector<llvm::ConstantRange> starts) { starts_ = std::move(starts); }
  // An iteration; false if none follows it.
  bool run();
  // To the next iteration; false if nothing changes any more.
  bool advance();
  // By comparison of the iteration, how far the least value of either side is below the greatest of the other: where
  // one of them gets to zero or past it the comparison has another outcome. Then the ends of what the phis begin the
  // next with.
  std::vector<Gap> gaps() const;

 private:
  struct Node {
    llvm::Value* value = nullptr;
    llvm::ConstantRange everywhere;       // that it has wherever it is computed
    std::vector<uint32_t> operands = {};  // of what is evaluated in each iteration
  };
  struct Test {
    uint32_t condition = 0;
    bool stays = true;  // the condition's value with which the loop goes on
  };
  // What happens in an iteration, in order: a block is come to, or not; in it nodes are evaluated, and an exit is
  // passed.
  enum class Act : uint8_t { reach, evaluate, pass };
  struct Step {
    Act act = Act::evaluate;
    uint32_t index = 0;
    const llvm::BasicBlock* block = nullptr;
  };

  bool is_own(const llvm::BasicBlock& block) const;
  bool is_evaluated(const llvm::Instruction& instruction) const;
  llvm::ConstantRange everywhere(llvm::Value& value) const;
  std::optional<uint32_t> node_of(llvm::Value& value);
  bool add_exits();
  bool add_branches();
  bool add_operands();
  void order();
  std::optional<uint32_t> subtracted_at_most(const Node& node) const;
  llvm::ConstantRange evaluate(const Node& node) const;
  llvm::ConstantRange selected(const Node& node) const;
  llvm::ConstantRange chosen(const Node& select, bool side) const;
  bool is_taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  bool is_reached(const llvm::BasicBlock& block) const;
  bool pass(uint32_t condition, bool value);
  bool narrow(uint32_t node, const llvm::ConstantRange& to);
  bool take(const Step& step);
  bool run_once();

  const LoopContext& context_;
  const bool by_paths_;
  std::vector<Node> nodes_;
  llvm::DenseMap<const llvm::Value*, uint32_t> ids_;
  std::vector<std::pair<uint32_t, uint32_t>> phis_;  // of the header, and what they are next
  std::vector<Test> exits_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> exit_of_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> condition_of_;  // of own blocks that end with a branch
  llvm::DenseSet<const llvm::BasicBlock*> reached_;                 // own blocks, in this iteration
  std::vector<Step> steps_;
  std::vector<llvm::ConstantRange> starts_;  // of the phis, in the iteration that comes next
  std::vector<llvm::ConstantRange> values_;  // by node, in this iteration
};

}  // namespace warpspan::lift
