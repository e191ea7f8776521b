// SPDX-License-Identifier: GPL-3.0-or-later
// Let lanes execute a definition of v together. v has **steps** [a, b] with **slack** e in s runs if the lanes can be
// cut at s - 1 places so that in each run there are integers V(l) = v(l) modulo 2^bits, and V(j) - V(i) is in
// [a (j - i) - e, b (j - i) + e] for any two of its lanes i < j.
//
// Theorem. Let v and w have steps [a, b] with slack e and [c, d] with slack f; where places of both are known to be the
// same they count once.
//   1. What all lanes share has steps [0, 0] without slack in one run; what a run shares in all operands it shares in
//      the result.
//   2. v + w has [a + c, b + d], v - w [a - d, b - c], n v [n a, n b] or [n b, n a], at the places of both, with slack
//      e + f, e + f and |n| e.
//   3. v read as a number has the same steps where the ends of its range show that no run crosses the end of the type;
//      else, if e = 0, a >= 0 or b <= 0, and the run spans less than 2^bits, at a place more in each run.
//   4. The smaller and the larger of two numbers have [min(a, c), max(b, d)] with slack max(e, f), at the places of
//      both.
//   5. floor(v / n), n > 0, has [floor(a / n), ceil(b / n)] with slack ceil(e / n), or, if e = 0, and a >= 0 or b <= 0,
//      [0, 0] at as many more places as the quotient changes: in a run of m lanes at most ceil((m - 1) max(|a|, |b|) /
//      n). With these places the remainder v - n floor(v / n) has the steps of v. For n = 2^k the integers V serve,
//      whatever the type.
//   6. Of numbers v and w with e = f = 0 and a - d >= 0 or b - c <= 0 the result of <, <=, > or >= changes at one place
//      of a run, that of = or != at two. With these places a choice has the hull of the steps of both sides.
//   7. A value x that is the last v before plus a number from p to q (value_origins.hpp) has, wherever it is used, the
//      steps of v with slack e + q - p, if v dominates x, and all lanes there have v from the same execution.
//   8. A number from p to q has [0, 0] with slack q - p, wherever lanes have it from.
// Proof. 1 to 3: sums and multiples of the integers are integers of the result; a run that is monotone and shorter than
// 2^bits crosses an end once, and with different V on both sides has none to cross; of lanes on both sides of an end
// one is within the span from the largest number and one within it from the least, so a range that keeps off one of
// both has none. 4: min(V, W) rises from i to j by the rise of the one that is smaller at j at least, and by that of
// the one that is smaller at i at most; max likewise. 5: floor(x + y) - floor(x) is in [floor(y), ceil(y)], floor((m a
// - e) / n) >= m floor(a / n) - ceil(e / n); a monotone run that spans D passes ceil(D / n) multiples of n at most. As
// 2^k divides 2^bits, V modulo 2^k is v modulo 2^k. 6: V - W is monotone in the run, so it is below 0, 0 and above 0
// one after another. 7: no lane has executed v between x and the use: a path from the entry would lead there without x
// then, though x dominates it. 7 and 8: numbers from p to q differ by q - p at most. QED
//
// Theorem (lines). Where the lanes' addresses have steps in [-d, d] with slack e, d + e > 0, in s runs, and are
// multiples of z, z a power of two up to 128, of accesses of z bytes, they touch at most floor(((32 - s) d + s (e - z))
// / 128) + 2 s lines, and at most s + floor(((32 - s) d + s e) / 128) words of one bank of 4-byte words if z <= 4. With
// d = e = 0 it is s addresses. Proof. Let the lanes of a run lie in m positions, first and last counted. The run's
// least address is A, with A mod 128 <= 128 - z, and its largest at most A + (m - 1) d + e: so it touches floor(((m -
// 1) d + e + 128 - z) / 128) + 1 lines at most. It has at most ((m - 1) d + e) / 4 + 1 words from the first to the
// last, of which one bank has one in each 32. All runs together have m - 1 summed up to 32 - s at most, and a sum of
// floors is no more than the floor of the sum. QED
#include "frontend/lift/values/step_values.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <set>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/integers.hpp"
#include "ir/sizes.hpp"
#include "support/floor_divide.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;
using support::ceil_divide;
using support::floor_divide;

constexpr int64_t lanes_of_warp = ir::warp_lanes;
constexpr int64_t line_bytes = ir::memory_line_bytes;
constexpr int64_t widest_step = int64_t{1} << 40;  // sums of such do not overflow
constexpr size_t most_alternatives = 4;
constexpr int64_t widest_slack = 1 << 20;  // of a number

