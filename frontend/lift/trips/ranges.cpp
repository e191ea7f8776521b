// Theorem. Let S_1 hold every value of the header's phis when the loop is entered, and S_{k+1} every value that they
// have at the next header if they have one of S_k and no exit is taken. If some exit that every turn passes is taken
// for all values of S_k, the header runs k times at most.
//
// Proof. By induction the phis have a value of S_k whenever the header runs for the k-th time: S_{k+1} holds all that
// can come. So it does not run once more. QED.
//
// S_k is a range for each phi. What is computed from them in the turn is evaluated with ranges, in an order in which
// operands come first; a value chosen between ways has the union of them; what changes in a loop inside this one, and
// what is no integer arithmetic, has the range it has wherever it is computed. An exit that every turn passes narrows
// the ranges of what it compares to those for which it is not taken: what is computed behind it, and what the phis have
// next, uses these. Any of it may be wider than need be.
#include "frontend/lift/trips/ranges.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "frontend/lift/trips/conditions.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;

constexpr int64_t most_evaluations_of_a_loop = 200'000;
constexpr size_t most_nodes = 256;
constexpr int64_t first_look = 64;    // turns before it is asked how far the exits are
constexpr int64_t steady_turns = 16;  // turns alike, after which an exit that they do not come near is given up

class Turns {
 public:
  Turns(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
        const ValueRanges& ranges)
      : loop_(loop), loops_(loops), dominators_(dominators), ranges_(ranges) {}

  // False if there is nothing to evaluate, or too much.
  bool build();
  std::optional<int64_t> count(int64_t& budget);

 private:
  struct Node {
    llvm::Value* value = nullptr;
    ConstantRange everywhere;             // that it has wherever it is computed
    std::vector<uint32_t> operands = {};  // of what is evaluated in each turn
  };
  struct Test {
    uint32_t condition = 0;
    bool stays = true;  // the condition's value with which the loop goes on
  };
  // What happens in a turn, in order: a node is evaluated, or an exit passed.
  struct Step {
    bool is_exit = false;
    uint32_t index = 0;
  };

  bool is_own(const llvm::BasicBlock& block) const;
  bool is_evaluated(const llvm::Instruction& instruction) const;
  ConstantRange everywhere(llvm::Value& value) const;
  std::optional<uint32_t> node_of(llvm::Value& value);
  bool add_exits();
  bool add_operands();
  void order();
  ConstantRange evaluate(const Node& node) const;
  ConstantRange selected(const Node& node) const;
  ConstantRange chosen(const Node& select, bool way) const;
  bool pass(uint32_t condition, bool value);
  bool narrow(uint32_t node, const ConstantRange& to);
  void enter();
  bool run();
  bool advance();
  std::vector<std::optional<uint64_t>> distances() const;

  const llvm::Loop& loop_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const ValueRanges& ranges_;
  std::vector<Node> nodes_;
  llvm::DenseMap<const llvm::Value*, uint32_t> ids_;
  std::vector<std::pair<uint32_t, uint32_t>> phis_;  // of the header, and what they are next
  std::vector<Test> exits_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> exit_of_;
  std::vector<Step> steps_;
  std::vector<ConstantRange> starts_;  // of the phis, in the turn that comes next
  std::vector<ConstantRange> values_;  // by node, in this turn
};

// Whether it runs at most once in a turn: it is in no loop inside this one.
bool Turns::is_own(const llvm::BasicBlock& block) const {
  return loop_.contains(&block) &&
         llvm::none_of(loop_.getSubLoops(), [&](const llvm::Loop* inner) { return inner->contains(&block); });
}

bool Turns::is_evaluated(const llvm::Instruction& instruction) const {
  if (!is_own(*instruction.getParent())) return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return phi->getParent() != loop_.getHeader();
  return llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::SelectInst, llvm::TruncInst, llvm::ZExtInst,
                   llvm::SExtInst>(instruction);
}

ConstantRange Turns::everywhere(llvm::Value& value) const {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return ConstantRange(constant->getValue());
  const unsigned bits = value.getType()->getIntegerBitWidth();
  return bits > 1 && bits <= 64 ? ranges_(value) : ConstantRange::getFull(bits);
}

