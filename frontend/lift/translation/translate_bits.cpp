// SPDX-License-Identifier: GPL-3.0-or-later
// Logic, shifts and bit fields.
#include <llvm/IR/Intrinsics.h>

#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

namespace {

using ir::Computation;
using Kind = ir::Operand::Kind;

constexpr uint64_t ones(unsigned count) { return count >= 64 ? UINT64_MAX : (uint64_t{1} << count) - 1; }

// A function of two inputs by its truth table: bit 2a+b is the result for inputs a and b.
llvm::Value* table2(Emitter& emitter, unsigned table, llvm::Value* a, llvm::Value* b) {
  auto& ir = emitter.ir;
  if ((table & 8) != 0) return ir.CreateNot(table2(emitter, ~table & 15, a, b));
  switch (table & 7) {
    case 0: return emitter.constant(a->getType()->getIntegerBitWidth(), 0);
    case 1: return ir.CreateAnd(ir.CreateNot(a), ir.CreateNot(b));
    case 2: return ir.CreateAnd(ir.CreateNot(a), b);
    case 3: return ir.CreateNot(a);
    case 4: return ir.CreateAnd(a, ir.CreateNot(b));
    case 5: return ir.CreateNot(b);
    case 6: return ir.CreateXor(a, b);
    default: return ir.CreateNot(ir.CreateAnd(a, b));
  }
}

}  // namespace

bool Translator::logic() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v) || v.size() != 2) return false;
  auto& ir = emitter_.ir;
  write(semantics_.computation == Computation::bit_and  ? ir.CreateAnd(v[0], v[1])
        : semantics_.computation == Computation::bit_or ? ir.CreateOr(v[0], v[1])
                                                        : ir.CreateXor(v[0], v[1]));
  return true;
}

bool Translator::complement() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v)) return false;
  auto& ir = emitter_.ir;
  if (semantics_.computation == Computation::bit_not) {
    write(ir.CreateNot(v[0]));
  } else {
    write(emitter_.resize(ir.CreateICmpEQ(v[0], emitter_.constant(bits_, 0)), bits_, false));
  }
  return true;
}

// Where the table is a constant.
bool Translator::table_logic() {
  if (sources_.size() != 4) return false;
  const ir::Operand& table = sources_[3];
  llvm::Value* a = read(sources_[0], bits_);
  llvm::Value* b = read(sources_[1], bits_);
  llvm::Value* c = read(sources_[2], bits_);
  if (table.kind != Kind::integer || a == nullptr || b == nullptr || c == nullptr) return false;
  auto& ir = emitter_.ir;
  const auto where_set = static_cast<unsigned>(table.value >> 4) & 15;
  const auto where_clear = static_cast<unsigned>(table.value) & 15;
  llvm::Value* set = table2(emitter_, where_set, b, c);
  llvm::Value* clear = table2(emitter_, where_clear, b, c);
  llvm::Value* result = nullptr;
  if (where_set == where_clear) {
    result = set;
  } else if (where_set == (~where_clear & 15)) {
    result = ir.CreateXor(a, clear);
  } else if (where_clear == 0) {
    result = ir.CreateAnd(a, set);
  } else if (where_set == 15) {
    result = ir.CreateOr(a, clear);
  } else {
    result = ir.CreateOr(ir.CreateAnd(a, set), ir.CreateAnd(ir.CreateNot(a), clear));
  }
  write(result);
  return true;
}

// Amounts beyond the width count as the width, where LLVM's shifts would be undefined.
bool Translator::shift() {
  llvm::Value* value = read(sources_[0], bits_);
  llvm::Value* amount = read(sources_[1], 32);
  if (value == nullptr || amount == nullptr) return false;
  auto& ir = emitter_.ir;
  llvm::Value* inside = ir.CreateICmpULT(amount, emitter_.constant(32, bits_));
  llvm::Value* masked = emitter_.resize(ir.CreateAnd(amount, emitter_.constant(32, bits_ - 1)), bits_, false);
  llvm::Value* shifted = nullptr;
  llvm::Value* beyond = emitter_.constant(bits_, 0);
  if (semantics_.computation == Computation::shift_left) {
    shifted = ir.CreateShl(value, masked);
  } else if (semantics_.is_signed) {
    shifted = ir.CreateAShr(value, masked);
    beyond = ir.CreateAShr(value, bits_ - 1);
  } else {
    shifted = ir.CreateLShr(value, masked);
  }
  write(ir.CreateSelect(inside, shifted, beyond));
  return true;
}

