// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/machine_details.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operation_kind.hpp"

namespace warpspan::sass {

namespace {

using ir::ExecutionUnit;
using Effect = ir::MachineDetail::Effect;

constexpr unsigned bits_64 = 3;  // of the modifiers of sizes

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

ExecutionUnit multiplier_of(std::string_view name) {
  if (is_one_of(name, {"IMAD.WIDE", "IMAD.HI"})) return ExecutionUnit::wide_multiply;
  return name.starts_with("I") ? ExecutionUnit::multiply : ExecutionUnit::single_precision;
}

ExecutionUnit special_unit_of(const Instruction& instruction) {
  if (!is_one_of(instruction.mnemonic(), {"F2F", "F2I", "I2F", "FRND"})) return ExecutionUnit::special;
  const bool wide = instruction.modifier(Modifier::source_size) == bits_64;
  return wide ? ExecutionUnit::wide_conversion : ExecutionUnit::conversion;
}

ExecutionUnit memory_unit_of(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (name == "MATCH") return instruction.has(Modifier::any) ? ExecutionUnit::match_any : ExecutionUnit::match_all;
  return name == "SHFL" ? ExecutionUnit::shuffle : ExecutionUnit::memory;
}

ExecutionUnit unit_of(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (name == "S2UR") return ExecutionUnit::uniform;  // where what S2R would bring goes
  switch (instruction.opcode->unit) {
    case Unit::alu: return name == "REDUX" || name == "CREDUX" ? ExecutionUnit::warp_reduction : ExecutionUnit::integer;
    case Unit::fma: return multiplier_of(name);
    case Unit::half:  // comparisons and choices are made where those of integers are
      return is_one_of(name, {"HMNMX2", "HSET2", "HSETP2"}) ? ExecutionUnit::integer : ExecutionUnit::half_precision;
    case Unit::fp64: return ExecutionUnit::double_precision;
    case Unit::special: return special_unit_of(instruction);
    case Unit::tensor:
      if (columns_multiplied(instruction) > 0) return ExecutionUnit::group_matrix;
      return name == "DMMA" ? ExecutionUnit::double_matrix : ExecutionUnit::matrix;
    case Unit::uniform: return ExecutionUnit::uniform;
    case Unit::constant: return name == "LDC" ? ExecutionUnit::constant : ExecutionUnit::uniform_constant;
    case Unit::load_store:
    case Unit::texture: return memory_unit_of(instruction);
    case Unit::async_copy:
    case Unit::tensor_memory:
    case Unit::barrier:
    case Unit::control:
    case Unit::dispatch: return ExecutionUnit::none;
  }
  return ExecutionUnit::none;
}

// Which group of products it ends, observed in words that nvdisasm prints: seven, none.
bool ends_group(const Instruction& instruction) {
  constexpr uint64_t none = 7;
  return columns_multiplied(instruction) > 0 && field(instruction.word, 84, 3) != none;
}

// WARPGROUP.DEPBAR, likewise: how many groups may be left; nothing of its other forms.
std::optional<uint8_t> groups_left(const Instruction& instruction) {
  constexpr int64_t waits = 0x8000, most = 0xff;
  const int64_t value = instruction.operands().empty() ? 0 : instruction.operands().front().value;
  if (instruction.mnemonic() != "WARPGROUP" || (value & waits) == 0) return std::nullopt;
  return static_cast<uint8_t>(value & most);
}

Effect effect_of(const Instruction& instruction) {
  constexpr unsigned device_scope = 2, system_scope = 3;
  const std::string_view name = instruction.mnemonic();
  const unsigned scope = instruction.modifier(Modifier::scope).value_or(0);
  if (name == "MEMBAR" && scope == system_scope) return Effect::system_fence;
  if (name == "MEMBAR" && scope >= device_scope) return Effect::device_fence;
  if (name == "CCTL" && !is_of_whole_cache(instruction)) return Effect::none;
  if (is_one_of(name, {"MEMBAR", "FENCE", "ERRBAR", "CGAERRBAR", "CCTL", "CCTLL"})) return Effect::block_fence;
  if (name == "LDGDEPBAR") return Effect::commits_copies;
  if (name == "UTMACMDFLUSH") return Effect::commits_bulk_copies;
  if (ends_group(instruction)) return Effect::commits_products;
  if (groups_left(instruction)) return Effect::awaits_products;
  if (name == "DEPBAR") return Effect::awaits_copies;
  if (name == "BSYNC") return Effect::joins;
  return is_one_of(name, {"CALL.REL", "CALL.ABS", "RET", "BRX", "BRXU"}) ? Effect::leaves : Effect::none;
}

// RED.INC and RED.DEC; ATOM does not take longer for it, even where its result goes nowhere.
bool counts_to_limit(const Instruction& instruction) {
  constexpr unsigned up = 3, down = 4;
  const auto operation = instruction.modifier(Modifier::atomic_operation);
  return instruction.mnemonic().starts_with("RED") && (operation == up || operation == down);
}

// ATOMS.CAST.
bool is_repeated_swap(const Instruction& instruction) {
  constexpr unsigned tells = 87;
  return instruction.mnemonic().starts_with("ATOMS.CAS") && bit(instruction.word, tells);
}

// STRONG.GPU, STRONG.SYS and MMIO; what STRONG.SM sees is in the L1.
bool is_past_l1(const Instruction& instruction) {
  constexpr unsigned strong_of_block = 5;
  return instruction.modifier(Modifier::ordering).value_or(0) > strong_of_block;
}

ir::MachineDetail detail_of(const Instruction& instruction) {
  constexpr int bits_of_offset = 32;
  ir::MachineDetail detail;
  if (!instruction.known()) return detail;
  detail.unit = unit_of(instruction);
  detail.effect = effect_of(instruction);
  detail.floating_point = is_atomic_on_floats(instruction);
  detail.wraps = counts_to_limit(instruction);
  detail.repeated_swap = is_repeated_swap(instruction);
  detail.past_l1 = is_past_l1(instruction);
  const auto operands = instruction.operands();
  for (const Operand& operand : operands) {
    if (operand.kind == OperandKind::constant && operand.is_fixed_constant()) {
      detail.constant = (int64_t{operand.bank} << bits_of_offset) + operand.value;
    }
  }
  const bool multiplies = instruction.opcode->unit == Unit::tensor && operands.size() > 1;
  if (multiplies) detail.depth = operands[1].count;
  if (detail.unit == ExecutionUnit::group_matrix)
    detail.depth = static_cast<uint8_t>(columns_multiplied(instruction) / 8);
  if (detail.effect == Effect::awaits_products) detail.outstanding = groups_left(instruction).value_or(0);
  if (detail.effect == Effect::awaits_copies && operands.size() > 1) {
    detail.scoreboard = static_cast<uint8_t>(operands[0].value);
    detail.outstanding = static_cast<uint8_t>(operands[1].value);
  }
  return detail;
}

}  // namespace

std::vector<ir::MachineDetail> machine_details(const Code& code, const std::vector<uint32_t>& instructions) {
  std::vector<ir::MachineDetail> details;
  details.reserve(instructions.size());
  for (const uint32_t index : instructions) {
    details.push_back(detail_of(code.instructions[index]));
    details.back().place = index;
  }
  return details;
}

}  // namespace warpspan::sass
