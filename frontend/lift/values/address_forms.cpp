// SPDX-License-Identifier: GPL-3.0-or-later
// Every step below keeps a form equal to the value modulo 2^b, b the width of the value: sums, multiples and
// truncations do. Extensions, divisions, shifts to the right and comparisons depend on the number itself; there all
// values that the form can have are computed from the ranges of what it counts, and the form is moved by the multiple
// of 2^b that makes it the number. Where no one multiple does for all values, because some of them have wrapped, there
// is no form. What is said about iterations holds for iterations that are executed; others are a part of the range that
// no value needs.
//
// Theorem (choices). Let a value be one of F_0 .. F_n, forms of numbers as they are when it is computed, and F_i - F_0
// = c_i + o_i of the thread + the sum of t_ij * counters, where these have ranges. Let g divide all c_i, t_ij and o_i
// of each thread, and lo and hi be the least and the largest that any of the sums can be, 0 among them. Then the value
// is F_0 + lo + g k with an integer k from 0 to (hi - lo) / g. Proof. F_i = F_0 + d, d a multiple of g from lo to hi,
// and lo is one. QED. So k is a counter of which nothing but its range is known. A condition with such a counter is
// never used: it may be one of an iteration before, in which the choice was another.
//
// Theorem (extremes). Let F - E be a multiple of g from lo to hi. Then min(E, F) is E + d, d a multiple of g from
// min(0, lo) to min(0, hi), and max(E, F) with the larger ones. Proof. min(E, F) = E + min(0, F - E). QED. It holds of
// numbers, signed or not, not modulo 2^b.
//
// Theorem (digits). Let a value be d Q + R, R a sum of a number of the thread from 0 to d - 1 and terms, from u d to
// less than (v + 1) d. Then its quotient by d is Q + k, k from u to v. Let g divide d and the terms of R, and let the
// numbers of all threads have the same quotient by g, and rests r. Then the remainder is r + g k, k from 0 to d / g
// - 1. If g divides the numbers of the threads too, it is g k. Proof. What is above d Q is k d and the remainder. R is
// g K + r with a number K that is the same for all threads, and r < g: the remainder is g (K mod d / g) + r. QED. These
// k are choices, of which it is not used that they are the same for all threads.
#include "frontend/lift/values/address_forms.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/evaluate.hpp"
#include "frontend/lift/values/extremes.hpp"
#include "frontend/lift/values/integers.hpp"
#include "support/checked.hpp"
#include "support/floor_divide.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;
using support::floor_divide;
using support::Int128;
using support::Integer;
using support::WideInteger;

constexpr int64_t widest_offset = int64_t{1} << 46;
constexpr int longest_step = 64;     // additions from one iteration to the next
constexpr size_t most_others = 256;  // counters of what is no block or loop

// Of one bit, 0 or 1.
int64_t number_of(uint64_t value, unsigned bits) {
  return bits == 1 ? static_cast<int64_t>(value & 1) : signed_value(value, bits);
}

// What a phi has by the only edge that is ever taken; null of others.
const llvm::Value* only_taken(const llvm::Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr) return nullptr;
  const llvm::Value* taken = nullptr;
  for (const llvm::Value* incoming : phi->incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(incoming)) continue;
    if (taken != nullptr) return nullptr;
    taken = incoming;
  }
  return taken;
}

bool is_of_threads(const AddressForm& form) { return form.base == nullptr && form.terms.empty(); }

}  // namespace

AddressForms::AddressForms(llvm::Function& function, const llvm::LoopInfo& loops, OffsetTables& tables,
                           const ir::Extent* grid, const TripCount& trips)
    : loops_(loops), tables_(tables) {
  for (const int64_t blocks : grid == nullptr ? std::vector<int64_t>(3, 0) : std::vector{grid->x, grid->y, grid->z}) {
    counts_.push_back(blocks == 0 ? std::nullopt : std::optional(blocks));
  }
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    counters_[loop] = static_cast<CounterId>(counts_.size());
    counts_.push_back(trips(*loop));
  }
  unknown_counters_ = static_cast<CounterId>(counts_.size());
  if (tables_.threads() == 0) return;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    for (const Instruction& instruction : *block) {
      if (bits_of(instruction) == 0) continue;
      if (const Form form = find(instruction)) known_[&instruction] = *form;
    }
  }
}