// What a place is asked of, where it is no divisor.
constexpr int64_t at_end_of_signed = -1, at_end_of_unsigned = -2, at_comparison = -3, at_power_of_two = -4;

bool is_monotone(const LaneSteps& steps) { return steps.slack == 0 && (steps.least >= 0 || steps.most <= 0); }
bool is_shared(const LaneSteps& steps) { return steps.slack == 0 && steps.least == 0 && steps.most == 0; }

// From the least to the largest of a run, at most.
uint64_t span_of(const LaneSteps& steps) {
  return steps.widest() * (lanes_of_warp - 1) + static_cast<uint64_t>(steps.slack);
}

// Lines of words of 4 bytes for whom it is an index, about: fewer are better.
int64_t price(const LaneSteps& steps) {
  const int64_t runs = steps.cuts.runs();
  return runs * (64 + steps.slack) + (lanes_of_warp - runs) * static_cast<int64_t>(steps.widest());
}

// Keeps what no other is better than, a few of them.
void keep(std::vector<LaneSteps>& all, LaneSteps steps) {
  if (steps.widest() > static_cast<uint64_t>(widest_step) || steps.slack > widest_step) return;
  if (steps.cuts.runs() >= lanes_of_warp) return;
  const auto is_no_worse = [](const LaneSteps& a, const LaneSteps& b) {
    return a.cuts.runs() <= b.cuts.runs() && a.least >= b.least && a.most <= b.most && a.slack <= b.slack;
  };
  for (const LaneSteps& known : all) {
    if (is_no_worse(known, steps)) return;
  }
  std::erase_if(all, [&](const LaneSteps& known) { return is_no_worse(steps, known); });
  all.push_back(std::move(steps));
  if (all.size() <= most_alternatives) return;
  all.erase(std::max_element(all.begin(), all.end(),
                             [](const LaneSteps& a, const LaneSteps& b) { return price(a) < price(b); }));
}

std::optional<int64_t> constant_of(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant != nullptr && constant->getBitWidth() <= 64 ? std::optional(constant->getSExtValue()) : std::nullopt;
}

// What is divided by, above 0; that of an unsigned number if it is not too large.
std::optional<int64_t> divisor_of(const llvm::Value& value, bool is_signed) {
  if (is_signed) {
    const auto divisor = constant_of(value);
    return divisor && *divisor > 0 ? divisor : std::nullopt;
  }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  if (constant == nullptr || constant->getValue().isZero() || constant->getValue().ugt(1U << 30)) return std::nullopt;
  return static_cast<int64_t>(constant->getZExtValue());
}

// Whether a choice by a comparison is the smaller or the larger of its sides. Where the comparison parts the numbers up
// to p from those above, that of x and c is, for c = p and c = p + 1: x <= p ? x : c is min(x, c), x <= p ? c : x is
// max.
bool is_minimum_or_maximum(const llvm::ICmpInst& comparison, const llvm::Value& yes, const llvm::Value& no) {
  if (comparison.isEquality()) return false;
  const llvm::Value* a = comparison.getOperand(0);
  const llvm::Value* b = comparison.getOperand(1);
  if ((a == &yes && b == &no) || (a == &no && b == &yes)) return true;
  auto predicate = comparison.getPredicate();
  if (llvm::isa<llvm::ConstantInt>(a)) {
    std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(b);
  const auto* other = llvm::dyn_cast<llvm::ConstantInt>(a == &yes ? &no : &yes);
  if (limit == nullptr || other == nullptr || (a != &yes && a != &no)) return false;
  const llvm::APInt& k = limit->getValue();
  const llvm::APInt& c = other->getValue();
  if (c == k) return true;
  const bool is_signed = comparison.isSigned();
  // x < k and x >= k part k - 1 from k, x <= k and x > k part k from k + 1.
  const bool parts_above = llvm::ICmpInst::isLE(predicate) || llvm::ICmpInst::isGT(predicate);
  if (parts_above) {
    const bool is_last = is_signed ? k.isMaxSignedValue() : k.isMaxValue();
    return !is_last && c == k + 1;
  }
  const bool is_first = is_signed ? k.isMinSignedValue() : k.isMinValue();
  return !is_first && c == k - 1;
}

}  // namespace

