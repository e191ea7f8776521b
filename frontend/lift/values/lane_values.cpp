// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/lane_values.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/evaluate.hpp"
#include "frontend/lift/values/integers.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;

constexpr unsigned aligned_zeros = 8;  // of multiples of 256
constexpr int longest_step = 64;       // additions from one iteration to the next
constexpr uint64_t widest_spread = 1 << 16;
constexpr int deepest_sum = 8;
constexpr unsigned most_groups = ir::warp_lanes;

unsigned zeros_of(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

LaneValue unknown_base() { return {.has_base = true, .base_zeros = 0}; }

bool is_constant(const LaneValue& a) { return !a.has_base && a.offsets == 0; }

}  // namespace

LaneValues::LaneValues(llvm::Function& function, const llvm::LoopInfo& loops, const Uniformity& uniformity,
                       OffsetTables& tables, RangeOf range_of, ValueSet aligned)
    : loops_(loops),
      uniformity_(uniformity),
      tables_(tables),
      range_of_(std::move(range_of)),
      aligned_(std::move(aligned)) {
  if (tables_.threads() == 0) return;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* block : order) {
    for (Instruction& instruction : *block) {
      if (bits_of(instruction) == 0) continue;
      Form form = of_instruction(instruction);
      if (!form && uniformity_.is_uniform(instruction)) form = unknown_base();
      if (form) known_[&instruction] = *form;
    }
  }
}

// A base is the same for lanes that have it from the same execution.
std::optional<LaneValue> LaneValues::at(const llvm::Use& use) const {
  return at(*use.get(), llvm::cast<Instruction>(*use.getUser()));
}

std::optional<LaneValue> LaneValues::at(const llvm::Value& value, const Instruction& user) const {
  if (bits_of(value) == 0) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    return LaneValue{.constant = constant->getZExtValue()};
  }
  const auto found = known_.find(&value);
  if (found == known_.end()) return std::nullopt;
  if (found->second.has_base && !uniformity_.is_same_execution(value, user)) return std::nullopt;
  return found->second;
}

ValueSet LaneValues::more_uniform() const {
  ValueSet result;
  for (const auto& [value, form] : known_) {
    if (is_same_in_warps(form) && !uniformity_.is_uniform(*value)) result.insert(value);
  }
  return result;
}

bool LaneValues::is_same_in_warps(const LaneValue& a) const {
  return a.groups == 1 && !a.cut && tables_.is_same_in_warps(a.offsets);
}

uint64_t LaneValues::number(const LaneValue& a, size_t thread, unsigned bits) const {
  return (a.constant + tables_.values(a.offsets)[thread]) & low_ones(bits);
}

std::optional<uint64_t> LaneValues::spread(const llvm::Use& use) const { return spread(use, 0); }

// What lanes share is a part of b. Sums of windows lie in a window as wide as both, products with a constant in one
// that is as many times as wide, all modulo 2^bits; any other value lies in its range.
std::optional<uint64_t> LaneValues::spread(const llvm::Use& use, int depth) const {
  if (bits_of(*use.get()) < 2 || depth > deepest_sum) return std::nullopt;
  const Form form = at(use);
  if (form && is_same_in_warps(*form)) return 0;
  std::optional<uint64_t> best;
  const auto keep = [&best](uint64_t distance) {
    if (distance < widest_spread && (!best || distance < *best)) best = distance;
  };
  for (const bool is_signed : {false, true}) {
    const llvm::ConstantRange range = range_of_number(*use.get(), is_signed, range_of_);
    if (!range.isFullSet() && !range.isEmptySet()) keep((range.getUpper() - range.getLower() - 1).getLimitedValue());
  }
  // The operands belong to the execution that the use has the result from.
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(use.get());
  if (operation == nullptr || !uniformity_.is_same_execution(use)) return best;
  const auto part = [&](unsigned i) { return spread(operation->getOperandUse(i), depth + 1); };
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  if (operation->getOpcode() == Instruction::Add) {
    const auto a = part(0), b = part(1);
    if (a && b) keep(*a + *b);
  } else if (operation->getOpcode() == Instruction::Shl && by != nullptr && by->getValue().ult(16)) {
    if (const auto a = part(0)) keep(*a << by->getZExtValue());
  } else if (operation->getOpcode() == Instruction::Mul && by != nullptr && by->getValue().ult(widest_spread)) {
    if (const auto a = part(0)) keep(*a * by->getZExtValue());
  }
  return best;
}