AddressForms::Form AddressForms::of(const llvm::Value& value) const {
  const unsigned bits = bits_of(value);
  if (bits == 0) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    return AddressForm{.constant = number_of(constant->getZExtValue(), bits)};
  }
  const auto found = known_.find(&value);
  return found == known_.end() ? std::nullopt : Form(found->second);
}

std::vector<int64_t> AddressForms::offsets(const AddressForm& form) const {
  std::vector<int64_t> result;
  for (size_t thread = 0; thread < threads(); ++thread) result.push_back(offset(form, thread));
  return result;
}

std::optional<Interval> AddressForms::values(const AddressForm& form) const {
  int64_t least_offset = 0;
  int64_t most_offset = 0;
  for (size_t thread = 0; form.offsets != 0 && thread < threads(); ++thread) {
    const int64_t own = offset(form, thread);
    least_offset = thread == 0 ? own : std::min(least_offset, own);
    most_offset = thread == 0 ? own : std::max(most_offset, own);
  }
  WideInteger least = WideInteger(form.constant) + WideInteger(least_offset);
  WideInteger most = WideInteger(form.constant) + WideInteger(most_offset);
  for (const auto& [counter, term] : form.terms) {
    if (!counts_[counter]) return std::nullopt;
    (term < 0 ? least : most) += WideInteger(term) * WideInteger(*counts_[counter] - 1);
  }
  const auto fits = [](Int128 value) { return value >= INT64_MIN && value <= INT64_MAX; };
  if (!least.value() || !most.value() || !fits(*least.value()) || !fits(*most.value())) return std::nullopt;
  return Interval{static_cast<int64_t>(*least.value()), static_cast<int64_t>(*most.value())};
}

AddressForms::Form AddressForms::as_number(AddressForm form, unsigned bits, bool is_signed) const {
  if (form.base != nullptr) return std::nullopt;
  const auto all = values(form);
  if (!all) return std::nullopt;
  if (bits == 64) return is_signed || all->least >= 0 ? Form(form) : std::nullopt;
  const int64_t modulus = int64_t{1} << bits;
  const int64_t first = is_signed ? -(modulus / 2) : 0;
  const Integer shift = Integer(modulus) * Integer(floor_divide(all->least, modulus));
  // The least value becomes 0..modulus-1; those of the upper half of the signed numbers, one modulus less.
  const auto least = (Integer(all->least) - shift).value();
  if (!least) return std::nullopt;
  const Integer more = *least >= first + modulus ? shift + Integer(modulus) : shift;
  const auto most = (Integer(all->most) - more).value();
  const auto constant = (Integer(form.constant) - more).value();
  if (!most || !constant || *most >= first + modulus) return std::nullopt;
  form.constant = *constant;
  return form;
}

AddressForms::Form AddressForms::of_threads(const std::function<std::optional<int64_t>(size_t)>& number) {
  if (threads() == 0) return std::nullopt;
  const auto first = number(0);
  if (!first) return std::nullopt;
  const auto table = tables_.make([&](size_t thread) -> std::optional<uint64_t> {
    const auto own = number(thread);
    const auto difference = own ? (Integer(*own) - Integer(*first)).value() : std::nullopt;
    if (!difference || *difference <= -widest_offset || *difference >= widest_offset) return std::nullopt;
    return static_cast<uint64_t>(*difference);
  });
  return table ? Form(AddressForm{.constant = *first, .offsets = *table}) : std::nullopt;
}