StepValues::Alternatives StepValues::at(const llvm::Use& use) {
  if (bits_of(*use.get()) > 0 && uniformity_.is_uniform_use(use)) return {LaneSteps{}};
  return at(*use.get(), llvm::cast<Instruction>(*use.getUser()));
}

// Lanes that have the value from different executions may have what it was computed from from one.
StepValues::Alternatives StepValues::at(const llvm::Value& value, const Instruction& user) {
  if (uniformity_.is_same_execution(value, user)) return of_execution(value, user);
  Alternatives found = of_range(value);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr) return found;
  for (LaneSteps& steps : of_origins(*instruction, user)) keep(found, std::move(steps));
  return found;
}

// Of a value the same at each use: places have the number of an alternative in their keys.
StepValues::Alternatives StepValues::of_execution(const llvm::Value& value, const Instruction& user) {
  const unsigned bits = bits_of(value);
  if (bits == 0) return {};
  if (uniformity_.is_uniform(value)) return {LaneSteps{}};
  const auto form = lanes_.at(value, user);
  if (form && form->groups == 1 && !form->cut) return of_table(*form, bits);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr) return of_range(value);
  const auto known = known_.find(instruction);
  if (known != known_.end()) return known->second;
  Alternatives found = of_range(value);
  if (depth_ < deepest) {
    ++depth_;
    for (LaneSteps& steps : of(*instruction)) keep(found, std::move(steps));
    --depth_;
  }
  known_[instruction] = found;
  return found;
}

// Rule 8.
StepValues::Alternatives StepValues::of_range(const llvm::Value& value) {
  Alternatives result;
  if (bits_of(value) == 0) return result;
  for (const bool is_signed : {false, true}) {
    const llvm::ConstantRange all = range(value, is_signed);
    if (all.isFullSet() || all.isEmptySet()) continue;
    const uint64_t width = (all.getUpper() - all.getLower() - 1).getLimitedValue();
    if (width <= static_cast<uint64_t>(widest_slack)) keep(result, {0, 0, {}, static_cast<int64_t>(width)});
  }
  return result;
}

StepValues::Alternatives StepValues::of(const Instruction& instruction) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    const llvm::Use* start = lanes_.origin_of(*phi);
    return start == nullptr ? of_origins(instruction, instruction) : at(*start);
  }
  if (call_kind(instruction) == CallKind::same) return at(instruction.getOperandUse(0));
  Alternatives shared = of_alike(instruction);
  if (llvm::isa<llvm::CallInst>(instruction)) {
    for (LaneSteps& steps : of_whole(instruction)) keep(shared, std::move(steps));
    return shared;
  }
  Alternatives found;
  const auto operand = [&](unsigned i) -> const llvm::Use& { return instruction.getOperandUse(i); };
  const auto number = [&](unsigned i) { return constant_of(*instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
    case Instruction::Add: found = of_sum(instruction, false); break;
    case Instruction::Sub: found = of_sum(instruction, true); break;
    case Instruction::Mul:
      if (const auto factor = number(1)) {
        found = of_multiple(at(operand(0)), *factor);
      } else if (const auto other = number(0)) {
        found = of_multiple(at(operand(1)), *other);
      }
      break;
    case Instruction::Shl:
      if (const auto by = number(1); by && *by >= 0 && *by < 32) found = of_multiple(at(operand(0)), int64_t{1} << *by);
      break;
    case Instruction::LShr:
    case Instruction::AShr:
      if (const auto by = number(1); by && *by >= 0 && *by < 31) {
        found = of_quotient(operand(0), int64_t{1} << *by, instruction.getOpcode() == Instruction::AShr, false);
      }
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      const auto opcode = instruction.getOpcode();
      const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
      const auto by = divisor_of(*instruction.getOperand(1), is_signed);
      if (by && (opcode == Instruction::UDiv || opcode == Instruction::SDiv)) {
        found = of_quotient(operand(0), *by, is_signed, is_signed);
      } else if (by) {
        found = of_remainder(operand(0), *by, is_signed, true);
      }
      break;
    }
    case Instruction::And:
      if (const auto by = number(1); by && *by > 0 && *by < (1 << 30) && std::has_single_bit<uint64_t>(*by + 1)) {
        found = of_remainder(operand(0), *by + 1, false, false);
      } else if (by && *by < 0 && *by > -(1 << 30) && std::has_single_bit(static_cast<uint64_t>(-*by))) {
        found = of_multiple(of_quotient(operand(0), -*by, true, false), -*by);  // without its lowest bits
      }
      break;
    case Instruction::Trunc: found = at(operand(0)); break;
    case Instruction::ZExt: found = as_numbers(operand(0), false); break;
    case Instruction::SExt: found = as_numbers(operand(0), true); break;
    case Instruction::ICmp: found = of_comparison(instruction); break;
    case Instruction::Select: found = of_choice(instruction); break;
    default: break;
  }
  for (LaneSteps& steps : shared) keep(found, std::move(steps));
  if (llvm::isa<llvm::SelectInst>(instruction)) {
    for (LaneSteps& steps : of_origins(instruction, instruction)) keep(found, std::move(steps));
  }
  return found;
}

