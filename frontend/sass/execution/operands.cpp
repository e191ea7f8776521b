// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/operands.hpp"

namespace warpspan::execution {

using sass::OperandKind;
using sass::RegisterClass;

void Registers::clear() {
  for (size_t i = 0; i < general.size(); ++i) {
    if (written[i]) general[i].lane.fill(0);
  }
  written.reset();
  uniform.fill(0);
  predicates.fill(0);
  uniform_predicates.fill(false);
}

const Bank* Operands::bank(uint32_t number) const {
  const auto found = banks_.find(number);
  return found == banks_.end() ? nullptr : &found->second;
}

const Words& Operands::bare(size_t index, unsigned further) {
  if (const Words* fixed = further == 0 ? ready_->fixed[index] : ready_->fixed_high[index]) return *fixed;
  const sass::Operand& from = operand(index);
  Words& made = words_[index];
  if (from.kind != OperandKind::registers) {  // no value
    refuse();
    made.lane.fill(0);
    return made;
  }
  const unsigned number = (from.first + further) & 0xff;
  if (from.register_class != RegisterClass::uniform) return registers_.general[number];
  made.lane.fill(registers_.uniform[number]);
  return made;
}

const Words& Operands::word(size_t index) {
  const Words& value = bare(index);
  const sass::Operand& from = operand(index);
  if (!from.inverted && !from.negated) return value;
  Words& made = words_[index];
  const uint32_t minus = from.inverted ? 0 : 1;
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = ~value[i] + minus;
  return made;
}

const Longs& Operands::addend(size_t index) {
  const Words& value = bare(index);
  const sass::Operand& from = operand(index);
  Longs& made = longs_[index];
  const uint32_t inverse = from.inverted || from.negated ? UINT32_MAX : 0;
  const uint64_t more = from.negated && !from.inverted ? 1 : 0;
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = (value[i] ^ inverse) + more;
  return made;
}

const Longs& Operands::bare_pair(size_t index, bool floating) {
  const sass::Operand& from = operand(index);
  Longs& made = longs_[index];
  if (from.kind == OperandKind::immediate) {
    made.lane.fill(static_cast<uint64_t>(from.value) << (floating ? 32 : 0));
    return made;
  }
  const Words& low = bare(index);
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = low[i];
  const Words& high = bare(index, 1);
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] |= uint64_t{high[i]} << 32;
  return made;
}

const Longs& Operands::pair(size_t index) {
  bare_pair(index, false);
  const sass::Operand& from = operand(index);
  Longs& made = longs_[index];
  if (!from.inverted && !from.negated) return made;
  const uint64_t minus = from.inverted ? 0 : 1;
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = ~made[i] + minus;
  return made;
}

const Words& Operands::real(size_t index) {
  const Words& value = bare(index);
  const sass::Operand& from = operand(index);
  if (!from.absolute && !from.negated) return value;
  Words& made = words_[index];
  const uint32_t kept = from.absolute ? INT32_MAX : UINT32_MAX, minus = from.negated ? uint32_t{1} << 31 : 0;
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = (value[i] & kept) ^ minus;
  return made;
}

const Longs& Operands::long_real(size_t index) {
  bare_pair(index, true);
  const sass::Operand& from = operand(index);
  Longs& made = longs_[index];
  if (!from.absolute && !from.negated) return made;
  const uint64_t kept = from.absolute ? INT64_MAX : UINT64_MAX, minus = from.negated ? uint64_t{1} << 63 : 0;
  for (unsigned i = 0; i < warp_lanes; ++i) made[i] = (made[i] & kept) ^ minus;
  return made;
}

LaneSet Operands::flag(size_t index) const {
  const sass::Operand& from = operand(index);
  LaneSet value = all_lanes;
  if (from.first != sass::no_register) {
    value = from.register_class == RegisterClass::uniform_predicate
                ? (registers_.uniform_predicates[from.first] ? all_lanes : 0)
                : registers_.predicates[from.first];
  }
  return from.negated ? ~value : value;
}

void Operands::set(size_t index, const Words& values, unsigned further) {
  const sass::Operand& to = operand(index);
  const unsigned number = to.first + further;
  if (to.first == sass::no_register || number >= sass::no_register) return;
  if (to.register_class == RegisterClass::uniform) {
    registers_.uniform[number] = values[first_lane(lanes_)];
    return;
  }
  registers_.written[number] = true;
  Words& row = registers_.general[number];
  if (lanes_ == all_lanes)
    row = values;
  else
    for_each_lane(lanes_, [&](unsigned i) { row[i] = values[i]; });
}

void Operands::set_pair(size_t index, const Longs& values) {
  Words half;
  for (unsigned i = 0; i < warp_lanes; ++i) half[i] = static_cast<uint32_t>(values[i]);
  set(index, half);
  for (unsigned i = 0; i < warp_lanes; ++i) half[i] = static_cast<uint32_t>(values[i] >> 32);
  set(index, half, 1);
}

void Operands::set_flag(size_t index, LaneSet values) {
  const sass::Operand& to = operand(index);
  if (to.first == sass::no_register) return;
  if (to.register_class == RegisterClass::uniform_predicate)
    registers_.uniform_predicates[to.first] = (values >> first_lane(lanes_) & 1) != 0;
  else
    set_predicate(to.first, values);
}

}  // namespace warpspan::execution