AddressForms::Form AddressForms::sum(const AddressForm& a, int64_t factor, const AddressForm& b) {
  AddressForm result = a;
  if (b.base != nullptr) {
    if (a.base == b.base && factor == -1) {
      result.base = nullptr;
    } else if (a.base == nullptr && factor == 1) {
      result.base = b.base;
    } else {
      return std::nullopt;
    }
  }
  const auto constant = (Integer(a.constant) + Integer(factor) * Integer(b.constant)).value();
  if (!constant) return std::nullopt;
  result.constant = *constant;
  for (const auto& [counter, term] : b.terms) {
    const auto known = result.terms.find(counter);
    const int64_t before = known == result.terms.end() ? 0 : known->second;
    const auto after = (Integer(before) + Integer(factor) * Integer(term)).value();
    if (!after) return std::nullopt;
    result.terms[counter] = *after;
    if (*after == 0) result.terms.erase(counter);
  }
  if (b.offsets == 0 || factor == 0) return result;
  const auto table = of_threads([&](size_t thread) {
    return (Integer(offset(a, thread)) + Integer(factor) * Integer(offset(b, thread))).value();
  });
  if (!table) return std::nullopt;
  result.offsets = table->offsets;
  return result;
}

AddressForms::Form AddressForms::scaled(const AddressForm& a, int64_t factor) {
  return a.base == nullptr ? sum(AddressForm{}, factor, a) : std::nullopt;
}

std::optional<AddressForms::Division> AddressForms::division(const AddressForm& a, int64_t divisor) {
  if (a.base != nullptr || divisor <= 0) return std::nullopt;
  const auto number = [&](size_t thread) { return (Integer(a.constant) + Integer(offset(a, thread))).value(); };
  Form quotient = of_threads([&](size_t thread) -> std::optional<int64_t> {
    const auto own = number(thread);
    return own ? std::optional(floor_divide(*own, divisor)) : std::nullopt;
  });
  Form remainder = of_threads([&](size_t thread) -> std::optional<int64_t> {
    const auto own = number(thread);
    return own ? std::optional(*own - divisor * floor_divide(*own, divisor)) : std::nullopt;
  });
  if (!quotient || !remainder) return std::nullopt;
  for (const auto& [counter, term] : a.terms) {
    if (term % divisor == 0) {
      quotient->terms[counter] = term / divisor;
    } else {
      remainder->terms[counter] = term;
    }
  }
  const auto rest = values(*remainder);
  if (!rest) return std::nullopt;
  return Division{*quotient, *remainder, floor_divide(rest->least, divisor), floor_divide(rest->most, divisor)};
}

std::optional<AddressForms::Quotient> AddressForms::divided(const AddressForm& a, int64_t divisor) {
  const auto found = division(a, divisor);
  if (!found || found->least != found->most) return std::nullopt;
  const Form quotient = sum(found->quotient, 1, {.constant = found->least});
  const Form remainder = sum(found->rest, -divisor, {.constant = found->least});
  return quotient && remainder ? std::optional(Quotient{*quotient, *remainder}) : std::nullopt;
}

AddressForms::Form AddressForms::quotient_of(const AddressForm& a, int64_t divisor) {
  const auto found = division(a, divisor);
  return found ? with_steps(found->quotient, {{found->least, found->most}, 1}) : std::nullopt;
}

AddressForms::Form AddressForms::remainder_of(const AddressForm& a, int64_t divisor) {
  const auto found = division(a, divisor);
  if (!found) return std::nullopt;
  return found->least == found->most ? sum(found->rest, -divisor, {.constant = found->least})
                                     : digit_of(found->rest, divisor);
}

// As in the theorem: the remainder of R.
AddressForms::Form AddressForms::digit_of(const AddressForm& a, int64_t divisor) {
  int64_t common = divisor;
  for (const auto& [counter, term] : a.terms) {
    if (term == INT64_MIN) return std::nullopt;
    common = std::gcd(common, term);
  }
  const auto own = [&](size_t thread) { return a.constant + offset(a, thread); };
  bool have_one_quotient = true;
  int64_t of_all = common;
  for (size_t thread = 0; thread < threads(); ++thread) {
    have_one_quotient = have_one_quotient && own(thread) / common == own(0) / common;
    of_all = std::gcd(of_all, own(thread));
  }
  if (!have_one_quotient) return with_steps({}, {{0, divisor - of_all}, of_all});
  const Form rest = of_threads([&](size_t thread) { return std::optional(own(thread) % common); });
  return rest ? with_steps(*rest, {{0, divisor - common}, common}) : std::nullopt;
}

