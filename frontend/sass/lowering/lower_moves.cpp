// SPDX-License-Identifier: GPL-3.0-or-later
// Moves, selections, special registers, predicates, and what all lanes of a warp get jointly.
#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

using ir::Computation;

namespace {

constexpr unsigned all_lanes = 15;       // of the modifier `lanes`
constexpr uint8_t predicates_saved = 7;  // all but PT

// Numbers of special_registers.def. A block that is in no cluster is the first of its own.
std::optional<ir::Operand> special_value(int64_t value, bool in_clusters) {
  switch (value) {
    case 0: return special(ir::SpecialValue::lane);
    case 33:
    case 34:
    case 35: return special(ir::SpecialValue::thread_index, static_cast<uint8_t>(value - 32));
    case 37:
    case 38:
    case 39: return special(ir::SpecialValue::block_index, static_cast<uint8_t>(value - 36));
    case 47: return special(ir::SpecialValue::shared_half);
    case 136:
      return in_clusters ? special(ir::SpecialValue::warp_uniform) : number(0);  // the block's in its cluster
    // The multiprocessor, and how many blocks the cluster has.
    case 67:
    case 138: return special(ir::SpecialValue::warp_uniform);
    case 255: return number(0);
    default: return std::nullopt;
  }
}

// Of three predicates that which a look-up table copies, by what PT and !PT among them are: instructions guarded by it
// and by the copy have one guard. Null if there is none.
const ir::Operand* copied_source(const std::vector<ir::Operand>& sources, unsigned lut) {
  const auto is_fixed = [](const ir::Operand& source) { return source.kind == ir::Operand::Kind::integer; };
  for (unsigned s = 0; s < 3; ++s) {
    bool is_copy = !is_fixed(sources[s]);
    for (unsigned row = 0; row < 8; ++row) {
      const auto bit = [row](unsigned source) { return (row >> (2 - source) & 1) != 0; };
      bool is_possible = true;
      for (unsigned i = 0; i < 3; ++i) {
        is_possible = is_possible && (!is_fixed(sources[i]) || bit(i) == (sources[i].value != 0));
      }
      is_copy = is_copy && (!is_possible || ((lut >> row & 1) != 0) == bit(s));
    }
    if (is_copy) return &sources[s];
  }
  return nullptr;
}

}  // namespace

bool InstructionLowering::move(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.mnemonic() == "R2UR") {  // of one lane
    if (operands[0].first != no_register) return false;
    const bool is_equal = operands[2].is_fixed_register() || equal_in_lanes_.contains(operands[2].first);
    if (is_equal) {
      write32(operands[1], read32(operands[2]));
    } else if (operands[1].first != no_register) {
      ir::Operation operation;
      operation.semantics = pure(Computation::unknown, 32);
      operation.facts.of_one_lane = true;
      steps_.add_step(std::move(operation), {read32(operands[2])},
                      {value_of(register_of(operands[1].register_class, operands[1].first))});
    }
    return true;
  }
  if (instruction.modifier(Modifier::lanes).value_or(all_lanes) != all_lanes) return false;
  if (!instruction.has(Modifier::wide) && operands[0].count < 2) {
    copy(operands[0], operands[1]);
    return true;
  }
  return move_wide(instruction);
}

bool InstructionLowering::move_wide(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto value = read64(operands[1]);
  if (!value) return false;
  write64(operands[0], *value);
  return true;
}

bool InstructionLowering::special_register(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto value = special_value(operands[1].value, code_.launch_bounds.clusters);
  if (operands[1].value == first_clock) {  // CLOCKLO, alone or with CLOCKHI; read once
    const bool is_wide = operands[0].count == 2;
    const uint16_t bits = is_wide ? 64 : 32;
    const auto counter = special(is_wide ? ir::SpecialValue::cycles64 : ir::SpecialValue::cycles32);
    const ir::Operand read = steps_.compute(pure(Computation::copy, bits), bits, {counter});
    is_wide ? write64(operands[0], read) : write32(operands[0], read);
    return true;
  }
  const bool is_timer = operands[1].value > first_clock && operands[1].value <= last_clock;
  if (!value && (operands[0].register_class == RegisterClass::uniform || is_timer)) return warp_value(instruction);
  if (!value) {
    ir::Operation operation;
    operation.semantics.computation = Computation::unknown;
    std::vector<ir::Operand> results;
    for (const ir::RegisterId reg : registers_of(writes(instruction))) results.push_back(value_of(reg));
    steps_.add_step(std::move(operation), {special(ir::SpecialValue::unknown)}, results);
    return true;
  }
  if (operands[0].count == 2) {
    write64(operands[0], steps_.combine(*value, number(0)));
  } else {
    write32(operands[0], *value);
  }
  return true;
}