std::optional<uint32_t> Turns::node_of(llvm::Value& value) {
  if (const auto known = ids_.find(&value); known != ids_.end()) return known->second;
  if (nodes_.size() >= most_nodes || !value.getType()->isIntegerTy()) return std::nullopt;
  nodes_.push_back({&value, everywhere(value)});
  return ids_[&value] = static_cast<uint32_t>(nodes_.size() - 1);
}

// Those that a turn may pass several times are left out.
bool Turns::add_exits() {
  for (const Exit& exit : exits_of_every_turn(loop_, dominators_)) {
    if (!is_own(*exit.block)) continue;
    const auto condition = node_of(*exit.condition);
    if (!condition) return false;
    exit_of_[exit.block] = static_cast<uint32_t>(exits_.size());
    exits_.push_back({*condition, exit.stays});
  }
  return !exits_.empty();
}

bool Turns::add_operands() {
  for (uint32_t id = 0; id < nodes_.size(); ++id) {  // it grows
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(nodes_[id].value);
    if (instruction == nullptr || !loop_.contains(instruction)) continue;
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi != nullptr && phi->getParent() == loop_.getHeader()) {
      const auto next = node_of(*phi->getIncomingValueForBlock(loop_.getLoopLatch()));
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
void Turns::order() {
  llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop*>(&loop_));
  blocks.perform(&loops_);
  for (const llvm::BasicBlock* block : llvm::make_range(blocks.begin(), blocks.end())) {
    if (!is_own(*block)) continue;
    for (const llvm::Instruction& instruction : *block) {
      const auto node = ids_.find(&instruction);
      if (node != ids_.end() && !nodes_[node->second].operands.empty()) steps_.push_back({false, node->second});
    }
    if (const auto exit = exit_of_.find(block); exit != exit_of_.end()) steps_.push_back({true, exit->second});
  }
}

bool Turns::build() {
  if (!add_exits() || !add_operands()) return false;
  order();
  return true;
}

// The values of a select's operand where it is the one that is chosen: a comparison of it decided that.
ConstantRange Turns::chosen(const Node& select, bool way) const {
  const uint32_t arm = select.operands[way ? 1 : 2];
  ConstantRange range = values_[arm];
  const Node& condition = nodes_[select.operands[0]];
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition.value);
  if (compare == nullptr || condition.operands.size() != 2) return range;
  const auto predicate = way ? compare->getPredicate() : compare->getInversePredicate();
  const uint32_t a = condition.operands[0], b = condition.operands[1];
  if (a == arm) range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(predicate, values_[b]));
  if (b == arm) {
    const auto swapped = llvm::CmpInst::getSwappedPredicate(predicate);
    range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(swapped, values_[a]));
  }
  return range;
}

ConstantRange Turns::selected(const Node& node) const {
  const ConstantRange& condition = values_[node.operands[0]];
  if (const llvm::APInt* known = condition.getSingleElement()) return chosen(node, known->isOne());
  return chosen(node, true).unionWith(chosen(node, false));
}

ConstantRange Turns::evaluate(const Node& node) const {
  const auto& instruction = *llvm::cast<llvm::Instruction>(node.value);
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const auto operand = [&](size_t i) -> const ConstantRange& { return values_[node.operands[i]]; };
  if (llvm::isa<llvm::PHINode>(instruction)) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    for (size_t i = 0; i < node.operands.size(); ++i) all = all.unionWith(operand(i));
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
  return operand(0).binaryOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(), operand(1));
}

