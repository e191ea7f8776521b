// SPDX-License-Identifier: GPL-3.0-or-later
// A join of two halves is (zext high << 32) | zext low. It is the number itself if both are its halves. It goes through
// selections by one condition, and through phis of one block: a block's phis get their values by the same edge, so the
// halves of what a new phi gets by it are what the two got.
//
// Theorem (products). Let v be a number of 64 bits with the halves l and h, c a constant below 2^32, and w = l c + r.
// The number with the halves of w but for h c in addition to the upper one is v c + r, all modulo 2^64. Proof. It is
// w + 2^32 h c = (l + 2^32 h) c + r, as what is beyond 32 bits of h c is beyond 64 of its multiple. QED
#include "frontend/lift/rewrites/halves.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

constexpr uint64_t half = 32;

struct Halves {
  Value* low = nullptr;
  Value* high = nullptr;
};

// Of a join; one of them may be a constant.
std::optional<Halves> halves_of(Value& value) {
  if (!value.getType()->isIntegerTy(2 * half)) return std::nullopt;
  Halves halves;
  const llvm::APInt* constant = nullptr;
  const auto low = m_ZExt(m_Value(halves.low));
  const auto high = m_Shl(m_ZExt(m_Value(halves.high)), m_SpecificInt(half));
  if (!match(&value, m_c_Or(low, high))) {
    if (match(&value, m_c_Or(low, m_APInt(constant))) && constant->countr_zero() >= half) {
      halves.high = llvm::ConstantInt::get(value.getContext(), constant->lshr(half).trunc(half));
    } else if (match(&value, m_c_Or(high, m_APInt(constant))) && constant->getActiveBits() <= half) {
      halves.low = llvm::ConstantInt::get(value.getContext(), constant->trunc(half));
    } else {
      return std::nullopt;
    }
  }
  const bool are_words = halves.low->getType()->isIntegerTy(half) && halves.high->getType()->isIntegerTy(half);
  return are_words ? std::optional(halves) : std::nullopt;
}

constexpr int deepest = 8;

// Whether two selections are by one condition, or by two that compare the same values alike: those dominate both, so
// that both comparisons have seen the same ones.
bool choose_together(const llvm::SelectInst& first, const llvm::SelectInst& second) {
  const auto* a = llvm::dyn_cast<llvm::ICmpInst>(first.getCondition());
  const auto* b = llvm::dyn_cast<llvm::ICmpInst>(second.getCondition());
  return first.getCondition() == second.getCondition() || (a != nullptr && b != nullptr && a->isIdenticalTo(b));
}