// What the table says of each warp, cut where lanes side by side are further apart than others.
StepValues::Alternatives StepValues::of_table(const LaneValue& value, unsigned bits) const {
  const std::vector<uint64_t>& offsets = tables_.values(value.offsets);
  std::vector<int64_t> distances(offsets.size());
  std::set<uint64_t> sizes;
  for (size_t thread = 0; thread < offsets.size(); ++thread) {
    if (thread % lanes_of_warp == 0) continue;
    distances[thread] = signed_value(offsets[thread] - offsets[thread - 1], bits);
    sizes.insert(size_of(distances[thread]));
    if (sizes.size() > 64) break;
  }
  Alternatives result;
  if (sizes.size() > 64) return result;
  for (const uint64_t limit : sizes) {
    LaneSteps steps{
        INT64_MAX, INT64_MIN, {std::vector<uint32_t>((offsets.size() + lanes_of_warp - 1) / lanes_of_warp), {}}};
    for (size_t thread = 0; thread < offsets.size(); ++thread) {
      if (thread % lanes_of_warp == 0) continue;
      if (size_of(distances[thread]) > limit) {
        steps.cuts.known[thread / lanes_of_warp] |= 1U << thread % lanes_of_warp;
        continue;
      }
      steps.least = std::min(steps.least, distances[thread]);
      steps.most = std::max(steps.most, distances[thread]);
    }
    keep(result, std::move(steps));
  }
  if (sizes.empty()) result.push_back({});  // warps of one lane
  return result;
}

StepValues::Alternatives StepValues::of_sum(const Instruction& instruction, bool subtract) {
  const Alternatives first = at(instruction.getOperandUse(0));
  const Alternatives second = at(instruction.getOperandUse(1));
  Alternatives result;
  for (const LaneSteps& a : first) {
    for (const LaneSteps& b : second) {
      LaneSteps sum = a;
      sum.least += subtract ? -b.most : b.least;
      sum.most += subtract ? -b.least : b.most;
      sum.slack += b.slack;
      sum.cuts.add(b.cuts);
      keep(result, std::move(sum));
    }
  }
  return result;
}

StepValues::Alternatives StepValues::of_multiple(Alternatives all, int64_t factor) {
  Alternatives result;
  if (factor > widest_step || factor < -widest_step) return result;
  for (LaneSteps& steps : all) {
    const int64_t most = widest_step / std::max<int64_t>(std::abs(factor), 1);
    if (steps.widest() > static_cast<uint64_t>(most) || steps.slack > most) continue;
    const int64_t a = steps.least * factor, b = steps.most * factor;
    steps.least = std::min(a, b);
    steps.most = std::max(a, b);
    steps.slack *= std::abs(factor);
    keep(result, std::move(steps));
  }
  return result;
}

// Rule 3.
StepValues::Alternatives StepValues::as_numbers(const llvm::Use& use, bool is_signed) {
  const unsigned bits = bits_of(*use.get());
  const Alternatives all = at(use);
  if (all.empty()) return {};
  const llvm::ConstantRange numbers = range(*use.get(), false).intersectWith(range(*use.get(), true));
  Alternatives result;
  for (size_t i = 0; i < all.size(); ++i) {
    LaneSteps steps = all[i];
    const uint64_t span = span_of(steps);
    if (!is_shared(steps) && bits < 64 && span >> bits != 0) continue;
    if (!is_shared(steps) && !is_clear_of_end(numbers, span, is_signed)) {
      if (!is_monotone(steps)) continue;
      steps.cuts.unknown[{use.get(), is_signed ? at_end_of_signed : at_end_of_unsigned, i}] = steps.cuts.runs();
    }
    keep(result, std::move(steps));
  }
  return result;
}

