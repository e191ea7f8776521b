// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/program.hpp"

#include <algorithm>
#include <string_view>

#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/registers.hpp"

namespace warpspan::execution {

namespace {

using sass::Operand;
using sass::OperandKind;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What takes time only.
bool does_nothing(std::string_view name) {
  return is_one_of(name, {"NOP",          "YIELD",         "DEPBAR",     "LDGDEPBAR",   "MEMBAR",    "ERRBAR",
                          "CCTLL",        "CGAERRBAR",     "FENCE",      "CCTL.LDCU",   "ACQBULK",   "PREEXIT",
                          "UTMACMDFLUSH", "ENDCOLLECTIVE", "PMTRIG",     "UCGABAR_ARV", "UTMAPF",    "UBLKPF",
                          "UTMACCTL",     "UCGABAR_WAIT",  "SYNCS.CCTL", "WARPGROUP",   "USETSHMSZ", "BPT"});
}

Action action_of(std::string_view name) {
  for (const auto family :
       {integer_action, bits_action, comparison_action, float_action, half_action, conversion_action, move_action}) {
    if (const Action action = family(name)) return action;
  }
  return nullptr;
}

std::vector<uint16_t> numbers_of(const sass::RegisterSet& set) {
  std::vector<uint16_t> numbers;
  const auto add = [&](const auto& registers, uint16_t base) {
    for (size_t i = 0; i < registers.size(); ++i) {
      if (registers.test(i)) numbers.push_back(static_cast<uint16_t>(base + i));
    }
  };
  add(set.general, 0);
  add(set.uniform, uniform_base);
  add(set.predicates, predicate_base);
  add(set.uniform_predicates, uniform_predicate_base);
  return numbers;
}

// Those that make up an address.
std::vector<uint16_t> numbers_of(const Operand& address) {
  sass::RegisterSet set;
  if (address.first != sass::no_register) set.insert(sass::RegisterClass::general, address.first, address.count);
  if (address.second != sass::no_register && !address.descriptor)
    set.insert(sass::RegisterClass::uniform, address.second, std::max<unsigned>(address.second_count, 1));
  return numbers_of(set);
}

Space space_of(std::string_view name) {
  if (name.starts_with("LDS") || name.starts_with("STS") || name.starts_with("ATOMS")) return Space::shared;
  if (name == "LDL" || name == "STL") return Space::local;
  return is_one_of(name, {"LD", "ST", "ATOM", "ATOM.CAS"}) ? Space::generic : Space::global;
}

// An address that a loader fills in, as an immediate.
void fill_in(sass::Instruction& instruction, const sass::Code::Reference& reference) {
  using Kind = sass::Code::Reference::Kind;
  if (reference.kind == Kind::unknown) return;
  const auto address = static_cast<int64_t>(reference.target * sass::word_bytes);
  for (size_t i = 0; i < instruction.operand_count; ++i) {
    Operand& operand = instruction.operand_values[i];
    if (operand.kind == OperandKind::immediate)
      operand.value = reference.kind == Kind::high_half ? address >> 32 : address;
  }
}

}  // namespace

void Bank::put(uint64_t offset, uint64_t value, unsigned size) {
  bytes.resize(std::max<size_t>(bytes.size(), offset + size));
  for (unsigned i = 0; i < size; ++i) bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
}

uint32_t Bank::word(uint64_t offset) const {
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= uint32_t{byte(offset + i)} << (8 * i);
  return value;
}

void Bank::set_unknown(uint64_t offset) {
  unknown.resize(std::max<size_t>(unknown.size(), offset + 1));
  unknown[offset] = true;
}

Origins Bank::origins(uint64_t offset, unsigned size) const {
  for (uint64_t at = offset; at < std::min<uint64_t>(offset + size, unknown.size()); ++at) {
    if (unknown[at]) return of_unknown;
  }
  return 0;
}

Program::Program(const sass::Code& code, const Banks& banks, const std::vector<ir::InstructionId>& ids) : code_(code) {
  filled_ = code.instructions;
  for (const auto& [index, reference] : code.references) fill_in(filled_[index], reference);
  instructions_.resize(filled_.size());
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    instructions_[i].id = ids[i];
    prepare(i, banks);
  }
}

