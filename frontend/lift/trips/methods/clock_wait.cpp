// SPDX-License-Identifier: GPL-3.0-or-later
// Let a loop compare, in each iteration that another one follows, d = (c - s) mod 2^w: s is what a thread has read of a
// counter of cycles before the loop, and c what it has read of the same one in this iteration, or in the one before,
// which is none of the loop in the first iteration. Let e be the cycles between the two reads, so that d = e mod 2^w.
// Let an iteration go on only if d is in a set S, and let no number from N to N + G - 1 be in it, with N >= 1 and N + G
// <= 2^w.
//
// Theorem. Let the thread's reads of the counter, from that of s on, follow one another within G cycles. The last
// iteration that reads with e < N is followed by one iteration at most if c is of this iteration, and by two if it is
// of the iteration before. If no iteration reads so, no more iterations than these begin.
//
// Proof. The cycles e between the read of s and one in the loop rise from iteration to iteration. Let iteration j be
// the first one, if there is any, that reads with e >= N. The read before it, of iteration j - 1 or that of s, where e
// = 0, is at N - 1 at most, so that of iteration j is at N - 1 + G at most. That is less than 2^w, so d = e there, one
// of the G numbers that are not in S. No iteration goes on with it: the loop is left in iteration j or, if an iteration
// compares what the one before has read, in iteration j + 1, or earlier. So iteration j - 1, the last one that reads
// with e < N, is followed by one iteration at most, or by two; and if j is 1, no more iterations than these begin. QED.
//
// Corollary. Reads take place in different cycles, as a warp issues one machine instruction a cycle at most. So e is at
// least 1 at the first read and rises, N - 1 iterations at most read with e < N, and the header runs N times at most,
// or N + 1 times.
//
// Lanes of a warp may have values of s of their own. Each is read before the lane enters the loop, and the theorem
// holds for each.
//
// What an iteration compares is a number x: d as it is, with zeros in front of it, or with its sign. The numbers x for
// which the comparison may let an iteration go on, with any of the values that the other side can have, are a range; S
// is those d whose x is in it, or more.
#include "frontend/lift/trips/methods/clock_wait.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::APInt;
using llvm::ConstantRange;
using llvm::Value;

constexpr uint64_t least_apart = uint64_t{1} << 30;  // cycles: half a second
constexpr int deepest = 8;

// Which counter of cycles an instruction reads, each time anew; nothing for others. It is a move: other instructions
// may only have it as a result, of which nothing is known.
std::optional<ir::SpecialValue> counter_read_by(const llvm::Instruction& instruction, const ir::Body& body) {
  const CallKind kind = call_kind(instruction);
  const auto from = kind == CallKind::opaque || kind == CallKind::group ? origin(instruction) : std::nullopt;
  if (!from || body.operation(*from).semantics.computation != ir::Computation::copy) return std::nullopt;
  const auto sources = body.sources(*from), results = body.results(*from);
  if (sources.size() != 1 || sources[0].kind != ir::Operand::Kind::special) return std::nullopt;
  if (results.size() != 1 || results[0].kind != ir::Operand::Kind::reg) return std::nullopt;
  const auto which = static_cast<ir::SpecialValue>(sources[0].index);
  const unsigned bits = which == ir::SpecialValue::cycles32 ? 32 : which == ir::SpecialValue::cycles64 ? 64 : 0;
  return instruction.getType()->isIntegerTy(bits) ? std::optional(which) : std::nullopt;
}

// A number whose low bits are those of a counter, as it was read.
struct CounterBits {
  const llvm::Instruction* read = nullptr;
  unsigned bits = 0;
};

// What has passed since the read before the loop, in the low bits of a number.
struct Passed {
  unsigned bits = 0;
  bool is_of_previous_iteration = false;
};

