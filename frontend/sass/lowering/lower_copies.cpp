// SPDX-License-Identifier: GPL-3.0-or-later
// 64-bit numbers that are moved by halves, and numbers that are moved into registers to address constants.
//
// Two moves of a block that copy both halves of a number copy the number, if in between nothing has written the half
// that was copied first, in either register. Counting writes tells whether that is so.
#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

namespace {

constexpr size_t most_copies = 8;  // one of the other

}  // namespace

bool InstructionLowering::is_current(const Copy& copy) const {
  const StepGuard &own = steps_.guard(), &then = copy.guard;
  if (own.predicate != then.predicate || own.negated != then.negated) return false;
  if (then.predicate != ir::no_register && versions_[then.predicate] != copy.guard_version) return false;
  const Operand& source = copy.source;
  return version(copy.result.register_class, copy.result.first) == copy.result_version &&
         (!source.in_register() || version(source.register_class, source.first) == copy.source_version);
}

// The whole of which the operands are the low and the high half, if they are written as one number.
std::optional<ir::Operand> InstructionLowering::whole_of(const Operand& low, const Operand& high) {
  if (low.kind != high.kind || low.negated || low.inverted || high.negated || high.inverted) return std::nullopt;
  if (low.kind == OperandKind::constant) {
    if (!are_halves(low, high)) return std::nullopt;
    return constant64(low.bank, low.value);
  }
  const bool in_registers = low.kind == OperandKind::registers && low.register_class == high.register_class &&
                            low.first < no_register - 1 && high.first == low.first + 1;
  if (!in_registers || !pairs_.contains(register_of(low.register_class, low.first))) return std::nullopt;
  return pair(low.register_class, low.first);
}

void InstructionLowering::copy(const Operand& result, const Operand& source) {
  const ir::Operand value = read32(source);
  if (result.first == no_register) return;
  const ir::RegisterId reg = register_of(result.register_class, result.first);
  for (const bool is_high : {true, false}) {
    if (is_high && result.first == 0) continue;
    const auto other = copies_.find(is_high ? reg - 1 : reg + 1);
    if (other == copies_.end() || !is_current(other->second)) continue;
    const Operand& half = other->second.source;
    const auto whole = is_high ? whole_of(half, source) : whole_of(source, half);
    if (whole) written_pairs_[is_high ? reg - 1 : reg] = *whole;
  }
  write32(result, value);
  begin_copy(result, source, 0);
}

void InstructionLowering::begin_copy(const Operand& result, const Operand& source, unsigned shift) {
  if (!result.in_register()) return;
  Copy copied{result, source, shift, steps_.guard()};
  if (copied.guard.predicate != ir::no_register) copied.guard_version = versions_[copied.guard.predicate];
  if (source.in_register()) copied.source_version = version(source.register_class, source.first);
  begun_copy_ = copied;
}

void InstructionLowering::note_copy() {
  if (!begun_copy_) return;
  const Operand& result = begun_copy_->result;
  begun_copy_->result_version = version(result.register_class, result.first);
  (begun_copy_->shift == 0 ? copies_ : shifts_)[register_of(result.register_class, result.first)] = *begun_copy_;
  begun_copy_.reset();
}

// Whether the register contains the constant since a move of the block.
bool InstructionLowering::is_copy(const Operand& reg, const Operand& constant) const {
  if (!reg.in_register() || !constant.is_fixed_constant()) return false;
  const auto copied = copies_.find(register_of(reg.register_class, reg.first));
  return copied != copies_.end() && copied->second.guard.predicate == ir::no_register && is_current(copied->second) &&
         copied->second.source == constant;
}

// Whether a low operand was the number in the register, shifted to the left: that register itself, or one is a copy of
// the other.
bool InstructionLowering::is_copy_of(const Carry::Source& low, const Operand& reg, unsigned shift) const {
  if (!low.operand.in_register() || !reg.in_register()) return false;
  const auto are = [](const Operand& operand, uint32_t written, const Operand& other, uint32_t other_written) {
    return operand.in_register() && !operand.negated && !operand.inverted && written == other_written &&
           operand.register_class == other.register_class && operand.first == other.first;
  };
  const uint32_t own = version(reg.register_class, reg.first);
  if (shift == 0 && are(low.operand, low.version, reg, own)) return true;
  const auto is_copy = [&](const Operand& result, uint32_t written, const Operand& source, uint32_t source_written) {
    const auto& known = shift == 0 ? copies_ : shifts_;
    const auto copied = known.find(register_of(result.register_class, result.first));
    if (copied == known.end() || copied->second.guard.predicate != ir::no_register) return false;
    return copied->second.shift == shift && copied->second.result_version == written &&
           are(copied->second.source, copied->second.source_version, source, source_written);
  };
  return is_copy(low.operand, low.version, reg, own) || (shift == 0 && is_copy(reg, own, low.operand, low.version));
}

// Two registers have the same word if both have had nothing else written since they, or what they copy, were copied
// from a third that was not written in between: then they are of one word.
std::optional<InstructionLowering::Word> InstructionLowering::word_of(const Operand& operand) const {
  const auto is_plain = [](const Operand& o) { return !o.negated && !o.inverted && !o.absolute; };
  Word word{operand, operand.in_register() ? version(operand.register_class, operand.first) : 0};
  for (size_t i = 0; i < most_copies && word.operand.in_register() && is_plain(word.operand); ++i) {
    const auto copied = copies_.find(register_of(word.operand.register_class, word.operand.first));
    if (copied == copies_.end() || copied->second.guard.predicate != ir::no_register) break;
    if (copied->second.result_version != word.version) break;
    word = {copied->second.source, copied->second.source_version};
  }
  const bool is_known = word.operand.kind == OperandKind::registers || word.operand.kind == OperandKind::immediate ||
                        word.operand.is_fixed_constant();
  if (!is_known || !is_plain(word.operand)) return std::nullopt;
  return word;
}

std::optional<int64_t> InstructionLowering::number_in(RegisterClass register_class, uint8_t number) const {
  if (number == no_register) return 0;
  const auto copied = copies_.find(register_of(register_class, number));
  if (copied == copies_.end() || copied->second.guard.predicate != ir::no_register) return std::nullopt;
  if (version(register_class, number) != copied->second.result_version) return std::nullopt;
  const Operand& source = copied->second.source;
  if (source.is_fixed_register() && !source.inverted) return 0;
  if (source.kind != OperandKind::immediate) return std::nullopt;
  return static_cast<int64_t>(static_cast<uint32_t>(source.value));
}

}  // namespace warpspan::sass
