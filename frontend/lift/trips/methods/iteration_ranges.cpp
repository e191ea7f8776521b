// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/iteration_ranges.hpp"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/exits.hpp"
#include "frontend/lift/trips/guards/saturation.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::ConstantRange;

constexpr size_t most_nodes = 256;

}  // namespace

// Whether it runs at most once in an iteration: it is in no loop inside this one.
bool IterationRanges::is_own(const llvm::BasicBlock& block) const {
  return context_.loop.contains(&block) &&
         llvm::none_of(context_.loop.getSubLoops(), [&](const llvm::Loop* inner) { return inner->contains(&block); });
}

bool IterationRanges::is_evaluated(const llvm::Instruction& instruction) const {
  if (!is_own(*instruction.getParent())) return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return phi->getParent() != context_.loop.getHeader();
  return llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::SelectInst, llvm::TruncInst, llvm::ZExtInst,
                   llvm::SExtInst>(instruction);
}

ConstantRange IterationRanges::everywhere(llvm::Value& value) const {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return ConstantRange(constant->getValue());
  const unsigned bits = value.getType()->getIntegerBitWidth();
  return bits > 1 && bits <= 64 ? context_.ranges(value) : ConstantRange::getFull(bits);
}

std::optional<uint32_t> IterationRanges::node_of(llvm::Value& value) {
  if (const auto known = ids_.find(&value); known != ids_.end()) return known->second;
  if (nodes_.size() >= most_nodes || !value.getType()->isIntegerTy()) return std::nullopt;
  nodes_.push_back({&value, everywhere(value)});
  return ids_[&value] = static_cast<uint32_t>(nodes_.size() - 1);
}

// Those that an iteration may pass several times are left out.
bool IterationRanges::add_exits() {
  for (const Exit& exit : exits_of_every_iteration(context_.loop, context_.dominators)) {
    if (!is_own(*exit.block)) continue;
    const auto condition = node_of(*exit.condition);
    if (!condition) return false;
    exit_of_[exit.block] = static_cast<uint32_t>(exits_.size());
    exits_.push_back({*condition, exit.stays});
  }
  return !exits_.empty();
}

bool IterationRanges::add_branches() {
  for (const llvm::BasicBlock* block : context_.loop.blocks()) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !is_own(*block)) continue;
    if (branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    const auto condition = node_of(*branch->getCondition());
    if (!condition) return false;
    condition_of_[block] = *condition;
  }
  return true;
}

bool IterationRanges::add_operands() {
  for (uint32_t id = 0; id < nodes_.size(); ++id) {  // it grows
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(nodes_[id].value);
    if (instruction == nullptr || !context_.loop.contains(instruction)) continue;
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi != nullptr && phi->getParent() == context_.loop.getHeader()) {
      const auto next = node_of(*phi->getIncomingValueForBlock(context_.loop.getLoopLatch()));
      if (!next) return false;
      phis_.emplace_back(id, *next);
    } else if (is_evaluated(*instruction)) {
      std::vector<uint32_t> operands;
      for (llvm::Value* operand : instruction->operand_values()) {
        const auto node = node_of(*operand);
        if (!node) return false;
        operands.push_back(*node);
      }
      nodes_[id].operands = std::move(operands);
    }
  }
  return !phis_.empty();
}

// In each block what it computes, then its exit; blocks so that operands come first.
void IterationRanges::order() {
  llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop*>(&context_.loop));
  blocks.perform(&context_.loops);
  for (const llvm::BasicBlock* block : llvm::make_range(blocks.begin(), blocks.end())) {
    if (!is_own(*block)) continue;
    if (by_paths_) steps_.push_back({Act::reach, 0, block});
    for (const llvm::Instruction& instruction : *block) {
      const auto node = ids_.find(&instruction);
      if (node != ids_.end() && !nodes_[node->second].operands.empty()) {
        steps_.push_back({Act::evaluate, node->second, block});
      }
    }
    if (const auto exit = exit_of_.find(block); exit != exit_of_.end()) {
      steps_.push_back({Act::pass, exit->second, block});
    }
  }
}

bool IterationRanges::build() {
  if (!add_exits() || (by_paths_ && !add_branches()) || !add_operands()) return false;
  order();
  return true;
}