// The value that only the low bits of come through to `value`, and how many do: an extension, a part, or a mask of
// ones.
Value* cut_to(Value& value, unsigned& bits) {
  bits = value.getType()->getIntegerBitWidth();
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) {
    Value* from = cast->getOperand(0);
    if (!from->getType()->isIntegerTy()) return nullptr;
    bits = std::min(bits, from->getType()->getIntegerBitWidth());
    return from;
  }
  Value* from = nullptr;
  const APInt* mask = nullptr;
  if (!match::match(&value, match::m_c_And(match::m_Value(from), match::m_APInt(mask)))) return nullptr;
  bits = mask->countr_one();
  return bits == 0 ? nullptr : from;
}

class Differences {
 public:
  explicit Differences(const TripContext& context) : context_(context) {}

  // What has passed by a number that is compared where each iteration passes.
  std::optional<Passed> passed(Value& number) const {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&number);
    if (phi == nullptr || phi->getParent() != context_.loop.getHeader()) return passed(number, 0);
    auto found = passed(*phi->getIncomingValueForBlock(context_.loop.getLoopLatch()), 0);
    if (found) found->is_of_previous_iteration = true;
    return found;
  }

 private:
  std::optional<Passed> passed(Value& number, int depth) const;
  std::optional<CounterBits> counter(Value& number, int depth) const;

  const TripContext& context_;
};

std::optional<CounterBits> Differences::counter(Value& number, int depth) const {
  const auto* read = llvm::dyn_cast<llvm::Instruction>(&number);
  if (read == nullptr || depth > deepest) return std::nullopt;
  if (counter_read_by(*read, context_.body)) return CounterBits{read, read->getType()->getIntegerBitWidth()};
  unsigned bits = 0;
  Value* from = cut_to(number, bits);
  auto found = from == nullptr ? std::nullopt : counter(*from, depth + 1);
  if (found) found->bits = std::min(found->bits, bits);
  return found;
}

std::optional<Passed> Differences::passed(Value& number, int depth) const {
  if (depth > deepest) return std::nullopt;
  Value* a = nullptr;
  Value* b = nullptr;
  if (match::match(&number, match::m_Sub(match::m_Value(a), match::m_Value(b))) ||
      match::match(&number, match::m_c_Add(match::m_Neg(match::m_Value(b)), match::m_Value(a)))) {
    const auto now = counter(*a, 0), start = counter(*b, 0);
    if (!now || !start || counter_read_by(*now->read, context_.body) != counter_read_by(*start->read, context_.body))
      return std::nullopt;
    if (context_.loops.getLoopFor(now->read->getParent()) != &context_.loop || context_.loop.contains(start->read))
      return std::nullopt;
    return Passed{std::min({now->bits, start->bits, number.getType()->getIntegerBitWidth()})};
  }
  unsigned bits = 0;
  Value* from = cut_to(number, bits);
  auto found = from == nullptr ? std::nullopt : passed(*from, depth + 1);
  if (found) found->bits = std::min(found->bits, bits);
  return found;
}

// How a number x that is compared is made of d.
struct Extended {
  Value* from = nullptr;  // d is its low bits
  unsigned bits = 0;
  bool is_signed = false;
};

Extended extended(Value& x) {
  unsigned bits = 0;
  Value* from = cut_to(x, bits);
  const APInt* mask = nullptr;
  const bool is_mask = match::match(&x, match::m_c_And(match::m_Value(), match::m_APInt(mask))) && mask->isMask();
  if (from != nullptr && (is_mask || llvm::isa<llvm::ZExtInst>(x))) return {from, bits, false};
  if (from != nullptr && llvm::isa<llvm::SExtInst>(x)) return {from, bits, true};
  return {&x, x.getType()->getIntegerBitWidth(), false};
}

// A comparison of the form of the theorem.
struct Test {
  Comparison stays;
  Extended x;
  bool is_of_previous_iteration = false;
};