// Whether the value is the lower half of the number, calculated by itself, or has the same: sums, differences,
// products, shifts to the left, what is done bit by bit, and selections by one condition are those of lower halves.
bool is_low_of(Value* value, Value* number, int depth = 0) {
  if (value == number || match(value, m_Trunc(m_Specific(number))) || match(number, m_ZExtOrSExt(m_Specific(value))))
    return true;
  const llvm::APInt *low = nullptr, *all = nullptr;
  if (match(value, m_APInt(low)) && match(number, m_APInt(all))) return all->trunc(half) == low->zextOrTrunc(half);
  if (depth == deepest) return false;
  if (const auto halves = halves_of(*number); halves && halves->low == value) return true;
  Value* same = nullptr;
  const bool is_part = match(value, m_Trunc(m_Value(same))) && same->getType()->isIntegerTy(2 * half);
  if (is_part || (match(value, m_ZExtOrSExt(m_Value(same))) && same->getType()->isIntegerTy(half)))
    return is_low_of(same, number, depth + 1);
  Value *factor = nullptr, *shifted = nullptr;
  const llvm::APInt* doublings = nullptr;
  if (match(value, m_c_Mul(m_Value(factor), m_APInt(low))) &&
      match(number, m_Shl(m_Value(shifted), m_APInt(doublings))) && doublings->ult(half) &&
      low->zextOrTrunc(half) == llvm::APInt::getOneBitSet(half, static_cast<unsigned>(doublings->getZExtValue())))
    return is_low_of(factor, shifted, depth);
  auto *selected = llvm::dyn_cast<llvm::SelectInst>(value), *from = llvm::dyn_cast<llvm::SelectInst>(number);
  if (selected != nullptr && from != nullptr && choose_together(*selected, *from))
    return is_low_of(selected->getTrueValue(), from->getTrueValue(), depth + 1) &&
           is_low_of(selected->getFalseValue(), from->getFalseValue(), depth + 1);
  const auto *narrow = llvm::dyn_cast<llvm::BinaryOperator>(value),
             *wide = llvm::dyn_cast<llvm::BinaryOperator>(number);
  if (narrow == nullptr || wide == nullptr || narrow->getOpcode() != wide->getOpcode()) return false;
  const auto are_low = [&](unsigned first, unsigned second) {
    return is_low_of(narrow->getOperand(0), wide->getOperand(first), depth + 1) &&
           is_low_of(narrow->getOperand(1), wide->getOperand(second), depth + 1);
  };
  switch (narrow->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: return are_low(0, 1) || are_low(1, 0);
    case llvm::Instruction::Sub: return are_low(0, 1);
    case llvm::Instruction::Shl: {  // by a number below 32, as an equal one of 64 bits
      const auto *by = llvm::dyn_cast<llvm::ConstantInt>(narrow->getOperand(1)),
                 *wide_by = llvm::dyn_cast<llvm::ConstantInt>(wide->getOperand(1));
      return by != nullptr && wide_by != nullptr && by->getValue().ult(half) &&
             wide_by->getValue() == by->getZExtValue() &&
             is_low_of(narrow->getOperand(0), wide->getOperand(0), depth + 1);
    }
    default: return false;
  }
}

// The number of which both are the halves; null if there is none that exists.
Value* whole(Value* low, Value* high) {
  Value* number = nullptr;
  const bool is_high = match(high, m_Trunc(m_LShr(m_Value(number), m_SpecificInt(half)))) &&
                       number->getType()->isIntegerTy(2 * half) && high->getType()->isIntegerTy(half);
  return is_high && is_low_of(low, number) ? number : nullptr;
}

struct Multiple {
  Value* value = nullptr;
  llvm::APInt factor;
};

// What is multiplied by a constant, or shifted to the left by one.
std::optional<Multiple> multiple_of(Value* product) {
  Value* value = nullptr;
  const llvm::APInt* factor = nullptr;
  if (match(product, m_c_Mul(m_Value(value), m_APInt(factor)))) return Multiple{value, *factor};
  const unsigned bits = product->getType()->getIntegerBitWidth();
  if (!match(product, m_Shl(m_Value(value), m_APInt(factor))) || factor->uge(bits)) return std::nullopt;
  return Multiple{value, llvm::APInt::getOneBitSet(bits, static_cast<unsigned>(factor->getZExtValue()))};
}

class Maker {
 public:
  explicit Maker(llvm::Instruction& before) : ir_(&before) {}

  // The number of which both are the halves, made before the instruction if it has to be; null if that would be a join.
  Value* whole(Value* low, Value* high, int depth = 0) {
    if (Value* number = lift::whole(low, high)) return number;
    const llvm::APInt *first = nullptr, *second = nullptr;
    const bool is_constant = match(high, m_APInt(second));
    if (is_constant && match(low, m_APInt(first))) {
      return ir_.getInt(first->zext(2 * half) | second->zext(2 * half).shl(half));
    }
    if (is_constant && second->isZero()) return ir_.CreateZExt(low, ir_.getInt64Ty());
    if (match(high, m_AShr(m_Specific(low), m_SpecificInt(half - 1)))) return ir_.CreateSExt(low, ir_.getInt64Ty());
    if (depth == deepest) return nullptr;
    if (Value* multiple = product(low, high, depth + 1)) return multiple;
    if (Value* selected = selection(low, high, depth + 1)) return selected;
    return logic(low, high, depth + 1);
  }