// Low bits are a remainder, and what has them cleared is the rest. Other bits are a choice.
AddressForms::Form AddressForms::masked(const AddressForm& a, int64_t mask) {
  if (mask < 0) {
    const Form cleared = masked(a, ~mask);
    return cleared ? sum(a, -1, *cleared) : cleared;
  }
  if (mask >= int64_t{1} << 62) return std::nullopt;
  if ((mask & (mask + 1)) == 0) return remainder_of(a, mask + 1);
  return with_steps({}, {{0, mask}, mask & -mask});
}

// Each bit that is set there is added, or where bits are inverted subtracted if it is set already.
AddressForms::Form AddressForms::with_bits(const AddressForm& a, int64_t bits, bool inverts) {
  if (bits <= 0 || bits >= int64_t{1} << 61) return std::nullopt;
  const int64_t lowest = bits & -bits;
  return with_steps(a, inverts ? Steps{{-bits, bits}, 2 * lowest} : Steps{{0, bits}, lowest});
}

// or, xor: a sum where one side is a multiple of a power of two and the other is below it.
AddressForms::Form AddressForms::disjoint(const AddressForm& a, const AddressForm& b, unsigned bits) {
  for (const auto& [high, low] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto small = low->base == nullptr ? values(*low) : std::nullopt;
    if (!small || small->least < 0 || small->most >= int64_t{1} << std::min(bits, 61U)) continue;
    const auto room = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(small->most) + 1));
    const auto parts = divided(*high, room);
    if (parts && parts->remainder == AddressForm{}) return sum(a, 1, b);
  }
  return std::nullopt;
}

AddressForms::Form AddressForms::find(const Instruction& instruction) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  if (call_kind(instruction) != CallKind::none) return of_call(instruction);
  return can_evaluate(instruction) ? of_operation(instruction) : std::nullopt;
}

AddressForms::Form AddressForms::of_call(const Instruction& instruction) {
  if (call_kind(instruction) == CallKind::same) return of(*instruction.getOperand(0));
  if (const auto source = launch_source(instruction)) {
    if (is_beginning(*source)) return AddressForm{.base = &instruction};
    if (source->kind != LaunchSource::Kind::block_index) return std::nullopt;
    AddressForm form;
    form.terms[source->number] = 1;
    return form;
  }
  const auto which = thread_value(instruction);
  if (!which) return std::nullopt;
  const auto table = *which == ThreadValue::lane ? tables_.lane() : tables_.component(static_cast<int>(*which));
  return table ? Form(AddressForm{.offsets = *table}) : std::nullopt;
}

AddressForms::Form AddressForms::of_operation(const Instruction& instruction) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  if (select != nullptr && !of(*select->getCondition())) {
    const Form extreme = of_extreme(*select);
    if (extreme) return extreme;
    const Form yes = of(*select->getTrueValue()), no = of(*select->getFalseValue());
    return yes && no ? one_of({*yes, *no}) : std::nullopt;
  }
  std::vector<AddressForm> operands;
  for (const llvm::Value* operand : instruction.operand_values()) {
    if (bits_of(*operand) == 0) continue;
    const Form form = of(*operand);
    if (!form) return std::nullopt;
    operands.push_back(*form);
  }
  if (std::all_of(operands.begin(), operands.end(), is_of_threads)) return of_known(instruction, operands);
  if (operands.size() == 1) return of_unary(instruction, operands[0]);
  if (operands.size() == 2) return of_binary(instruction, operands[0], operands[1]);
  return select != nullptr ? one_of({operands[1], operands[2]}) : std::nullopt;
}