// Makes the range of a node no wider than that, and those that it is computed from; false if nothing is left.
bool Turns::narrow(uint32_t id, const ConstantRange& to) {
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
bool Turns::pass(uint32_t condition, bool value) {
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

void Turns::enter() {
  for (const auto& [id, next] : phis_) {
    starts_.push_back(range_on_entry(*llvm::cast<llvm::PHINode>(nodes_[id].value), loop_, dominators_, ranges_));
  }
}

// False if it cannot end with another turn.
bool Turns::run() {
  values_.clear();
  for (const Node& node : nodes_) values_.push_back(node.everywhere);
  for (size_t i = 0; i < phis_.size(); ++i) {
    if (!narrow(phis_[i].first, starts_[i])) return false;
  }
  for (const Step& step : steps_) {
    if (step.is_exit) {
      if (!pass(exits_[step.index].condition, exits_[step.index].stays)) return false;
    } else if (!narrow(step.index, evaluate(nodes_[step.index]))) {
      return false;
    }
  }
  return true;
}

// To the next turn; false if nothing changes any more.
bool Turns::advance() {
  bool changes = false;
  for (size_t i = 0; i < phis_.size(); ++i) {
    const ConstantRange& next = values_[phis_[i].second];
    changes = changes || next != starts_[i];
    starts_[i] = next;
  }
  return changes;
}

// By exit, how far what it compares is from being on the side that leaves; nothing of what is no comparison of order.
std::vector<std::optional<uint64_t>> Turns::distances() const {
  std::vector<std::optional<uint64_t>> all;
  for (const Test& exit : exits_) {
    const Node& node = nodes_[exit.condition];
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(node.value);
    all.emplace_back();
    if (compare == nullptr || node.operands.size() != 2 || compare->isEquality()) continue;
    const bool is_less = llvm::ICmpInst::isLT(compare->getPredicate()) || llvm::ICmpInst::isLE(compare->getPredicate());
    const bool first_is_low = is_less == exit.stays;
    const ConstantRange& low = values_[node.operands[first_is_low ? 0 : 1]];
    const ConstantRange& high = values_[node.operands[first_is_low ? 1 : 0]];
    const bool is_signed = compare->isSigned();
    const llvm::APInt least = is_signed ? low.getSignedMin() : low.getUnsignedMin();
    const llvm::APInt most = is_signed ? high.getSignedMax() : high.getUnsignedMax();
    all.back() = (most - least).getZExtValue();
  }
  return all;
}

// Whether no exit gets so much nearer in `turns` turns that `left` more could suffice. Said of a loop that does end
// soon, it would stay without a bound: nothing else depends on it.
bool seem_too_far(const std::vector<std::optional<uint64_t>>& before, const std::vector<std::optional<uint64_t>>& now,
                  int64_t turns, int64_t left) {
  for (size_t i = 0; i < now.size(); ++i) {
    if (!before[i] || !now[i]) return false;
    const uint64_t gained = *before[i] > *now[i] ? *before[i] - *now[i] : 0;
    if (*now[i] / static_cast<uint64_t>(left / turns + 1) <= gained) return false;
  }
  return true;
}

// By exit, how much nearer one turn has brought it; nothing of what is not known.
std::vector<std::optional<uint64_t>> gains(const std::vector<std::optional<uint64_t>>& before,
                                           const std::vector<std::optional<uint64_t>>& now) {
  std::vector<std::optional<uint64_t>> all(now.size());
  for (size_t i = 0; i < now.size() && i < before.size(); ++i) {
    if (before[i] && now[i]) all[i] = *before[i] - *now[i];
  }
  return all;
}

std::optional<int64_t> Turns::count(int64_t& budget) {
  const auto turn = static_cast<int64_t>(nodes_.size() + steps_.size());
  const int64_t most = std::min(budget, most_evaluations_of_a_loop) / turn;
  std::vector<std::optional<uint64_t>> before, last, gained;
  int64_t steady = 0;  // turns one after another in which each exit has come as much nearer as in the one before
  enter();
  for (int64_t k = 1; k <= most; ++k) {
    budget -= turn;
    if (!run()) return k;
    if (!advance()) return std::nullopt;
    if (k < first_look) {
      auto here = distances();
      auto gain = gains(last, here);
      steady = gain == gained ? steady + 1 : 0;
      if (steady >= steady_turns && seem_too_far(last, here, 1, most - k)) return std::nullopt;
      last = std::move(here);
      gained = std::move(gain);
      continue;
    }
    if (!std::has_single_bit(static_cast<uint64_t>(k))) continue;
    auto now = distances();
    if (k > first_look && seem_too_far(before, now, k / 2, most - k)) return std::nullopt;
    before = std::move(now);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> trips_by_ranges(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::DominatorTree& dominators, const ValueRanges& ranges,
                                       int64_t& budget) {
  Turns turns(loop, loops, dominators, ranges);
  return turns.build() ? turns.count(budget) : std::nullopt;
}

}  // namespace warpspan::lift