LaneValues::Form LaneValues::of_instruction(Instruction& instruction) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  if (call_kind(instruction) != CallKind::none) return of_call(instruction);
  return can_evaluate(instruction) ? of_operation(instruction) : std::nullopt;
}

LaneValues::Form LaneValues::of_call(const Instruction& instruction) {
  if (call_kind(instruction) == CallKind::same) return at(instruction.getOperandUse(0));
  if (aligned_.contains(&instruction)) return LaneValue{.has_base = true, .base_zeros = aligned_zeros};
  const auto which = thread_value(instruction);
  if (!which) return std::nullopt;
  const auto table = *which == ThreadValue::lane ? tables_.lane() : tables_.component(static_cast<int>(*which));
  return table ? Form(LaneValue{.offsets = *table}) : std::nullopt;
}

// A sign that is shifted down, as divisions do, is the same number where nothing is negative.
LaneValues::Form LaneValues::of_sign(Instruction& instruction) const {
  if (instruction.getOpcode() != Instruction::AShr) return std::nullopt;
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (by == nullptr || by->getValue() != bits_of(instruction) - 1) return std::nullopt;
  const llvm::ConstantRange sign = range_of_number(instruction, true, range_of_);
  return sign.isSingleElement() ? Form(LaneValue{.constant = sign.getSingleElement()->getZExtValue()}) : std::nullopt;
}

LaneValues::Form LaneValues::of_operation(Instruction& instruction) {
  if (const Form sign = of_sign(instruction)) return sign;
  std::vector<Form> operands;
  for (const llvm::Use& use : instruction.operands()) {
    if (bits_of(*use.get()) > 0) operands.push_back(at(use));
  }
  const auto is_missing = [](const Form& f) { return !f; };
  if (std::any_of(operands.begin(), operands.end(), is_missing)) return std::nullopt;
  const auto is_known = [](const Form& f) { return !f->has_base; };
  if (std::all_of(operands.begin(), operands.end(), is_known)) return of_known(instruction, operands);
  const unsigned bits = bits_of(instruction);
  const LaneValue& a = *operands[0];
  const LaneValue* b = operands.size() > 1 ? &*operands[1] : nullptr;
  const bool by_constant = b != nullptr && is_constant(*b);
  Form result;
  switch (instruction.getOpcode()) {
    case Instruction::Add: result = add(a, *b, false, bits); break;
    case Instruction::Sub: result = add(a, *b, true, bits); break;
    case Instruction::Mul: result = multiply(a, *b, bits); break;
    case Instruction::Shl:
      if (by_constant && b->constant < bits) result = scale(a, uint64_t{1} << b->constant, bits);
      break;
    case Instruction::Xor:
      if (by_constant && b->constant == low_ones(bits)) {
        result = add(*b, a, true, bits);
        break;
      }
      [[fallthrough]];
    case Instruction::Or:
      result = combine_disjoint(a, *b, bits);
      if (!result && by_constant) result = with_bits(instruction.getOpcode(), a, b->constant, bits);
      break;
    case Instruction::And:
      if (by_constant) result = mask(a, b->constant, bits);
      break;
    case Instruction::URem:
      if (by_constant && std::has_single_bit(b->constant)) result = mask(a, b->constant - 1, bits);
      break;
    case Instruction::LShr:
    case Instruction::AShr:
      if (by_constant) result = shift_right(a, b->constant, bits);
      break;
    case Instruction::UDiv:
      if (by_constant && std::has_single_bit(b->constant)) result = shift_right(a, zeros_of(b->constant), bits);
      if (!result) result = divide(instruction, a, *b);
      break;
    case Instruction::Trunc: result = truncate(a, bits); break;
    case Instruction::ZExt: result = extend(instruction, a, false); break;
    case Instruction::SExt: result = extend(instruction, a, true); break;
    case Instruction::Select: result = of_select(operands[0], operands[1], operands[2]); break;
    default: break;
  }
  return result ? result : of_shared(operands);
}

