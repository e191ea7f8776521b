// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let v dominate the value x, and x be reached from v by
//   1. sums v + t and differences v - t, of which t is a number from p to q;
//   2. choices and phis outside of headers all operands of which are reached from v, or never taken;
//   3. phis of headers of loops that iterate at most n times, that are entered with a value reached from v outside, and
//      go on with what is reached from the phi, by a step from p to q.
// Then x is, each time it is computed, what the last execution of v before gave plus a number in the sum of these
// ranges, the hull of those of all operands, the range from min(0, (n - 1) p) to max(0, (n - 1) q) for 3.
// Proof, by induction. The operand o of x has been computed from the last v before it. Had v been executed since, then
// without o: for o dominates x, or the end of the edge by which it comes, and v dominates o, so that there is a path
// from the entry through v, and no o, to v, and on to x, which o does not dominate then. 3: the k-th iteration adds k -
// 1 steps to what the loop was entered with, and v, which dominates the entering edge, is in no loop of that header.
// QED
#include "frontend/lift/values/value_origins.hpp"

#include <llvm/IR/Constants.h>

#include <algorithm>

#include "frontend/lift/values/integers.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;

constexpr size_t most_origins = 32;
constexpr int deepest = 64;
constexpr int64_t widest = 1 << 20;

bool is_narrow(const Origin& origin) {
  return std::min(origin.least, origin.most) >= -widest && std::max(origin.least, origin.most) <= widest;
}

}  // namespace

std::vector<Origin> ValueOrigins::with_itself(const llvm::Value& value) {
  std::vector<Origin> result{{&value}};
  if (const auto* instruction = llvm::dyn_cast<Instruction>(&value)) {
    const std::vector<Origin> more = of(*instruction);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

std::vector<Origin> ValueOrigins::of(const Instruction& instruction) {
  if (bits_of(instruction) == 0 || depth_ > deepest) return {};
  const auto known = known_.find(&instruction);
  if (known != known_.end()) return known->second;
  known_[&instruction] = {};  // of the phi of a header, as what it goes on with sees it
  found_.push_back(&instruction);
  ++depth_;
  std::vector<Origin> result;
  const auto add = [&](const llvm::Value& value, const Origin& added) {
    for (const Origin& origin : with_itself(value)) {
      const Origin sum{origin.value, origin.least + added.least, origin.most + added.most};
      if (is_narrow(sum)) result.push_back(sum);
    }
  };
  const auto operand = [&](unsigned i) -> const llvm::Value& { return *instruction.getOperand(i); };
  switch (instruction.getOpcode()) {
    case Instruction::Add:
      if (const auto by = narrow(operand(1))) add(operand(0), *by);
      if (const auto by = narrow(operand(0))) add(operand(1), *by);
      break;
    case Instruction::Sub:
      if (const auto by = narrow(operand(1))) add(operand(0), {nullptr, -by->most, -by->least});
      break;
    case Instruction::Select: result = common({&operand(1), &operand(2)}); break;
    case Instruction::PHI: {
      const auto& phi = llvm::cast<llvm::PHINode>(instruction);
      if (loops_.isLoopHeader(phi.getParent())) {
        result = of_header(phi, *loops_.getLoopFor(phi.getParent()));
      } else {
        std::vector<const llvm::Value*> taken;
        for (const llvm::Value* value : phi.incoming_values()) {
          if (!llvm::isa<llvm::UndefValue>(value)) taken.push_back(value);
        }
        result = common(taken);
      }
      break;
    }
    default: break;
  }
  --depth_;
  if (result.size() > most_origins) result.resize(most_origins);
  return known_[&instruction] = result;
}

// Those that all of the values have.
std::vector<Origin> ValueOrigins::common(llvm::ArrayRef<const llvm::Value*> values) {
  std::vector<Origin> result;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::vector<Origin> others = with_itself(*values[i]);
    if (i == 0) {
      result = others;
      continue;
    }
    std::erase_if(result, [&](Origin& origin) {
      const auto same =
          std::find_if(others.begin(), others.end(), [&](const Origin& other) { return other.value == origin.value; });
      if (same == others.end()) return true;
      origin.least = std::min(origin.least, same->least);
      origin.most = std::max(origin.most, same->most);
      return false;
    });
  }
  return result;
}

std::vector<Origin> ValueOrigins::of_header(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const auto count = trips_(loop);
  if (!count || *count < 1 || *count > widest || phi.getNumIncomingValues() != 2) return {};
  const unsigned latch = loop.contains(phi.getIncomingBlock(0)) ? 0 : 1;
  if (!loop.contains(phi.getIncomingBlock(latch)) || loop.contains(phi.getIncomingBlock(1 - latch))) return {};
  const size_t before = found_.size();
  const std::vector<Origin> next = with_itself(*phi.getIncomingValue(latch));
  // What has been found meanwhile lacks the origins of the phi.
  for (size_t i = before; i < found_.size(); ++i) known_.erase(found_[i]);
  found_.resize(before);
  const auto step = std::find_if(next.begin(), next.end(), [&](const Origin& each) { return each.value == &phi; });
  if (step == next.end()) return {};
  std::vector<Origin> result;
  for (const Origin& start : with_itself(*phi.getIncomingValue(1 - latch))) {
    const Origin sum{start.value, start.least + std::min<int64_t>(0, (*count - 1) * step->least),
                     start.most + std::max<int64_t>(0, (*count - 1) * step->most)};
    if (is_narrow(sum)) result.push_back(sum);
  }
  return result;
}

llvm::ConstantRange ValueOrigins::range(llvm::Value& value, bool is_signed) {
  llvm::ConstantRange result = range_of_(value, is_signed);
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || bits_of(value) == 0 || !loops_.isLoopHeader(phi->getParent())) return result;
  const auto number = [&](int64_t n) { return llvm::APInt(bits_of(value), static_cast<uint64_t>(n), true); };
  for (const Origin& origin : of(*phi)) {
    if (bits_of(value) < 32) break;  // as narrow as what is added
    const auto added = llvm::ConstantRange::getNonEmpty(number(origin.least), number(origin.most) + 1);
    const llvm::ConstantRange begin = range_of_(const_cast<llvm::Value&>(*origin.value), is_signed);
    result =
        result.intersectWith(begin.add(added), is_signed ? llvm::ConstantRange::Signed : llvm::ConstantRange::Unsigned);
  }
  return result;
}

// The number in a narrow range that a value is.
std::optional<Origin> ValueOrigins::narrow(const llvm::Value& added) const {
  const llvm::ConstantRange range = range_of_number(const_cast<llvm::Value&>(added), true, range_of_);
  if (range.isFullSet() || range.isEmptySet() || range.getBitWidth() > 64) return std::nullopt;
  const Origin number{nullptr, range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()};
  return is_narrow(number) ? std::optional(number) : std::nullopt;
}

}  // namespace warpspan::lift
