// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/evaluate.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/floats.hpp"
#include "frontend/lift/values/integers.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;

uint64_t reversed(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

std::optional<uint64_t> divide(unsigned opcode, uint64_t a, uint64_t b, unsigned bits) {
  if (b == 0) return std::nullopt;
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  if (is_signed && b == low_ones(bits) && a == uint64_t{1} << (bits - 1)) return std::nullopt;
  switch (opcode) {
    case Instruction::UDiv: return a / b;
    case Instruction::URem: return a % b;
    case Instruction::SDiv: return static_cast<uint64_t>(signed_value(a, bits) / signed_value(b, bits));
    default: return static_cast<uint64_t>(signed_value(a, bits) % signed_value(b, bits));
  }
}

std::optional<uint64_t> shift(unsigned opcode, uint64_t a, uint64_t b, unsigned bits) {
  if (b >= bits) return std::nullopt;
  if (opcode == Instruction::Shl) return a << b;
  if (opcode == Instruction::LShr) return a >> b;
  return static_cast<uint64_t>(signed_value(a, bits) >> b);
}

std::optional<uint64_t> arithmetic(unsigned opcode, uint64_t a, uint64_t b, unsigned bits) {
  switch (opcode) {
    case Instruction::Add: return a + b;
    case Instruction::Sub: return a - b;
    case Instruction::Mul: return a * b;
    case Instruction::And: return a & b;
    case Instruction::Or: return a | b;
    case Instruction::Xor: return a ^ b;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: return shift(opcode, a, b, bits);
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem: return divide(opcode, a, b, bits);
    default: return std::nullopt;
  }
}

bool compare(llvm::CmpInst::Predicate predicate, uint64_t a, uint64_t b, unsigned bits) {
  const int64_t sa = signed_value(a, bits);
  const int64_t sb = signed_value(b, bits);
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return a == b;
    case llvm::CmpInst::ICMP_NE: return a != b;
    case llvm::CmpInst::ICMP_ULT: return a < b;
    case llvm::CmpInst::ICMP_ULE: return a <= b;
    case llvm::CmpInst::ICMP_UGT: return a > b;
    case llvm::CmpInst::ICMP_UGE: return a >= b;
    case llvm::CmpInst::ICMP_SLT: return sa < sb;
    case llvm::CmpInst::ICMP_SLE: return sa <= sb;
    case llvm::CmpInst::ICMP_SGT: return sa > sb;
    default: return sa >= sb;
  }
}

std::optional<uint64_t> count(llvm::Intrinsic::ID intrinsic, const uint64_t* operands, unsigned bits) {
  const uint64_t value = operands[0];
  if (intrinsic == llvm::Intrinsic::ctpop) return static_cast<uint64_t>(std::popcount(value));
  if (intrinsic == llvm::Intrinsic::bitreverse) return reversed(value, bits);
  if (value == 0 && operands[1] != 0) return std::nullopt;
  return static_cast<uint64_t>(std::countl_zero(value)) - (64 - bits);
}

// The function that is called records it, for whoever asks for the module.
constexpr const char* evaluated_unrounded = "warpspan.evaluated-unrounded";

std::optional<uint64_t> compute_floats(const llvm::CallInst& call, const uint64_t* operands, unsigned bits) {
  const FloatOperation operation = unpacked(static_cast<uint32_t>(operands[0]));
  const auto result = compute(operation, operands + 1, bits_of(*call.getArgOperand(1)), bits);
  if (!result || !is_unrounded(operation)) return result;
  llvm::Function& callee = *call.getCalledFunction();
  if (!callee.hasFnAttribute(evaluated_unrounded)) callee.addFnAttr(evaluated_unrounded);
  return result;
}

bool is_known(llvm::Intrinsic::ID intrinsic) {
  return intrinsic == llvm::Intrinsic::ctpop || intrinsic == llvm::Intrinsic::ctlz ||
         intrinsic == llvm::Intrinsic::bitreverse;
}

}  // namespace

bool can_evaluate(const Instruction& instruction) {
  const auto fits = [](const llvm::Value& value) { return bits_of(value) > 0; };
  if (!fits(instruction)) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return is_known(call->getIntrinsicID());
  if (is_float(instruction)) return true;
  for (const llvm::Value* operand : instruction.operand_values()) {
    if (!fits(*operand)) return false;
  }
  switch (instruction.getOpcode()) {
    case Instruction::ICmp:
    case Instruction::Select:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt: return true;
    default: return llvm::isa<llvm::BinaryOperator>(instruction);
  }
}

Evaluation::Evaluation(const Instruction& instruction)
    : instruction_(instruction),
      opcode_(instruction.getOpcode()),
      bits_(bits_of(instruction)),
      operand_bits_(bits_of(*instruction.getOperand(0))) {
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) predicate_ = comparison->getPredicate();
}

std::optional<uint64_t> Evaluation::operator()(const uint64_t* operands) const {
  std::optional<uint64_t> result;
  switch (opcode_) {
    case Instruction::ICmp: result = compare(predicate_, operands[0], operands[1], operand_bits_); break;
    case Instruction::Select: result = operands[0] != 0 ? operands[1] : operands[2]; break;
    case Instruction::Trunc:
    case Instruction::ZExt: result = operands[0]; break;
    case Instruction::SExt: result = static_cast<uint64_t>(signed_value(operands[0], operand_bits_)); break;
    case Instruction::Call:
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction_)) {
        result = count(call->getIntrinsicID(), operands, operand_bits_);
      } else {
        result = compute_floats(llvm::cast<llvm::CallInst>(instruction_), operands, bits_);
      }
      break;
    default: result = arithmetic(opcode_, operands[0], operands[1], bits_);
  }
  if (result) *result &= low_ones(bits_);
  return result;
}

std::optional<uint64_t> evaluate(const Instruction& instruction, const uint64_t* operands) {
  return Evaluation(instruction)(operands);
}

bool has_evaluated_unrounded(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& one) { return one.hasFnAttribute(evaluated_unrounded); });
}

}  // namespace warpspan::lift