namespace {

// How often a quotient changes in all runs together, at most.
unsigned changes(const LaneSteps& steps, int64_t divisor) {
  const int64_t runs = steps.cuts.runs();
  const int64_t span = (lanes_of_warp - runs) * static_cast<int64_t>(steps.widest());
  const int64_t most = span / divisor + runs;  // a sum of ceilings, one for each run
  const int64_t alone = ceil_divide(span, divisor);
  return static_cast<unsigned>(std::min<int64_t>(runs == 1 ? alone : most, lanes_of_warp));
}

// Where the quotient of a number changes, of its alternative i.
LaneCuts::Key of_division(const llvm::Value& of, int64_t divisor, size_t i, bool is_signed, bool to_zero) {
  return {&of, divisor, 4 * i + (is_signed ? 2 : 0) + (to_zero ? 1 : 0)};
}

}  // namespace

bool StepValues::may_have_both_signs(llvm::Value& value) {
  const llvm::ConstantRange all = range(value, true);
  return !all.isAllNonNegative() && !all.getSignedMax().isNonPositive();
}

llvm::ConstantRange StepValues::range(const llvm::Value& value, bool is_signed) {
  const auto known = [this](llvm::Value& operand, bool of_signed) {
    const llvm::ConstantRange all = range_of_(operand, of_signed);
    return is_float(operand) ? all.intersectWith(range_of_whole(llvm::cast<llvm::CallInst>(operand))) : all;
  };
  return range_of_number(const_cast<llvm::Value&>(value), is_signed, known);
}

// A quotient that is rounded towards zero is the floor where nothing is negative, and minus the floor of what is
// negated where nothing is positive.
StepValues::Alternatives StepValues::of_quotient(const llvm::Use& of, int64_t divisor, bool is_signed, bool to_zero) {
  if (to_zero && may_have_both_signs(*of.get())) return {};
  Alternatives result;
  const Alternatives numbers = as_numbers(of, is_signed);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const LaneSteps& steps = numbers[i];
    keep(result, {floor_divide(steps.least, divisor), ceil_divide(steps.most, divisor), steps.cuts,
                  ceil_divide(steps.slack, divisor)});
    if (is_shared(steps) || !is_monotone(steps)) continue;
    LaneSteps cut{0, 0, steps.cuts};
    cut.cuts.unknown[of_division(*of.get(), divisor, i, is_signed, to_zero)] = changes(steps, divisor);
    keep(result, std::move(cut));
  }
  return result;
}

// is_number: the divisor is no power of two, so that it needs the number itself.
StepValues::Alternatives StepValues::of_remainder(const llvm::Use& of, int64_t divisor, bool is_signed,
                                                  bool is_number) {
  if (is_signed && may_have_both_signs(*of.get())) return {};
  Alternatives result;
  const Alternatives all = is_number ? as_numbers(of, is_signed) : at(of);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_monotone(all[i])) continue;
    LaneSteps cut = all[i];
    const LaneCuts::Key of_bits = {of.get(), at_power_of_two - divisor, i};
    cut.cuts.unknown[is_number ? of_division(*of.get(), divisor, i, is_signed, is_signed) : of_bits] =
        changes(all[i], divisor);
    keep(result, std::move(cut));
  }
  return result;
}

// Rule 6.
StepValues::Alternatives StepValues::of_comparison(const Instruction& instruction) {
  const auto& comparison = llvm::cast<llvm::ICmpInst>(instruction);
  const bool is_signed = comparison.isSigned() || comparison.isEquality();
  const Alternatives first = as_numbers(instruction.getOperandUse(0), is_signed);
  const Alternatives second = as_numbers(instruction.getOperandUse(1), is_signed);
  Alternatives result;
  size_t which = 0;
  for (const LaneSteps& a : first) {
    for (const LaneSteps& b : second) {
      ++which;
      const LaneSteps difference{a.least - b.most, a.most - b.least, {}, a.slack + b.slack};
      if (!is_monotone(difference)) continue;
      LaneSteps steps{0, 0, a.cuts};
      steps.cuts.add(b.cuts);
      const unsigned runs = steps.cuts.runs();
      if (!is_shared(difference)) {
        steps.cuts.unknown[{&instruction, at_comparison, which}] = comparison.isEquality() ? 2 * runs : runs;
      }
      keep(result, std::move(steps));
    }
  }
  return result;
}

