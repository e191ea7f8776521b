#include "frontend/llvm/slice.hpp"

#include <llvm/IR/Constants.h>

#include "frontend/llvm/evaluate.hpp"

namespace warpspan::lift {

namespace {

constexpr size_t most_nodes = 512;
constexpr int deepest = 512;

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
  ids_[&value] = id;
  return id;
}

std::optional<uint32_t> Slice::visit(const llvm::Value& value, int level) {
  const auto known = ids_.find(&value);
  if (known != ids_.end()) return known->second;
  if (nodes_.size() >= most_nodes || level > deepest) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getBitWidth() > 64) return std::nullopt;
    return insert(value, {.constant = constant->getZExtValue()});
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr) return std::nullopt;
  if (const auto thread = thread_value(*instruction)) return insert(value, {.thread = thread});
  if (call_kind(*instruction) == CallKind::same) return visit(*instruction->getOperand(0), level + 1);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return visit_counter(*phi);
  if (!can_evaluate(*instruction)) return std::nullopt;
  Node node{.instruction = instruction};
  for (const llvm::Value* operand : instruction->operand_values()) {
    if (!operand->getType()->isIntegerTy()) continue;  // the callee of an intrinsic
    const auto id = visit(*operand, level + 1);
    if (!id) return std::nullopt;
    node.operands.push_back(*id);
    node.depth = std::max(node.depth, nodes_[*id].depth);
  }
  return insert(value, std::move(node));
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