// The values of a select's operand where it is the one that is chosen: a comparison of it decided that.
ConstantRange IterationRanges::chosen(const Node& select, bool side) const {
  const uint32_t arm = select.operands[side ? 1 : 2];
  ConstantRange range = values_[arm];
  const Node& condition = nodes_[select.operands[0]];
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition.value);
  if (compare == nullptr || condition.operands.size() != 2) return range;
  const auto predicate = side ? compare->getPredicate() : compare->getInversePredicate();
  const uint32_t a = condition.operands[0], b = condition.operands[1];
  if (a == arm) range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(predicate, values_[b]));
  if (b == arm) {
    const auto swapped = llvm::CmpInst::getSwappedPredicate(predicate);
    range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(swapped, values_[a]));
  }
  return range;
}

ConstantRange IterationRanges::selected(const Node& node) const {
  const ConstantRange& condition = values_[node.operands[0]];
  if (const llvm::APInt* known = condition.getSingleElement()) return chosen(node, known->isOne());
  return chosen(node, true).unionWith(chosen(node, false));
}

// y, of x - min(x, y), unsigned.
std::optional<uint32_t> IterationRanges::subtracted_at_most(const Node& node) const {
  if (llvm::cast<llvm::Instruction>(node.value)->getOpcode() != llvm::Instruction::Sub) return std::nullopt;
  const Node& smaller = nodes_[node.operands[1]];
  if (!match::match(smaller.value, match::m_UMin(match::m_Value(), match::m_Value()))) return std::nullopt;
  if (smaller.operands.size() != 3) return std::nullopt;  // outside of the loop
  for (const size_t arm : {1U, 2U}) {
    if (smaller.operands[arm] == node.operands[0]) return smaller.operands[3 - arm];
  }
  return std::nullopt;
}

ConstantRange IterationRanges::evaluate(const Node& node) const {
  const auto& instruction = *llvm::cast<llvm::Instruction>(node.value);
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const auto operand = [&](size_t i) -> const ConstantRange& { return values_[node.operands[i]]; };
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    for (unsigned i = 0; i < node.operands.size(); ++i) {
      if (is_taken(*phi->getIncomingBlock(i), *phi->getParent())) all = all.unionWith(operand(i));
    }
    return all;
  }
  if (llvm::isa<llvm::SelectInst>(instruction)) return selected(node);
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    if (operand(0).icmp(compare->getPredicate(), operand(1))) return ConstantRange(llvm::APInt(1, 1));
    if (operand(0).icmp(compare->getInversePredicate(), operand(1))) return ConstantRange(llvm::APInt(1, 0));
    return ConstantRange::getFull(1);
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    return operand(0).castOp(cast->getOpcode(), bits);
  }
  if (const llvm::Value* counter = saturated_counter(instruction)) {
    return saturated_decrement(operand(nodes_[node.operands[0]].value == counter ? 0 : 1));
  }
  if (const auto subtracted = subtracted_at_most(node)) return operand(0).usub_sat(values_[*subtracted]);
  return operand(0).binaryOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(), operand(1));
}

// Makes the range of a node no wider than that, and those that it is computed from; false if nothing is left.
bool IterationRanges::narrow(uint32_t id, const ConstantRange& to) {
  values_[id] = values_[id].intersectWith(to);
  if (values_[id].isEmptySet()) return false;
  const Node& node = nodes_[id];
  if (node.operands.empty()) return true;
  const ConstantRange& range = values_[id];
  const uint32_t from = node.operands[0];
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(node.value)) {
    return narrow(from, range.truncate(values_[from].getBitWidth()));
  }
  const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(node.value);
  if (binary == nullptr) return true;
  const llvm::APInt* by = values_[node.operands[1]].getSingleElement();
  if (by == nullptr) return true;
  if (binary->getOpcode() == llvm::Instruction::Add) return narrow(from, range.sub(ConstantRange(*by)));
  if (binary->getOpcode() == llvm::Instruction::Sub) return narrow(from, range.add(ConstantRange(*by)));
  return true;
}