bool InstructionLowering::select(const Instruction& instruction) {
  const auto operands = instruction.operands();
  write32(operands[0], steps_.compute(pure(Computation::select, 32), 32,
                                      {read32(operands[1]), read32(operands[2]), predicate(operands[3])}));
  return true;
}

bool InstructionLowering::select_wide(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto a = read64(operands[1]), b = read64(operands[2]);
  if (!a || !b) return false;
  write64(operands[0], steps_.compute(pure(Computation::select, 64), 64, {*a, *b, predicate(operands[3])}));
  return true;
}

// 0 * 0 + c, by which ptxas moves numbers.
bool InstructionLowering::half_sum(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (!operands[1].is_fixed_register() || !operands[2].is_fixed_register() ||
      operands[3].kind != OperandKind::immediate)
    return false;
  write32(operands[0], read32(operands[3]));
  return true;
}

// The bytes from some number on with their sign, as PRMT selects them: a digit with bit 3 is the sign of a byte.
std::optional<ir::Operand> InstructionLowering::sign_extension(int64_t selector, const ir::Operand& a,
                                                               const ir::Operand& c) {
  const auto digit = [selector](unsigned i) { return static_cast<unsigned>(selector >> (4 * i)) & 15; };
  unsigned bytes = 1;  // that are taken
  while (bytes < 4 && digit(bytes) == digit(0) + bytes && digit(bytes) % 4 == digit(0) % 4 + bytes) ++bytes;
  const unsigned last = digit(bytes - 1);
  if (bytes == 4 || (digit(0) & 8) != 0 || (last & 8) != 0) return std::nullopt;
  for (unsigned i = bytes; i < 4; ++i) {
    if (digit(i) != (last | 8)) return std::nullopt;
  }
  const ir::Operand& source = (last & 4) == 0 ? a : c;
  const int64_t above = 8 * (3 - last % 4);
  const ir::Operand up =
      above == 0 ? source : steps_.compute(pure(Computation::shift_left, 32), 32, {source, number(above)});
  return steps_.compute(pure(Computation::shift_right, 32, true), 32, {up, number(int64_t{8} * (4 - bytes))});
}

// Each byte of the result is one of the eight of (c:a), by a digit of the selector, the lowest first.
bool InstructionLowering::permute(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& selector = operands[2];
  if (selector.kind != OperandKind::immediate || instruction.has(Modifier::permute)) return false;
  const ir::Operand a = read32(operands[1]), c = read32(operands[3]);
  if (const auto extended = sign_extension(selector.value, a, c)) {
    write32(operands[0], *extended);
    return true;
  }
  ir::Operand result = number(0);
  const auto combine = [&](const ir::Operand& field) {
    const bool nothing = result.kind == ir::Operand::Kind::integer && result.value == 0;
    result = nothing ? field : steps_.compute(pure(Computation::bit_or, 32), 32, {result, field});
  };
  // Bytes that stay where they are in their source are taken with one mask.
  for (const bool of_a : {true, false}) {
    int64_t mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto digit = static_cast<unsigned>(selector.value >> (4 * i)) & 15;
      if ((digit & 8) != 0) return false;  // the byte's sign
      if (((digit & 4) == 0) == of_a && (digit & 3) == i) mask |= int64_t{255} << (8 * i);
    }
    const ir::Operand& source = of_a ? a : c;
    const bool zero = source.kind == ir::Operand::Kind::integer && source.value == 0;
    if (mask != 0 && !zero) combine(steps_.compute(pure(Computation::bit_and, 32), 32, {source, number(mask)}));
  }
  for (unsigned i = 0; i < 4; ++i) {
    const auto digit = static_cast<unsigned>(selector.value >> (4 * i)) & 15;
    const ir::Operand& source = (digit & 4) == 0 ? a : c;
    const bool zero = source.kind == ir::Operand::Kind::integer && source.value == 0;
    if ((digit & 3) == i || zero) continue;
    const ir::Operand down = steps_.compute(pure(Computation::shift_right, 32), 32, {source, number((digit & 3) * 8)});
    const ir::Operand byte = steps_.compute(pure(Computation::bit_and, 32), 32, {down, number(255)});
    combine(steps_.compute(pure(Computation::shift_left, 32), 32, {byte, number(i * 8)}));
  }
  write32(operands[0], result);
  return true;
}