std::vector<Test> tests_of(const TripContext& context) {
  std::vector<Test> tests;
  const llvm::BasicBlock* latch = context.loop.getLoopLatch();
  if (latch == nullptr) return tests;
  const llvm::BasicBlock& header = *context.loop.getHeader();
  const Differences differences(context);
  for (const Comparison& stays : comparisons_on_edge(*latch, header, header, context.dominators)) {
    // What an iteration tests of the one before may itself be extended.
    Value* number = stays.a;
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(number);
    const bool is_of_previous_iteration = phi != nullptr && phi->getParent() == &header;
    if (is_of_previous_iteration) number = phi->getIncomingValueForBlock(latch);
    const Extended x = extended(*number);
    const auto passed = differences.passed(*x.from);
    if (!passed || passed->bits < x.bits || (is_of_previous_iteration && passed->is_of_previous_iteration)) continue;
    tests.push_back({stays, x, is_of_previous_iteration || passed->is_of_previous_iteration});
  }
  return tests;
}

// The d for which an iteration may go on.
ConstantRange going_on(const Test& test, const ValueRanges& ranges) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(test.stays.b);
  const ConstantRange other = constant != nullptr ? ConstantRange(constant->getValue()) : ranges(*test.stays.b);
  const ConstantRange numbers = ConstantRange::makeAllowedICmpRegion(test.stays.predicate, other);
  const unsigned width = numbers.getBitWidth();
  const ConstantRange all = ConstantRange::getFull(test.x.bits);
  if (test.x.bits == width) return numbers;
  const ConstantRange possible = test.x.is_signed ? all.signExtend(width) : all.zeroExtend(width);
  return numbers.intersectWith(possible).truncate(test.x.bits);
}

std::optional<ir::ClockLimit> limit_of(const Test& test, const ValueRanges& ranges) {
  const ConstantRange leaves = going_on(test, ranges).inverse();
  if (leaves.isEmptySet()) return std::nullopt;
  // Without 0, which only the read before the loop may be, it does not go round.
  constexpr unsigned wide = 66;
  const APInt all = APInt::getOneBitSet(wide, test.x.bits), one(wide, 1);
  const bool has_zero = leaves.contains(APInt::getZero(test.x.bits));
  const APInt first = has_zero ? one : leaves.getLower().zext(wide);
  const APInt end = leaves.isFullSet() || leaves.getUpper().isZero() ? all : leaves.getUpper().zext(wide);
  const APInt most = APInt::getSignedMaxValue(64).zext(wide);
  if (!end.ugt(first) || (end - first).ult(least_apart) || first.ugt(most)) return std::nullopt;
  const int64_t apart = llvm::APIntOps::umin(end - first, most).getSExtValue();
  return ir::ClockLimit{first.getSExtValue(), apart, test.is_of_previous_iteration ? 2 : 1};
}

// How often the header of a loop with such a limit runs each time the loop is entered, at most: a warp issues one
// machine instruction a cycle, so a thread's reads of a counter differ.
int64_t most_iterations(const ir::ClockLimit& limit) {
  const int64_t reads = limit.cycles - 1;
  return reads > INT64_MAX - limit.more ? INT64_MAX : reads + limit.more;
}

}  // namespace

LoopForm clock_form(const TripContext& context) {
  if (tests_of(context).empty()) return {};
  const ir::Body& body = context.body;
  return {[&body](const llvm::Instruction& instruction) { return counter_read_by(instruction, body).has_value(); },
          "the counter of cycles may go past what it waits for, and round, between two iterations"};
}

// By the least limit; nothing too if reads that are 2^30 cycles apart could miss each.
std::optional<Trips> trips_by_clock_wait(const TripContext& context) {
  std::optional<ir::ClockLimit> least;
  for (const Test& test : tests_of(context)) {
    const auto limit = limit_of(test, context.ranges);
    if (limit && (!least || limit->cycles < least->cycles)) least = limit;
  }
  if (!least) return std::nullopt;
  return Trips{.bound = {most_iterations(*least), 1}, .clock = least};
}

}  // namespace warpspan::lift