// Rules 4 and 6.
StepValues::Alternatives StepValues::of_choice(const Instruction& instruction) {
  const auto& select = llvm::cast<llvm::SelectInst>(instruction);
  const llvm::Use& yes = instruction.getOperandUse(1);
  const llvm::Use& no = instruction.getOperandUse(2);
  Alternatives result;
  const auto add_hulls = [&](const Alternatives& first, const Alternatives& second, const LaneCuts& places) {
    for (const LaneSteps& a : first) {
      for (const LaneSteps& b : second) {
        LaneSteps hull{std::min(a.least, b.least), std::max(a.most, b.most), a.cuts, std::max(a.slack, b.slack)};
        hull.cuts.add(b.cuts);
        hull.cuts.add(places);
        keep(result, std::move(hull));
      }
    }
  };
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(select.getCondition());
  if (comparison != nullptr && is_minimum_or_maximum(*comparison, *yes.get(), *no.get())) {
    const Alternatives first = as_numbers(yes, comparison->isSigned());
    add_hulls(first, as_numbers(no, comparison->isSigned()), {});
  }
  const Alternatives condition = at(instruction.getOperandUse(0));
  const Alternatives first = at(yes);
  const Alternatives second = at(no);
  for (const LaneSteps& places : condition) {
    if (is_shared(places)) add_hulls(first, second, places.cuts);
  }
  return result;
}

// Rule 1.
StepValues::Alternatives StepValues::of_alike(const Instruction& instruction) {
  const CallKind kind = call_kind(instruction);
  const bool is_pure = kind == CallKind::pure || (kind == CallKind::none && !llvm::isa<llvm::CallInst>(instruction) &&
                                                  !instruction.mayReadOrWriteMemory());
  if (!is_pure) return {};
  LaneSteps result;
  for (const llvm::Use& use : instruction.operands()) {
    if (llvm::isa<llvm::Function>(use.get())) continue;
    const Alternatives all = at(use);
    const LaneSteps* best = nullptr;
    for (const LaneSteps& steps : all) {
      if (is_shared(steps) && (best == nullptr || steps.cuts.runs() < best->cuts.runs())) best = &steps;
    }
    if (best == nullptr) return {};
    result.cuts.add(best->cuts);
  }
  Alternatives found;
  keep(found, std::move(result));
  return found;
}

// Rule 7, of what the user is or has.
StepValues::Alternatives StepValues::of_origins(const Instruction& instruction, const Instruction& user) {
  Alternatives result;
  for (const Origin& origin : origins_.of(instruction)) {
    if (!uniformity_.is_same_execution(*origin.value, user)) continue;
    for (LaneSteps& steps : of_execution(*origin.value, user)) {
      steps.slack += origin.most - origin.least;
      keep(result, std::move(steps));
    }
  }
  return result;
}

namespace {

std::optional<size_t> below_all_lanes(int64_t count) {
  return count < lanes_of_warp ? std::optional(static_cast<size_t>(count)) : std::nullopt;
}

}  // namespace

std::optional<size_t> StepValues::most_lines(const llvm::Use& address, int bytes) {
  const auto z = static_cast<int64_t>(std::min<uint64_t>(std::bit_floor(static_cast<uint64_t>(bytes)), line_bytes));
  int64_t best = lanes_of_warp;
  for (const LaneSteps& steps : at(address)) {
    const int64_t runs = steps.cuts.runs();
    const auto d = static_cast<int64_t>(steps.widest());
    best = std::min(best,
                    is_shared(steps)
                        ? runs
                        : floor_divide((lanes_of_warp - runs) * d + runs * (steps.slack - z), line_bytes) + 2 * runs);
  }
  return below_all_lanes(best);
}

std::optional<size_t> StepValues::most_conflict_ways(const llvm::Use& address, int bytes) {
  if (bytes > static_cast<int>(ir::bank_bytes)) return std::nullopt;
  int64_t best = lanes_of_warp;
  for (const LaneSteps& steps : at(address)) {
    const int64_t runs = steps.cuts.runs();
    const int64_t spans = (lanes_of_warp - runs) * static_cast<int64_t>(steps.widest()) + runs * steps.slack;
    best = std::min(best, runs + spans / line_bytes);
  }
  return below_all_lanes(best);
}

std::optional<size_t> StepValues::most_addresses(const llvm::Use& address) {
  int64_t best = lanes_of_warp;
  for (const LaneSteps& steps : at(address)) {
    if (is_shared(steps)) best = std::min<int64_t>(best, steps.cuts.runs());
  }
  return below_all_lanes(best);
}

}  // namespace warpspan::lift