AddressForms::Form AddressForms::of_known(const Instruction& instruction, const std::vector<AddressForm>& operands) {
  std::vector<uint64_t> values(operands.size());
  const Evaluation evaluation(instruction);
  return of_threads([&](size_t thread) -> std::optional<int64_t> {
    for (size_t i = 0; i < operands.size(); ++i) {
      const unsigned bits = bits_of(*instruction.getOperand(static_cast<unsigned>(i)));
      values[i] = static_cast<uint64_t>(operands[i].constant + offset(operands[i], thread)) & low_ones(bits);
    }
    const auto result = evaluation(values.data());
    return result ? std::optional(number_of(*result, bits_of(instruction))) : std::nullopt;
  });
}

// Where the number of a block makes the value wrap, it still does so for all threads of the block alike if what it adds
// is a multiple of a power of two that the rest stays below: then nothing is carried from the rest into it.
AddressForms::Form AddressForms::extended(const AddressForm& a, unsigned bits, bool is_signed) {
  if (auto number = as_number(a, bits, is_signed)) return number;
  uint64_t common = 0;
  for (const auto& [counter, term] : a.terms) {
    if (!is_of_block(counter)) continue;
    common |= static_cast<uint64_t>(term);
  }
  if (common == 0 || a.base != nullptr || !may_count_more()) return std::nullopt;
  const auto step = static_cast<int64_t>(common & (0 - common));
  const bool is_inside = step > 1 && step <= int64_t{1} << std::min(bits - 1, 61U);
  const auto parts = is_inside ? divided(a, step) : std::nullopt;
  const auto is_of_this_block = [this](const auto& term) { return is_of_block(term.first); };
  if (!parts || parts->quotient.offsets != 0 ||
      !std::all_of(parts->quotient.terms.begin(), parts->quotient.terms.end(), is_of_this_block)) {
    return std::nullopt;
  }
  AddressForm result = parts->remainder;
  result.terms[static_cast<CounterId>(counts_.size())] = step;
  counts_.push_back(std::nullopt);
  return result;
}

AddressForms::Form AddressForms::of_unary(const Instruction& instruction, const AddressForm& a) {
  const unsigned bits = bits_of(*instruction.getOperand(0));
  switch (instruction.getOpcode()) {
    case Instruction::Trunc: return a.base == nullptr ? Form(a) : std::nullopt;
    case Instruction::ZExt: return extended(a, bits, false);
    case Instruction::SExt: return extended(a, bits, true);
    default: return std::nullopt;
  }
}

AddressForms::Form AddressForms::of_binary(const Instruction& instruction, const AddressForm& a, const AddressForm& b) {
  const unsigned bits = bits_of(instruction);
  const auto divide = [&](bool is_signed, int64_t divisor, bool for_quotient) {
    const Form number = as_number(a, bits, is_signed);
    if (!number) return number;
    return for_quotient ? quotient_of(*number, divisor) : remainder_of(*number, divisor);
  };
  const auto shift = [&]() -> std::optional<int64_t> {
    if (!b.is_constant() || b.constant < 0 || b.constant >= std::min(bits, 62U)) return std::nullopt;
    return int64_t{1} << b.constant;
  };
  switch (instruction.getOpcode()) {
    case Instruction::Add: return sum(a, 1, b);
    case Instruction::Sub: return sum(a, -1, b);
    case Instruction::Mul:
      if (b.is_constant()) return scaled(a, b.constant);
      return a.is_constant() ? scaled(b, a.constant) : std::nullopt;
    case Instruction::Shl: return shift() ? scaled(a, *shift()) : std::nullopt;
    case Instruction::Or:
    case Instruction::Xor: {
      const bool inverts = instruction.getOpcode() == Instruction::Xor;
      if (inverts && b == AddressForm{.constant = -1}) return sum(b, -1, a);
      if (const Form all = disjoint(a, b, bits)) return all;
      return b.is_constant()   ? with_bits(a, b.constant, inverts)
             : a.is_constant() ? with_bits(b, a.constant, inverts)
                               : std::nullopt;
    }
    case Instruction::And:
      if (b.is_constant()) return masked(a, b.constant);
      return a.is_constant() ? masked(b, a.constant) : std::nullopt;
    case Instruction::LShr: return shift() ? divide(false, *shift(), true) : std::nullopt;
    case Instruction::AShr: return shift() ? divide(true, *shift(), true) : std::nullopt;
    case Instruction::UDiv:
    case Instruction::URem:
      if (!b.is_constant() || b.constant <= 0) return std::nullopt;
      return divide(false, b.constant, instruction.getOpcode() == Instruction::UDiv);
    case Instruction::SDiv:
    case Instruction::SRem: {
      const Form number = b.is_constant() ? as_number(a, bits, true) : std::nullopt;
      const auto all = number ? values(*number) : std::nullopt;
      if (!all || all->least < 0 || b.constant <= 0) return std::nullopt;  // else it rounds towards zero
      return divide(true, b.constant, instruction.getOpcode() == Instruction::SDiv);
    }
    default: return std::nullopt;
  }
}