 private:
  // As in the theorem.
  Value* product(Value* low, Value* high, int depth) {
    Value *with_low = nullptr, *of_high = nullptr;
    if (!match(high, m_c_Add(m_Value(of_high), m_Trunc(m_LShr(m_Value(with_low), m_SpecificInt(half))))))
      return nullptr;
    if (!with_low->getType()->isIntegerTy(2 * half) || !is_low_of(low, with_low)) return nullptr;
    const auto upper = multiple_of(of_high);
    if (!upper) return nullptr;
    Value *first = with_low, *second = nullptr;
    if (!match(with_low, m_Add(m_Value(first), m_Value(second)))) second = ir_.getInt64(0);
    for (const auto& [wide, more] : {std::pair(first, second), std::pair(second, first)}) {
      const auto lower = multiple_of(wide);
      Value* word = nullptr;
      if (!lower || lower->factor.getActiveBits() > half || lower->factor.trunc(half) != upper->factor) continue;
      if (!match(lower->value, m_ZExt(m_Value(word))) || !word->getType()->isIntegerTy(half)) continue;
      Value* number = whole(word, upper->value, depth);
      if (number != nullptr) return ir_.CreateAdd(ir_.CreateMul(number, ir_.getInt(lower->factor)), more);
    }
    return nullptr;
  }

  Value* selection(Value* low, Value* high, int depth) {
    auto *first = llvm::dyn_cast<llvm::SelectInst>(low), *second = llvm::dyn_cast<llvm::SelectInst>(high);
    if (first == nullptr || second == nullptr || !choose_together(*first, *second)) return nullptr;
    Value* is = whole(first->getTrueValue(), second->getTrueValue(), depth);
    Value* is_not = is == nullptr ? nullptr : whole(first->getFalseValue(), second->getFalseValue(), depth);
    return is_not == nullptr ? nullptr : ir_.CreateSelect(first->getCondition(), is, is_not);
  }

  // Bit by bit, of numbers.
  Value* logic(Value* low, Value* high, int depth) {
    auto *first = llvm::dyn_cast<llvm::BinaryOperator>(low), *second = llvm::dyn_cast<llvm::BinaryOperator>(high);
    if (first == nullptr || second == nullptr || first->getOpcode() != second->getOpcode() ||
        !first->isBitwiseLogicOp())
      return nullptr;
    Value* a = whole(first->getOperand(0), second->getOperand(0), depth);
    Value* b = a == nullptr ? nullptr : whole(first->getOperand(1), second->getOperand(1), depth);
    return b == nullptr ? nullptr : ir_.CreateBinOp(first->getOpcode(), a, b);
  }

  llvm::IRBuilder<> ir_;
};

Value* joined(Value* low, Value* high, llvm::Instruction& before) {
  if (Value* number = Maker(before).whole(low, high)) return number;
  llvm::IRBuilder<> ir(&before);
  Value* upper = ir.CreateShl(ir.CreateZExt(high, ir.getInt64Ty()), half);
  return disjoint_or(ir, *upper, *ir.CreateZExt(low, ir.getInt64Ty()));
}

