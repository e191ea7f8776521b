// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/slice.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

#include "frontend/lift/values/evaluate.hpp"

namespace warpspan::lift {

namespace {

constexpr size_t most_nodes = 512;
constexpr int deepest = 512;
constexpr uint64_t most_values = 4096;  // of an input

// By its known bits, and by its range.
llvm::ConstantRange values_of(const llvm::Instruction& value) {
  const auto bits = llvm::computeKnownBits(&value, value.getModule()->getDataLayout());
  const llvm::ConstantRange range = llvm::ConstantRange::fromKnownBits(bits, false);
  const llvm::MDNode* declared = value.getMetadata(llvm::LLVMContext::MD_range);
  return declared == nullptr ? range : range.intersectWith(llvm::getConstantRangeFromMetadata(*declared));
}

}  // namespace

std::optional<uint32_t> Slice::add(const llvm::Value& value) {
  Slice attempt = *this;
  const auto node = attempt.visit(value, 0);
  if (!node || !attempt.connect_counters(counters_.size())) return std::nullopt;
  *this = std::move(attempt);
  return node;
}

uint32_t Slice::insert(const llvm::Value& value, Node node) {
  const auto id = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(std::move(node));
  values_.push_back(&value);
  ids_[&value] = id;
  return id;
}

// Drops what was added last.
void Slice::shrink(size_t nodes, size_t counters, size_t inputs) {
  for (size_t i = nodes; i < nodes_.size(); ++i) ids_.erase(values_[i]);
  nodes_.resize(nodes);
  values_.resize(nodes);
  counters_.resize(counters);
  phis_.resize(counters);
  inputs_.resize(inputs);
}

std::optional<uint32_t> Slice::visit(const llvm::Value& value, int level) {
  const auto known = ids_.find(&value);
  if (known != ids_.end()) return known->second;
  if (nodes_.size() >= most_nodes || level > deepest || unknown_.contains(&value)) return std::nullopt;
  const size_t nodes = nodes_.size();
  const size_t counters = counters_.size();
  const size_t inputs = inputs_.size();
  if (const auto node = visit_computed(value, level)) return node;
  shrink(nodes, counters, inputs);
  const auto node = takes_inputs_ ? visit_input(value) : std::nullopt;
  if (!node) unknown_.insert(&value);
  return node;
}

std::optional<uint32_t> Slice::visit_computed(const llvm::Value& value, int level) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getBitWidth() > 64) return std::nullopt;
    return insert(value, {.constant = constant->getZExtValue()});
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr) return std::nullopt;
  if (const auto thread = thread_value(*instruction)) return insert(value, {.thread = thread});
  if (call_kind(*instruction) == CallKind::same) return visit(*instruction->getOperand(0), level + 1);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return visit_counter(*phi);
  return can_evaluate(*instruction) ? visit_operation(*instruction, level) : std::nullopt;
}

std::optional<uint32_t> Slice::visit_operation(const llvm::Instruction& instruction, int level) {
  Node node{.instruction = &instruction};
  for (const llvm::Value* operand : instruction.operand_values()) {
    if (!operand->getType()->isIntegerTy()) continue;  // the callee of an intrinsic
    const auto id = visit(*operand, level + 1);
    if (!id) return std::nullopt;
    node.operands.push_back(*id);
    node.depth = std::max(node.depth, nodes_[*id].depth);
  }
  return insert(instruction, std::move(node));
}

// Any value of one definition outside of the loop: it is the same for as long as the loop runs, and for as long as
// those loops around it run that do not hold the definition.
std::optional<uint32_t> Slice::visit_input(const llvm::Value& value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !value.getType()->isIntegerTy()) return std::nullopt;
  const llvm::Loop* around = loop_;
  while (around != nullptr && !around->contains(instruction)) around = around->getParentLoop();
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (around == loop_ || bits > 64) return std::nullopt;
  const llvm::ConstantRange range = values_of(*instruction);
  const llvm::APInt first = range.getUnsignedMin();
  const llvm::APInt largest = range.getUnsignedMax();
  if ((largest - first).uge(most_values)) return std::nullopt;
  const uint32_t id = insert(value, {.is_input = true});
  inputs_.push_back({id, first.getZExtValue(), largest.getZExtValue(), around == nullptr ? 0 : around->getLoopDepth()});
  return id;
}

std::optional<uint32_t> Slice::visit_counter(const llvm::PHINode& phi) {
  const llvm::Loop* loop = loops_->getLoopFor(phi.getParent());
  if (loop == nullptr || loop->getHeader() != phi.getParent() || !loop->contains(loop_)) return std::nullopt;
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(phi.getType());
  if (type == nullptr || type->getBitWidth() > 64 || phi.getNumIncomingValues() != 2) return std::nullopt;
  if (loop->contains(phi.getIncomingBlock(0)) == loop->contains(phi.getIncomingBlock(1))) return std::nullopt;
  const uint32_t id = insert(phi, {.depth = loop->getLoopDepth()});
  counters_.push_back({.node = id, .depth = loop->getLoopDepth()});
  phis_.push_back(&phi);
  return id;
}

// The first and the next values of the counters from `first` on, which may bring further counters in. A counter whose
// next value an inner loop computes is none that can be followed.
bool Slice::connect_counters(size_t first) {
  for (size_t i = first; i < counters_.size(); ++i) {
    const llvm::PHINode& phi = *phis_[i];
    const unsigned latch = loops_->getLoopFor(phi.getParent())->contains(phi.getIncomingBlock(0)) ? 0 : 1;
    const auto start = visit(*phi.getIncomingValue(1 - latch), 0);
    const auto next = visit(*phi.getIncomingValue(latch), 0);
    if (!start || !next) return false;
    counters_[i].start = *start;
    counters_[i].next = *next;
    if (nodes_[*next].depth > counters_[i].depth || nodes_[*start].depth >= counters_[i].depth) return false;
  }
  return true;
}

}  // namespace warpspan::lift