// VOTE of PT gives the lanes that execute it: the same ones in all of a block, as they diverge and reconverge only
// where blocks end.
bool InstructionLowering::executing_lanes(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& asked = operands.back();
  if (!instruction.guard.always() || !asked.is_predicate() || asked.first != no_register || asked.negated) return false;
  if (!executing_)
    executing_ = steps_.compute(pure(Computation::copy, 32), 32, {special(ir::SpecialValue::warp_uniform)});
  for (const Operand& result : operands) {
    if (result.role == Role::read || result.first == no_register) continue;
    if (result.is_predicate()) return false;
    write32(result, *executing_);
  }
  return true;
}

// Votes and reductions: the same for all lanes that execute them jointly.
bool InstructionLowering::warp_value(const Instruction& instruction) {
  if (instruction.mnemonic().starts_with("VOTE") && executing_lanes(instruction)) return true;
  const auto asked = asked_in_vote(instruction);
  for (const ir::RegisterId reg : registers_of(writes(instruction))) {
    const ir::Operand value =
        steps_.compute(pure(Computation::copy, bits_of(reg)), bits_of(reg), {special(ir::SpecialValue::warp_uniform)});
    steps_.set(reg, value);
    if (!asked || bits_of(reg) != 1) continue;
    ir::Operation operation;
    operation.facts.votes = true;
    steps_.add_step(std::move(operation), {value, *asked}, {});
  }
  return true;
}

// Of a vote of all, 0, or of any, 1: the condition, as the result may be written over it.
std::optional<ir::Operand> InstructionLowering::asked_in_vote(const Instruction& instruction) {
  const Operand& asked = instruction.operands().back();
  const bool asks = instruction.mnemonic().starts_with("VOTE") && asked.is_predicate() && asked.role == Role::read;
  if (!asks || instruction.modifier(Modifier::vote).value_or(2) > 1) return std::nullopt;
  return steps_.compute(pure(Computation::copy, 1), 1, {predicate(asked)});
}

// Whom it chooses is not followed, but that it is executed.
bool InstructionLowering::elect(const Instruction& instruction) {
  ir::Operation operation;
  operation.facts.elects = true;
  steps_.add_step(std::move(operation), {}, {});
  write_unknown(instruction, false);
  return true;
}

// Both results of three predicates by a table each.
bool InstructionLowering::predicates(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const std::vector<ir::Operand> sources = {predicate(operands[2]), predicate(operands[3]), predicate(operands[4])};
  const auto result = [&](const Operand& written, std::optional<unsigned> lut) {
    if (written.first == no_register) return number(0);
    if (const ir::Operand* same = copied_source(sources, lut.value_or(0))) {
      return steps_.compute(pure(Computation::copy, 1), 1, {*same});
    }
    std::vector<ir::Operand> all = sources;
    all.push_back(number(static_cast<int64_t>(lut.value_or(0))));
    return steps_.compute(pure(Computation::bit_table, 1), 1, all);
  };
  const ir::Operand first = result(operands[0], instruction.modifier(Modifier::lut));
  const ir::Operand second = result(operands[1], instruction.modifier(Modifier::second_lut));
  write_predicate(operands[0], first);
  write_predicate(operands[1], second);
  return true;
}

// P2R: bit n of the result is predicate n, if bit n of the mask is set.
bool InstructionLowering::predicates_to_register(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (operands[2].first != no_register || instruction.has(Modifier::byte)) return false;
  ir::Operand result = number(0);
  for (uint8_t n = 0; n < predicates_saved; ++n) {
    if ((operands[3].value >> n & 1) == 0) continue;
    const ir::Operand bit = steps_.compute(pure(Computation::select, 32), 32,
                                           {number(int64_t{1} << n), number(0), value_of(first_predicate + n)});
    result = steps_.compute(pure(Computation::bit_or, 32), 32, {result, bit});
  }
  write32(operands[0], result);
  return true;
}

// R2P: the opposite, of a byte of the register.
bool InstructionLowering::register_to_predicates(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const unsigned first = 8 * instruction.modifier(Modifier::byte).value_or(0);
  const ir::Operand value = read32(operands[1]);
  ir::Semantics differs = pure(Computation::compare, 32);
  differs.comparison = ir::Comparison::not_equal;
  for (uint8_t n = 0; n < predicates_saved; ++n) {
    if ((operands[2].value >> n & 1) == 0) continue;
    const ir::Operand bit =
        steps_.compute(pure(Computation::bit_and, 32), 32, {value, number(int64_t{1} << (first + n))});
    steps_.set(first_predicate + n, steps_.compute(differs, 1, {bit, number(0)}));
  }
  return true;
}

}  // namespace warpspan::sass
