// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison and selection.
#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

namespace {

using Predicate = llvm::CmpInst::Predicate;

Predicate predicate_of(const ir::Semantics& semantics) {
  const bool is_signed = semantics.is_signed;
  switch (semantics.comparison) {
    case ir::Comparison::equal: return Predicate::ICMP_EQ;
    case ir::Comparison::not_equal: return Predicate::ICMP_NE;
    case ir::Comparison::less: return is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT;
    case ir::Comparison::less_or_equal: return is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
    case ir::Comparison::greater: return is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT;
    case ir::Comparison::greater_or_equal: return is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
    default: break;
  }
  return Predicate::BAD_ICMP_PREDICATE;
}

}  // namespace

llvm::Value* Translator::comparison() {
  if (ir::computes_floats(semantics_.computation)) {
    std::vector<llvm::Value*> v;
    return read_numbers(v) ? emitter_.of_floats(float_operation(), 1, v) : nullptr;
  }
  const Predicate predicate = predicate_of(semantics_);
  if (predicate == Predicate::BAD_ICMP_PREDICATE) return nullptr;
  llvm::Value* a = read(sources_[0], bits_);
  llvm::Value* b = read(sources_[1], bits_);
  return a != nullptr && b != nullptr ? emitter_.ir.CreateICmp(predicate, a, b) : nullptr;
}

llvm::Value* Translator::combine(llvm::Value* compared) {
  if (sources_.size() < 3) return compared;
  llvm::Value* with = read(sources_[2], 1);
  if (with == nullptr) return nullptr;
  switch (semantics_.connective) {
    case ir::Connective::conjunction: return emitter_.ir.CreateAnd(compared, with);
    case ir::Connective::disjunction: return emitter_.ir.CreateOr(compared, with);
    case ir::Connective::exclusive: return emitter_.ir.CreateXor(compared, with);
    case ir::Connective::none: break;
  }
  return nullptr;
}

// A second result gets the opposite comparison, combined alike.
bool Translator::compare() {
  llvm::Value* compared = comparison();
  if (compared == nullptr) return false;
  llvm::Value* first = combine(compared);
  llvm::Value* second = results_.size() > 1 ? combine(emitter_.ir.CreateNot(compared)) : nullptr;
  if (first == nullptr) return false;
  write(first);
  if (second != nullptr) write(results_[1], second);
  return true;
}

bool Translator::compare_to_value() {
  llvm::Value* compared = comparison();
  llvm::Value* result = compared == nullptr ? nullptr : combine(compared);
  const unsigned bits = semantics_.result_bits;
  if (result == nullptr || (semantics_.is_floating && bits != 32)) return false;
  constexpr uint64_t one = 0x3f800000;
  llvm::Value* yes = emitter_.constant(bits, semantics_.is_floating ? one : UINT64_MAX);
  write(emitter_.ir.CreateSelect(result, yes, emitter_.constant(bits, 0)));
  return true;
}

bool Translator::select() {
  llvm::Value* yes = read(sources_[0], bits_);
  llvm::Value* no = read(sources_[1], bits_);
  llvm::Value* predicate = read(sources_[2], 1);
  if (yes == nullptr || no == nullptr || predicate == nullptr) return false;
  write(emitter_.ir.CreateSelect(predicate, yes, no));
  return true;
}

bool Translator::select_by_sign() {
  llvm::Value* yes = read(sources_[0], bits_);
  llvm::Value* no = read(sources_[1], bits_);
  llvm::Value* sign = read(sources_[2], 32);
  if (yes == nullptr || no == nullptr || sign == nullptr) return false;
  llvm::Value* negative = emitter_.ir.CreateICmpSLT(sign, emitter_.constant(32, 0));
  write(emitter_.ir.CreateSelect(negative, no, yes));
  return true;
}

}  // namespace warpspan::lift