class Phis {
 public:
  explicit Phis(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto halves = halves_of(instruction)) find(*halves);
    }
  }

  bool join() {
    for (size_t i = 0; i < found_.size(); ++i) {  // grows
      for (const llvm::BasicBlock* from : found_[i].low->blocks()) {
        find({found_[i].low->getIncomingValueForBlock(from), found_[i].high->getIncomingValueForBlock(from)});
      }
    }
    find_useful();
    bool any = false;
    for (Pair& pair : found_) any = any || pair.is_useful;
    if (!any) return false;
    for (Pair& pair : found_) {
      if (pair.is_useful) make(pair);
    }
    for (const Pair& pair : found_) {
      if (pair.is_useful) complete(pair);
    }
    for (const Pair& pair : found_) {
      if (pair.is_useful) replace(pair);
    }
    return true;
  }

 private:
  struct Pair {
    llvm::PHINode* low = nullptr;
    llvm::PHINode* high = nullptr;
    bool is_useful = false;
    llvm::PHINode* whole = nullptr;
  };

  // Phis among both halves, or among what two selections by one condition choose from.
  void find(Halves halves, int depth = 0) {
    auto *first = llvm::dyn_cast<llvm::SelectInst>(halves.low), *second = llvm::dyn_cast<llvm::SelectInst>(halves.high);
    if (first != nullptr && second != nullptr && depth < deepest && choose_together(*first, *second)) {
      find({first->getTrueValue(), second->getTrueValue()}, depth + 1);
      find({first->getFalseValue(), second->getFalseValue()}, depth + 1);
      return;
    }
    auto *low = llvm::dyn_cast<llvm::PHINode>(halves.low), *high = llvm::dyn_cast<llvm::PHINode>(halves.high);
    if (low == nullptr || high == nullptr || low == high || low->getParent() != high->getParent()) return;
    if (numbers_.try_emplace({low, high}, found_.size()).second) found_.push_back({low, high});
  }

  const Pair* pair_of(const Value* low, const Value* high) const {
    const auto number = numbers_.find({low, high});
    return number == numbers_.end() ? nullptr : &found_[number->second];
  }

  // By some edge, perhaps through other phis, they get both halves of a number, and no phi is a half of two numbers.
  void find_useful() {
    llvm::DenseMap<const Value*, unsigned> uses;
    for (bool changed = true; changed;) {
      changed = false;
      for (Pair& pair : found_) {
        if (pair.is_useful) continue;
        for (const llvm::BasicBlock* from : pair.low->blocks()) {
          Value* low = pair.low->getIncomingValueForBlock(from);
          Value* high = pair.high->getIncomingValueForBlock(from);
          const Pair* other = pair_of(low, high);
          const bool is_number = whole(low, high) != nullptr || (other != nullptr && other->is_useful);
          pair.is_useful = pair.is_useful || is_number;
        }
        changed = changed || pair.is_useful;
      }
    }
    for (const Pair& pair : found_) {
      if (pair.is_useful) ++uses[pair.low], ++uses[pair.high];
    }
    for (Pair& pair : found_) pair.is_useful = pair.is_useful && uses[pair.low] == 1 && uses[pair.high] == 1;
  }

  static void make(Pair& pair) {
    auto* type = llvm::Type::getInt64Ty(pair.low->getContext());
    pair.whole = llvm::PHINode::Create(type, pair.low->getNumIncomingValues(), "", pair.low->getIterator());
  }

  void complete(const Pair& pair) {
    for (llvm::BasicBlock* from : pair.low->blocks()) {
      Value* low = pair.low->getIncomingValueForBlock(from);
      Value* high = pair.high->getIncomingValueForBlock(from);
      const Pair* other = pair_of(low, high);
      Value*& known = made_[{from, pair.low}];  // several edges from one block bring the same value
      if (known == nullptr) {
        known = other != nullptr && other->whole != nullptr ? other->whole : joined(low, high, *from->getTerminator());
      }
      pair.whole->addIncoming(known, from);
    }
  }

  static void replace(const Pair& pair) {
    llvm::IRBuilder<> ir(&*pair.low->getParent()->getFirstNonPHIIt());
    Value* low = ir.CreateTrunc(pair.whole, ir.getInt32Ty());
    Value* high = ir.CreateTrunc(ir.CreateLShr(pair.whole, half), ir.getInt32Ty());
    pair.low->replaceAllUsesWith(low);
    pair.high->replaceAllUsesWith(high);
    pair.low->eraseFromParent();
    pair.high->eraseFromParent();
  }

  std::vector<Pair> found_;
  llvm::DenseMap<std::pair<const Value*, const Value*>, size_t> numbers_;
  llvm::DenseMap<std::pair<const Value*, const Value*>, Value*> made_;
};

// What a term of a sum of 64 bits is joined of; a constant of its own halves; a word of itself and nothing.
std::optional<Halves> halves_of_term(Value& term) {
  Value* word = nullptr;
  if (match(&term, m_ZExt(m_Value(word))) && word->getType()->isIntegerTy(half)) {
    return Halves{word, llvm::ConstantInt::get(word->getType(), 0)};
  }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&term);
  if (constant == nullptr) return halves_of(term);
  const auto part = [&](const llvm::APInt& bits) {
    return llvm::ConstantInt::get(term.getContext(), bits.trunc(half));
  };
  return Halves{part(constant->getValue()), part(constant->getValue().lshr(half))};
}