// Only words of 32 bits.
bool Translator::funnel_shift() {
  std::vector<llvm::Value*> v;
  if (bits_ != 32 || !read_sources(32, v) || v.size() != 3) return false;
  auto& ir = emitter_.ir;
  llvm::Value* most = emitter_.constant(32, 32);
  llvm::Value* amount = semantics_.wraps ? ir.CreateAnd(v[2], emitter_.constant(32, 31))
                                         : ir.CreateSelect(ir.CreateICmpULT(v[2], most), v[2], most);
  amount = emitter_.resize(amount, 64, false);
  llvm::Value* both = ir.CreateOr(ir.CreateShl(emitter_.resize(v[1], 64, false), 32), emitter_.resize(v[0], 64, false));
  const bool left = semantics_.computation == Computation::funnel_shift_left;
  llvm::Value* result = left ? ir.CreateLShr(ir.CreateShl(both, amount), 32) : ir.CreateLShr(both, amount);
  write(emitter_.resize(result, 32, false));
  return true;
}

// Fields whose position and length are constants inside the word.
bool Translator::extract_field() {
  const ir::Operand& first = sources_[1];
  const ir::Operand& count = sources_[2];
  llvm::Value* value = read(sources_[0], bits_);
  if (value == nullptr || first.kind != Kind::integer || count.kind != Kind::integer) return false;
  const auto position = static_cast<unsigned>(first.value & 255);
  const auto length = static_cast<unsigned>(count.value & 255);
  if (length == 0 || position + length > bits_) return false;
  auto& ir = emitter_.ir;
  llvm::Value* top = ir.CreateShl(value, bits_ - position - length);
  write(semantics_.is_signed ? ir.CreateAShr(top, bits_ - length) : ir.CreateLShr(top, bits_ - length));
  return true;
}

bool Translator::insert_field() {
  const ir::Operand& first = sources_[2];
  const ir::Operand& count = sources_[3];
  llvm::Value* field = read(sources_[0], bits_);
  llvm::Value* word = read(sources_[1], bits_);
  if (field == nullptr || word == nullptr || first.kind != Kind::integer || count.kind != Kind::integer) return false;
  const auto position = static_cast<unsigned>(first.value & 255);
  const auto length = static_cast<unsigned>(count.value & 255);
  if (length == 0 || position + length > bits_) return false;
  auto& ir = emitter_.ir;
  const uint64_t mask = ones(length) << position;
  llvm::Value* placed = ir.CreateAnd(ir.CreateShl(field, position), emitter_.constant(bits_, mask));
  write(ir.CreateOr(placed, ir.CreateAnd(word, emitter_.constant(bits_, ~mask))));
  return true;
}

bool Translator::count_bits() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v)) return false;
  auto& ir = emitter_.ir;
  if (semantics_.computation == Computation::reverse_bits) {
    write(ir.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, v[0]));
  } else if (semantics_.computation == Computation::count_ones) {
    write(emitter_.resize(ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v[0]), 32, false));
  } else {
    write(emitter_.resize(ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, v[0], ir.getFalse()), 32, false));
  }
  return true;
}

bool Translator::find_highest_bit() {
  std::vector<llvm::Value*> v;
  if (!read_sources(bits_, v)) return false;
  auto& ir = emitter_.ir;
  llvm::Value* value = semantics_.is_signed ? ir.CreateXor(v[0], ir.CreateAShr(v[0], bits_ - 1)) : v[0];
  llvm::Value* zeros =
      emitter_.resize(ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, ir.getFalse()), 32, false);
  llvm::Value* number = semantics_.from_top ? zeros : ir.CreateSub(emitter_.constant(32, bits_ - 1), zeros);
  llvm::Value* is_none = ir.CreateICmpEQ(value, emitter_.constant(bits_, 0));
  write(ir.CreateSelect(is_none, emitter_.constant(32, UINT32_MAX), number));
  return true;
}

}  // namespace warpspan::lift