bool AddressForms::has_choice(const AddressForm& form) const {
  return std::any_of(form.terms.begin(), form.terms.end(), [this](const auto& term) { return is_choice(term.first); });
}

bool AddressForms::may_count_more() const { return counts_.size() < unknown_counters_ + most_others; }

// What the second is above the first.
std::optional<AddressForms::Steps> AddressForms::steps_between(const AddressForm& first, const AddressForm& second) {
  const Form difference = sum(second, -1, first);
  const auto all = difference && difference->base == nullptr ? values(*difference) : std::nullopt;
  if (!all || all->least == INT64_MIN) return std::nullopt;
  Steps result{*all, 0};
  const auto add = [&result](int64_t number) { result.common = std::gcd(result.common, number); };
  for (const auto& [counter, term] : difference->terms) {
    if (term == INT64_MIN) return std::nullopt;
    add(term);
  }
  if (difference->offsets == 0) {
    add(difference->constant);
    return result;
  }
  for (size_t thread = 0; thread < threads(); ++thread) {
    const auto own = (Integer(difference->constant) + Integer(offset(*difference, thread))).value();
    if (!own || *own == INT64_MIN) return std::nullopt;
    add(*own);
  }
  return result;
}

// The form and a choice of what is added.
AddressForms::Form AddressForms::with_steps(AddressForm form, const Steps& steps) {
  if (steps.common == 0 || steps.range.least == steps.range.most) return sum(form, 1, {.constant = steps.range.least});
  const auto length = (Integer(steps.range.most) - Integer(steps.range.least)).value();
  const auto least = (Integer(form.constant) + Integer(steps.range.least)).value();
  if (!length || *length == INT64_MAX || !least || !may_count_more()) return std::nullopt;
  form.constant = *least;
  form.terms[static_cast<CounterId>(counts_.size())] = steps.common;
  counts_.push_back(*length / steps.common + 1);
  return form;
}

// The one with the fewest terms is F_0.
AddressForms::Form AddressForms::one_of(const std::vector<AddressForm>& all) {
  const auto has_fewer = [](const AddressForm& a, const AddressForm& b) { return a.terms.size() < b.terms.size(); };
  const AddressForm& first = *std::min_element(all.begin(), all.end(), has_fewer);
  Steps steps;
  for (const AddressForm& form : all) {
    const auto own = steps_between(first, form);
    if (!own) return std::nullopt;
    steps.range = {std::min(steps.range.least, own->range.least), std::max(steps.range.most, own->range.most)};
    steps.common = std::gcd(steps.common, own->common);
  }
  return with_steps(first, steps);
}