// What is computed from values that all lanes of a part share, they share.
LaneValues::Form LaneValues::of_shared(const std::vector<Form>& operands) const {
  LaneValue result = unknown_base();
  for (const Form& operand : operands) {
    if (!tables_.is_same_in_warps(operand->offsets)) return std::nullopt;
    const LaneValue part = result.cut ? without_cut(*operand) : *operand;
    result.groups *= part.groups;
    if (part.cut) result.cut = LaneValue::Cut{part.cut->order, 0};
  }
  return result.groups > most_groups ? std::nullopt : Form(result);
}

// Every operand is known for every thread, and so is the result.
LaneValues::Form LaneValues::of_known(const Instruction& instruction, const std::vector<Form>& operands) {
  std::vector<uint64_t> values(operands.size());
  const Evaluation evaluation(instruction);
  const auto at_thread = [&](size_t thread) {
    for (size_t i = 0; i < operands.size(); ++i) {
      values[i] = number(*operands[i], thread, bits_of(*instruction.getOperand(static_cast<unsigned>(i))));
    }
    return evaluation(values.data());
  };
  if (std::all_of(operands.begin(), operands.end(), [](const Form& f) { return is_constant(*f); })) {
    const auto value = at_thread(0);
    return value ? Form(LaneValue{.constant = *value}) : std::nullopt;
  }
  const auto table = tables_.make(at_thread);
  return table ? Form(LaneValue{.offsets = *table}) : std::nullopt;
}

// Both sides differ among the lanes alike, and the lanes choose together.
LaneValues::Form LaneValues::of_select(const Form& condition, const Form& yes, const Form& no) {
  return is_same_in_warps(*condition) ? of_either(*yes, *no) : std::nullopt;
}

LaneValues::Form LaneValues::of_either(const LaneValue& a, const LaneValue& b) {
  if (a.offsets != b.offsets) return std::nullopt;
  LaneValue result = without_cut(a);
  result.has_base = true;
  result.base_zeros = std::min({a.base_zeros, b.base_zeros, zeros_of(a.constant - b.constant)});
  result.groups = std::max(result.groups, without_cut(b).groups);
  return result;
}

const llvm::Use* LaneValues::only_taken(const llvm::PHINode& phi) const {
  const llvm::Use* taken = nullptr;
  for (const llvm::Use& use : phi.incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(use.get())) continue;
    if (taken != nullptr) return nullptr;
    taken = &use;
  }
  return taken;
}

// Elsewhere than in headers, what comes by the edge that all lanes take together: by the only one that is ever taken,
// or by any of several that differ alike among the lanes. Where lanes meet that a branch has sent different paths, each
// part of them may have its own base from there. In headers, what the loop starts with, plus the same step for all
// lanes in each iteration.
LaneValues::Form LaneValues::of_phi(const llvm::PHINode& phi) {
  if (!loops_.isLoopHeader(phi.getParent())) {
    const bool meets = uniformity_.is_reconvergence(phi);
    if (const llvm::Use* taken = only_taken(phi)) {
      const Form form = at(*taken);
      return form && form->has_base && meets ? std::nullopt : form;
    }
    return meets ? std::nullopt : of_any(phi);
  }
  const auto steps = stepping(phi);
  Form start = steps ? at(*steps->start) : std::nullopt;
  if (!start) return std::nullopt;
  start->has_base = true;
  start->base_zeros = std::min(start->base_zeros, steps->zeros);
  return start;
}

LaneValues::Form LaneValues::of_any(const llvm::PHINode& phi) {
  Form all;
  for (const llvm::Use& use : phi.incoming_values()) {
    const Form form = at(use);
    if (!form) return std::nullopt;
    all = all ? of_either(*all, *form) : form;
    if (!all) return std::nullopt;
  }
  return all;
}

std::optional<LaneValues::Stepping> LaneValues::stepping(const llvm::PHINode& phi) const {
  int budget = longest_step;
  return stepping(phi, budget);
}