// A sum of two joins, whose halves belong to each other crosswise: upper halves of a sum may be exchanged, and machine
// code adds them in any order.
Value* crosswise_sum(llvm::Instruction& sum) {
  const auto is_join = [](Value* term) { return halves_of(*term).has_value(); };
  if (llvm::none_of(sum.operand_values(), is_join)) return nullptr;
  const auto first = halves_of_term(*sum.getOperand(0)), second = halves_of_term(*sum.getOperand(1));
  if (!first || !second) return nullptr;
  Value* a = Maker(sum).whole(first->low, second->high);
  Value* b = a == nullptr ? nullptr : Maker(sum).whole(second->low, first->high);
  return b == nullptr ? nullptr : llvm::IRBuilder<>(&sum).CreateAdd(a, b);
}

// What a phi gets; the lower half may be nothing.
std::optional<Halves> halves_of_phi(Value& number) {
  Value* high = nullptr;
  const bool is_upper = match(&number, m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(half)));
  if (!is_upper || !high->getType()->isIntegerTy(half) || !number.getType()->isIntegerTy(2 * half)) {
    return halves_of(number);
  }
  return Halves{llvm::ConstantInt::get(high->getType(), 0), high};
}

// A selection among extended numbers, as the extension of one among the numbers, which may be there already.
Value* narrow_selection(llvm::SelectInst& select) {
  Value *a = narrow_number(select.getTrueValue()), *b = narrow_number(select.getFalseValue());
  const bool is_extended =
      llvm::isa<llvm::ZExtInst>(select.getTrueValue()) || llvm::isa<llvm::ZExtInst>(select.getFalseValue());
  if (a == nullptr || b == nullptr || !is_extended) return nullptr;
  llvm::IRBuilder<> ir(&select);
  if (!llvm::isa<llvm::Constant>(select.getCondition())) {
    for (llvm::User* user : select.getCondition()->users()) {
      auto* other = llvm::dyn_cast<llvm::SelectInst>(user);
      const bool is_same = other != nullptr && other->getCondition() == select.getCondition() &&
                           other->getTrueValue() == a && other->getFalseValue() == b;
      if (is_same && other->getParent() == select.getParent() && other->comesBefore(&select)) {
        return ir.CreateZExt(other, select.getType());
      }
    }
  }
  return ir.CreateZExt(ir.CreateSelect(select.getCondition(), a, b), select.getType());
}

}  // namespace

Value* narrow_number(Value* number) {
  Value* value = nullptr;
  const llvm::APInt* constant = nullptr;
  if (match(number, m_ZExt(m_Value(value)))) return value->getType()->isIntegerTy(half) ? value : nullptr;
  if (!match(number, m_APInt(constant)) || constant->getActiveBits() > half) return nullptr;
  return llvm::ConstantInt::get(number->getContext(), constant->trunc(half));
}

llvm::Value* simpler_halves(llvm::Instruction& instruction) {
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return select->getType()->isIntegerTy(2 * half) ? narrow_selection(*select) : nullptr;
  }
  if (instruction.getOpcode() == llvm::Instruction::Add) {
    return instruction.getType()->isIntegerTy(2 * half) ? crosswise_sum(instruction) : nullptr;
  }
  Value* number = nullptr;
  if (match(&instruction, m_Trunc(m_Value(number))) && instruction.getType()->isIntegerTy(half)) {
    Value* shifted = nullptr;
    const bool is_high = match(number, m_LShr(m_Value(shifted), m_SpecificInt(half)));
    const auto halves = halves_of(is_high ? *shifted : *number);
    return !halves ? nullptr : is_high ? halves->high : halves->low;
  }
  const auto halves = halves_of(instruction);
  return halves ? Maker(instruction).whole(halves->low, halves->high) : nullptr;
}

