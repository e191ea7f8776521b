// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic. All of it wraps; nothing is marked nsw or nuw.
#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

using ir::Computation;

bool Translator::add_or_subtract() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v) || v.size() != 2) return false;
  const bool adds = semantics_.computation == Computation::add;
  write(adds ? emitter_.ir.CreateAdd(v[0], v[1]) : emitter_.ir.CreateSub(v[0], v[1]));
  return true;
}

// The part of a product that is asked for.
llvm::Value* Translator::product(llvm::Value* a, llvm::Value* b) {
  if (semantics_.computation == Computation::multiply_low) return emitter_.ir.CreateMul(a, b);
  llvm::Value* wide = emitter_.ir.CreateMul(emitter_.resize(a, 2 * bits_, semantics_.is_signed),
                                            emitter_.resize(b, 2 * bits_, semantics_.is_signed));
  if (semantics_.computation == Computation::multiply_wide) return wide;
  return emitter_.ir.CreateTrunc(emitter_.ir.CreateLShr(wide, bits_), emitter_.type(bits_));
}

bool Translator::multiply() {
  const bool is_wide = semantics_.computation == Computation::multiply_wide;
  llvm::Value* a = read(sources_[0], bits_);
  llvm::Value* b = read(sources_[1], bits_);
  if (a == nullptr || b == nullptr) return false;
  llvm::Value* result = product(a, b);
  if (sources_.size() > 2) {
    llvm::Value* addend = read(sources_[2], is_wide ? 2 * bits_ : bits_);
    if (addend == nullptr) return false;
    result = emitter_.ir.CreateAdd(result, addend);
  }
  write(result);
  return true;
}

bool Translator::multiply24() {
  std::vector<llvm::Value*> v;
  if (!read_sources(32, v)) return false;
  auto& ir = emitter_.ir;
  for (size_t i = 0; i < 2; ++i) {
    v[i] = emitter_.resize(ir.CreateTrunc(v[i], emitter_.type(24)), 64, semantics_.is_signed);
  }
  const bool high = semantics_.computation == Computation::multiply24_high;
  llvm::Value* wide = ir.CreateMul(v[0], v[1]);
  llvm::Value* result = ir.CreateTrunc(high ? ir.CreateLShr(wide, 16) : wide, emitter_.type(32));
  if (v.size() > 2) result = ir.CreateAdd(result, v[2]);
  write(result);
  return true;
}

bool Translator::absolute_difference() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v) || v.size() != 3) return false;
  auto& ir = emitter_.ir;
  llvm::Value* less = semantics_.is_signed ? ir.CreateICmpSLT(v[0], v[1]) : ir.CreateICmpULT(v[0], v[1]);
  llvm::Value* difference = ir.CreateSelect(less, ir.CreateSub(v[1], v[0]), ir.CreateSub(v[0], v[1]));
  write(ir.CreateAdd(difference, v[2]));
  return true;
}

// The result of a division by zero is not specified, nor is that of the least number by -1: LLVM must not conclude that
// they do not happen, so there the divisor is replaced and the result unknown.
bool Translator::divide() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v) || v.size() != 2) return false;
  auto& ir = emitter_.ir;
  llvm::Value* undefined = ir.CreateICmpEQ(v[1], emitter_.constant(bits_, 0));
  if (semantics_.is_signed) {
    llvm::Value* least = emitter_.constant(bits_, uint64_t{1} << (bits_ - 1));
    llvm::Value* overflows =
        ir.CreateAnd(ir.CreateICmpEQ(v[1], emitter_.constant(bits_, UINT64_MAX)), ir.CreateICmpEQ(v[0], least));
    undefined = ir.CreateOr(undefined, overflows);
  }
  llvm::Value* divisor = ir.CreateSelect(undefined, emitter_.constant(bits_, 1), v[1]);
  const bool divides = semantics_.computation == Computation::divide;
  llvm::Value* result = nullptr;
  if (semantics_.is_signed) {
    result = divides ? ir.CreateSDiv(v[0], divisor) : ir.CreateSRem(v[0], divisor);
  } else {
    result = divides ? ir.CreateUDiv(v[0], divisor) : ir.CreateURem(v[0], divisor);
  }
  write(ir.CreateSelect(undefined, emitter_.pure(bits_, v), result));
  return true;
}

bool Translator::absolute_or_negate() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v)) return false;
  auto& ir = emitter_.ir;
  llvm::Value* zero = emitter_.constant(bits_, 0);
  llvm::Value* negative = ir.CreateSub(zero, v[0]);
  const bool negates = semantics_.computation == Computation::negate;
  write(negates ? negative : ir.CreateSelect(ir.CreateICmpSLT(v[0], zero), negative, v[0]));
  return true;
}

bool Translator::minimum_or_maximum() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v) || v.size() != 2) return false;
  auto& ir = emitter_.ir;
  llvm::Value* less = semantics_.is_signed ? ir.CreateICmpSLT(v[0], v[1]) : ir.CreateICmpULT(v[0], v[1]);
  const bool minimum = semantics_.computation == Computation::minimum;
  write(minimum ? ir.CreateSelect(less, v[0], v[1]) : ir.CreateSelect(less, v[1], v[0]));
  return true;
}

}  // namespace warpspan::lift