// From the one of both of which the extreme is nearer.
AddressForms::Form AddressForms::of_extreme(const llvm::SelectInst& select) {
  const auto extreme = extreme_of(select);
  const Form a = extreme ? of(*extreme->a) : std::nullopt, b = extreme ? of(*extreme->b) : std::nullopt;
  if (!a || !b) return std::nullopt;
  const unsigned bits = bits_of(select);
  const Form first = as_number(*a, bits, extreme->is_signed), second = as_number(*b, bits, extreme->is_signed);
  if (!first || !second) return std::nullopt;
  const auto limited = [&](const AddressForm& from, const AddressForm& to) {
    auto steps = steps_between(from, to);
    if (!steps) return steps;
    Interval& range = steps->range;
    range = extreme->is_least ? Interval{std::min<int64_t>(0, range.least), std::min<int64_t>(0, range.most)}
                              : Interval{std::max<int64_t>(0, range.least), std::max<int64_t>(0, range.most)};
    return steps;
  };
  const auto from_first = limited(*first, *second), from_second = limited(*second, *first);
  if (!from_first || !from_second) return std::nullopt;
  const auto length = [](const Steps& steps) { return Integer(steps.range.most) - Integer(steps.range.least); };
  const bool is_nearer = (length(*from_first) - length(*from_second)).is_at_least(1);
  return is_nearer ? with_steps(*second, *from_second) : with_steps(*first, *from_first);
}

// One of those by the edges that are ever taken; else in the header of a loop.
AddressForms::Form AddressForms::of_phi(const llvm::PHINode& phi) {
  const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
  if (loop != nullptr && loop->getHeader() == phi.getParent()) return of_loop_phi(phi, *loop);
  std::vector<AddressForm> all;
  for (const llvm::Value* value : phi.incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(value)) continue;
    const Form form = of(*value);
    if (!form) return std::nullopt;
    all.push_back(*form);
  }
  return all.empty() ? std::nullopt : one_of(all);
}

AddressForms::Form AddressForms::of_loop_phi(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const llvm::Value* next = nullptr;  // of the only edge back
  std::vector<AddressForm> starts;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::Value* value = phi.getIncomingValue(i);
    if (llvm::isa<llvm::UndefValue>(value)) continue;  // by an edge that is never taken
    if (loop.contains(phi.getIncomingBlock(i))) {
      if (next != nullptr) return std::nullopt;
      next = value;
    } else if (const Form start = of(*value)) {
      starts.push_back(*start);
    } else {
      return std::nullopt;
    }
  }
  if (next == nullptr || starts.empty()) return std::nullopt;
  const auto step = step_of(phi, *next);
  const Form start = step ? one_of(starts) : std::nullopt;
  if (!start || !step) return std::nullopt;
  AddressForm iterations;
  if (*step != 0) iterations.terms[counter_of(loop)] = *step;
  return sum(*start, 1, iterations);
}

// What all additions from the phi to its next value add, if these are constants.
std::optional<int64_t> AddressForms::step_of(const llvm::PHINode& phi, const llvm::Value& next) const {
  Integer step = 0;
  const llvm::Value* value = &next;
  for (int i = 0; i < longest_step; ++i) {
    if (value == &phi) return step.value();
    if (call_kind(*value) == CallKind::same) {
      value = llvm::cast<llvm::CallInst>(value)->getOperand(0);
      continue;
    }
    if (const llvm::Value* taken = only_taken(*value)) {
      value = taken;
      continue;
    }
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    const bool subtracts = operation != nullptr && operation->getOpcode() == Instruction::Sub;
    if (operation == nullptr || (operation->getOpcode() != Instruction::Add && !subtracts)) return std::nullopt;
    Form by = of(*operation->getOperand(1));
    const bool is_second = by && by->is_constant();
    if (!is_second && !subtracts) by = of(*operation->getOperand(0));
    if (!by || !by->is_constant()) return std::nullopt;
    step = subtracts ? step - Integer(by->constant) : step + Integer(by->constant);
    value = operation->getOperand(is_second ? 0 : 1);
  }
  return std::nullopt;
}

}  // namespace warpspan::lift