// Of a phi of words that gets the lower half of what another one gets, by each edge: that one's lower half. Where the
// other half is a word by itself it may not have been set.
bool share_low_phis(llvm::Function& function) {
  bool any = false;
  for (llvm::BasicBlock& block : function) {
    llvm::SmallVector<llvm::PHINode*, 16> words, numbers;
    for (llvm::PHINode& phi : block.phis()) {
      if (phi.getType()->isIntegerTy(half) && !phi.use_empty()) words.push_back(&phi);
      if (phi.getType()->isIntegerTy(2 * half)) numbers.push_back(&phi);
    }
    for (llvm::PHINode* word : words) {
      const auto number = std::find_if(numbers.begin(), numbers.end(), [word](const llvm::PHINode* all) {
        return llvm::all_of(word->blocks(), [&](const llvm::BasicBlock* from) {
          Value* low = word->getIncomingValueForBlock(from);
          Value* own = all->getIncomingValueForBlock(from);
          const auto halves = halves_of(*own);
          const bool is_of_number = !halves || llvm::isa<llvm::ConstantInt>(halves->high) ||
                                    match(halves->high, m_Trunc(m_LShr(m_Value(), m_SpecificInt(half))));
          return is_of_number && (llvm::isa<llvm::UndefValue>(low) || is_low_of(low, own));
        });
      });
      if (number == numbers.end()) continue;
      llvm::IRBuilder<> ir(&*block.getFirstNonPHIIt());
      word->replaceAllUsesWith(ir.CreateTrunc(*number, ir.getInt32Ty()));
      any = true;
    }
  }
  return any;
}

// The upper half is that of now at the phis, too: control comes from what an edge brings to the phis without a new one,
// as it would have to come by what dominates the edge again.
bool split_phis(llvm::Function& function) {
  std::optional<llvm::DominatorTree> dominators;  // once asked for
  bool any = false;
  for (llvm::BasicBlock& block : function) {
    bool splits = false;
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) {
      llvm::SmallVector<Value*, 4> lows;
      Value* high = nullptr;
      for (Value* number : phi.incoming_values()) {
        const auto halves = halves_of_phi(*number);
        if (!halves || (high != nullptr && high != halves->high)) break;
        high = halves->high;
        lows.push_back(halves->low);
      }
      if (lows.empty() || lows.size() != phi.getNumIncomingValues()) continue;
      if (!dominators) dominators.emplace(function);
      const auto* made = llvm::dyn_cast<llvm::Instruction>(high);
      if (made != nullptr && !dominators->properlyDominates(made->getParent(), &block)) continue;
      auto* low = llvm::PHINode::Create(lows.front()->getType(), phi.getNumIncomingValues(), "", phi.getIterator());
      for (unsigned i = 0; i < lows.size(); ++i) low->addIncoming(lows[i], phi.getIncomingBlock(i));
      phi.replaceAllUsesWith(joined(low, high, *block.getFirstNonPHIIt()));
      phi.eraseFromParent();
      splits = true;
    }
    if (splits) llvm::EliminateDuplicatePHINodes(&block);  // the lower half may have been kept as a word, too
    any = any || splits;
  }
  return any;
}

bool join_phis(llvm::Function& function) { return Phis(function).join(); }

void share_numbers(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  using Key = std::pair<const llvm::Type*, llvm::SmallVector<const Value*, 3>>;
  std::map<Key, llvm::SmallVector<llvm::Instruction*, 2>> known;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* block : order) {
    for (llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::ZExtInst, llvm::SelectInst>(instruction)) continue;
      auto& same = known[{instruction.getType(), {instruction.value_op_begin(), instruction.value_op_end()}}];
      const auto before = std::find_if(same.begin(), same.end(), [&](const llvm::Instruction* other) {
        return dominators.dominates(other, &instruction);
      });
      if (before != same.end()) {
        instruction.replaceAllUsesWith(*before);
      } else {
        same.push_back(&instruction);
      }
    }
  }
  for (llvm::BasicBlock& block : function) llvm::EliminateDuplicatePHINodes(&block);
}

}  // namespace warpspan::lift