// The condition has that value; false if it cannot.
bool IterationRanges::pass(uint32_t condition, bool value) {
  const Node& node = nodes_[condition];
  if (!narrow(condition, ConstantRange(llvm::APInt(1, value ? 1 : 0)))) return false;
  if (node.operands.size() != 2) return true;
  const uint32_t a = node.operands[0], b = node.operands[1];
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(node.value)) {
    const auto predicate = value ? compare->getPredicate() : compare->getInversePredicate();
    return narrow(a, ConstantRange::makeAllowedICmpRegion(predicate, values_[b])) &&
           narrow(b, ConstantRange::makeAllowedICmpRegion(llvm::CmpInst::getSwappedPredicate(predicate), values_[a]));
  }
  const auto opcode = llvm::cast<llvm::Instruction>(node.value)->getOpcode();
  const bool both = (opcode == llvm::Instruction::And && value) || (opcode == llvm::Instruction::Or && !value);
  if (both) return pass(a, value) && pass(b, value);
  const llvm::APInt* by = values_[b].getSingleElement();
  if (opcode == llvm::Instruction::Xor && by != nullptr) return pass(a, value != by->isOne());
  return true;
}

std::vector<ConstantRange> IterationRanges::at_entry() const {
  std::vector<ConstantRange> all;
  for (const auto& [id, next] : phis_) {
    all.push_back(range_on_entry(*llvm::cast<llvm::PHINode>(nodes_[id].value), context_));
  }
  return all;
}

int64_t IterationRanges::evaluations() const {
  return static_cast<int64_t>(nodes_.size() + steps_.size()) * (by_paths_ ? 2 : 1);
}

// Whether the iteration may go from a block to another one, as far as is looked at.
bool IterationRanges::is_taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  if (!by_paths_ || !is_own(from)) return true;
  if (!reached_.contains(&from)) return false;
  const auto condition = condition_of_.find(&from);
  const llvm::APInt* known = condition == condition_of_.end() ? nullptr : values_[condition->second].getSingleElement();
  return known == nullptr || from.getTerminator()->getSuccessor(known->isOne() ? 0 : 1) == &to;
}

bool IterationRanges::is_reached(const llvm::BasicBlock& block) const {
  return !by_paths_ || &block == context_.loop.getHeader() ||
         llvm::any_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) { return is_taken(*from, block); });
}

// False if it cannot end with another iteration.
bool IterationRanges::take(const Step& step) {
  if (step.act == Act::reach) {
    if (is_reached(*step.block)) reached_.insert(step.block);
    return reached_.contains(step.block) || step.block != context_.loop.getLoopLatch();
  }
  if (by_paths_ && !reached_.contains(step.block)) return true;
  if (step.act == Act::pass) return pass(exits_[step.index].condition, exits_[step.index].stays);
  return narrow(step.index, evaluate(nodes_[step.index]));
}

// The same.
bool IterationRanges::run_once() {
  values_.clear();
  reached_.clear();
  for (const Node& node : nodes_) values_.push_back(node.everywhere);
  for (size_t i = 0; i < phis_.size(); ++i) {
    if (!narrow(phis_[i].first, starts_[i])) return false;
  }
  return llvm::all_of(steps_, [this](const Step& step) { return take(step); });
}

// By paths, what the exits have left of the phis is computed with once more.
bool IterationRanges::run() {
  if (!run_once()) return false;
  if (!by_paths_) return true;
  for (size_t i = 0; i < phis_.size(); ++i) starts_[i] = values_[phis_[i].first];
  return run_once();
}

bool IterationRanges::advance() {
  bool changes = false;
  for (size_t i = 0; i < phis_.size(); ++i) {
    const ConstantRange& next = values_[phis_[i].second];
    changes = changes || next != starts_[i];
    starts_[i] = next;
  }
  return changes;
}

std::vector<IterationRanges::Gap> IterationRanges::gaps() const {
  std::vector<Gap> all;
  for (const Node& node : nodes_) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(node.value);
    if (compare == nullptr || node.operands.size() != 2) continue;
    const ConstantRange &a = values_[node.operands[0]], &b = values_[node.operands[1]];
    if (a.getBitWidth() > 64) continue;
    const auto between = [&](const ConstantRange& from, const ConstantRange& to) -> Gap {
      if (compare->isSigned()) {
        return Gap{to.getSignedMax().getSExtValue()} - from.getSignedMin().getSExtValue();
      }
      return Gap{to.getUnsignedMax().getZExtValue()} - from.getUnsignedMin().getZExtValue();
    };
    all.push_back(between(a, b));
    all.push_back(between(b, a));
  }
  for (const ConstantRange& start : starts_) {
    if (start.getBitWidth() > 64) continue;
    all.emplace_back(start.getLower().getZExtValue());
    all.emplace_back(start.getUpper().getZExtValue());
  }
  return all;
}

}  // namespace warpspan::lift