std::optional<LaneValues::Stepping> LaneValues::stepping(const llvm::PHINode& phi, int& budget) const {
  const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
  if (loop == nullptr || loop->getHeader() != phi.getParent() || phi.getNumIncomingValues() != 2) return std::nullopt;
  if (uniformity_.is_reconvergence(phi) || !uniformity_.is_same_execution(phi.getOperandUse(0)) ||
      !uniformity_.is_same_execution(phi.getOperandUse(1))) {
    return std::nullopt;
  }
  const unsigned latch = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
  if (loop->contains(phi.getIncomingBlock(1 - latch)) || !loop->contains(phi.getIncomingBlock(latch))) {
    return std::nullopt;
  }
  const auto zeros = step_zeros(phi, phi.getOperandUse(latch), budget);
  return zeros ? std::optional<Stepping>({&phi.getOperandUse(1 - latch), *zeros}) : std::nullopt;
}

const llvm::Use* LaneValues::origin_of(const llvm::PHINode& phi) const {
  if (loops_.isLoopHeader(phi.getParent())) {
    const auto steps = stepping(phi);
    return steps ? steps->start : nullptr;
  }
  return uniformity_.is_reconvergence(phi) ? nullptr : only_taken(phi);
}

// The trailing zeros that all steps from the phi to what is used have, if they are the same for all lanes that are at
// the use together. Of each operand on the way these have been at its use together, too: what they add is the same, so
// is what they choose, and where paths join they come by the same one. A loop within adds the same to what it starts
// with in each of its iterations.
std::optional<unsigned> LaneValues::step_zeros(const llvm::PHINode& phi, const llvm::Use& use, int& budget) const {
  if (--budget < 0 || !uniformity_.is_same_execution(use)) return std::nullopt;
  if (use.get() == &phi) return 64;
  const llvm::Loop& loop = *loops_.getLoopFor(phi.getParent());
  const auto* value = llvm::dyn_cast<Instruction>(use.get());
  if (value == nullptr || !loop.contains(value)) return std::nullopt;
  const auto least_of = [&](auto&& uses) -> std::optional<unsigned> {
    unsigned least = 64;
    for (const llvm::Use& each : uses) {
      const bool is_never_taken = llvm::isa<llvm::UndefValue>(each.get()) && llvm::isa<llvm::PHINode>(value);
      if (is_never_taken) continue;
      const auto zeros = step_zeros(phi, each, budget);
      if (!zeros) return std::nullopt;
      least = std::min(least, *zeros);
    }
    return least;
  };
  if (const auto* joined = llvm::dyn_cast<llvm::PHINode>(value)) {
    if (!loops_.isLoopHeader(joined->getParent())) {
      return uniformity_.is_reconvergence(*joined) ? std::nullopt : least_of(joined->incoming_values());
    }
    if (joined->getParent() == loop.getHeader()) return std::nullopt;
    const auto inner = stepping(*joined, budget);
    const auto zeros = inner ? step_zeros(phi, *inner->start, budget) : std::nullopt;
    return zeros ? std::optional(std::min(*zeros, inner->zeros)) : std::nullopt;
  }
  if (llvm::isa<llvm::SelectInst>(value)) {
    if (!uniformity_.is_uniform_use(value->getOperandUse(0))) return std::nullopt;
    return least_of(llvm::drop_begin(value->operands()));
  }
  const bool subtracts = value->getOpcode() == Instruction::Sub;
  if (value->getOpcode() != Instruction::Add && !subtracts) return std::nullopt;
  const bool second = uniformity_.is_uniform_use(value->getOperandUse(1));
  if (!second && (subtracts || !uniformity_.is_uniform_use(value->getOperandUse(0)))) return std::nullopt;
  const Form step = at(value->getOperandUse(second ? 1 : 0));
  const bool is_plain = step && is_same_in_warps(*step) && step->offsets == 0;
  const auto zeros = step_zeros(phi, value->getOperandUse(second ? 0 : 1), budget);
  if (!zeros) return std::nullopt;
  return std::min(*zeros, is_plain ? std::min(step->base_zeros, zeros_of(step->constant)) : 0);
}

}  // namespace warpspan::lift