const Words* Program::words(uint32_t value) {
  const Words*& known = known_words_[value];
  if (known == nullptr) {
    pool_.emplace_back().lane.fill(value);
    known = &pool_.back();
  }
  return known;
}

void Program::prepare_operand(Ready& ready, size_t index, const Banks& banks) {
  const Operand& operand = ready.instruction->operand_values[index];
  if (operand.is_fixed_register()) {
    ready.fixed[index] = ready.fixed_high[index] = words(0);
  } else if (operand.kind == OperandKind::immediate) {
    ready.fixed[index] = words(static_cast<uint32_t>(operand.value));
    ready.fixed_high[index] = words(static_cast<uint32_t>(operand.value >> 32));
  } else if (operand.is_fixed_constant()) {
    const auto bank = banks.find(operand.bank);
    const auto offset = static_cast<uint64_t>(operand.value);
    ready.fixed[index] = words(bank == banks.end() ? 0 : bank->second.word(offset));
    ready.fixed_high[index] = words(bank == banks.end() ? 0 : bank->second.word(offset + 4));
    if (bank != banks.end()) ready.constants |= bank->second.origins(offset, 4);
  }
}

void Program::prepare_flow(Ready& ready, uint32_t index) {
  const std::string_view name = ready.instruction->mnemonic();
  if (code_.outside_calls.contains(index))
    ready.flow = Flow::outside;
  else if (is_one_of(name, {"BRA", "BRX", "BRXU"}))
    ready.flow = Flow::branch;
  else if (is_one_of(name, {"EXIT", "KILL"}))
    ready.flow = Flow::exit;
  else if (is_one_of(name, {"CALL.REL", "CALL.ABS", "RET"}))
    ready.flow = Flow::call;
  else if (is_one_of(name, {"BSSY", "BREAK", "BMOV"}))
    ready.flow = Flow::barrier_register;
  else if (is_one_of(name, {"BSYNC", "WARPSYNC"}))
    ready.flow = Flow::wait_for_lanes;
  else if (name == "BAR")
    ready.flow = Flow::wait_for_block;
  else if (sass::is_trap(*ready.instruction))
    ready.flow = Flow::trap;
}

void Program::prepare(uint32_t index, const Banks& banks) {
  Ready& ready = instructions_[index];
  ready.instruction = &filled_[index];
  const sass::Instruction& instruction = *ready.instruction;
  for (const sass::ModifierValue& each : instruction.modifiers())
    ready.modifier[static_cast<size_t>(each.modifier)] = each.value;
  for (size_t i = 0; i < instruction.operand_count; ++i) prepare_operand(ready, i, banks);
  const auto operands = instruction.operands();
  const auto address = std::find_if(operands.begin(), operands.end(),
                                    [](const Operand& operand) { return operand.kind == OperandKind::address; });
  ready.address = static_cast<uint8_t>(address - operands.begin());
  for (const Operand& operand : operands) {
    if (operand.kind != OperandKind::address) continue;
    for (const uint16_t number : numbers_of(operand)) ready.address_reads.push_back(number);
  }
  ready.target = static_cast<uint32_t>(instruction.target().value_or(UINT64_MAX) / sass::word_bytes);
  const sass::Guard& guard = instruction.guard;
  if (guard.number != sass::no_register)
    ready.address_reads.push_back(
        static_cast<uint16_t>((guard.uniform ? uniform_predicate_base : predicate_base) + guard.number));
  if (!instruction.known()) {
    ready.known = false;
    return;
  }
  ready.reads = numbers_of(sass::reads(instruction));
  ready.writes = numbers_of(sass::writes(instruction));
  prepare_flow(ready, index);
  const std::string_view name = instruction.mnemonic();
  if (ready.flow != Flow::next || does_nothing(name)) return;
  ready.space = space_of(name);
  ready.action = action_of(name);
  if (ready.action == nullptr) ready.effect = Warp::effect_of(instruction);
  ready.known = ready.action != nullptr || ready.effect != nullptr;
}

}  // namespace warpspan::execution
