// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/figures.hpp"

#include <algorithm>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operation_kind.hpp"
#include "frontend/sass/words/print.hpp"
#include "ir/sizes.hpp"

namespace warpspan::machine_code {

namespace {

using ir::OperationKind;
using sass::Instruction;
using timing::Guarantee;

bool is_load(OperationKind kind) {
  return kind == OperationKind::load_global || kind == OperationKind::load_generic || kind == OperationKind::load_local;
}

// After which the warp may go on later than the stall count says.
bool delays_next(OperationKind kind) {
  using enum OperationKind;
  return kind == branch || kind == barrier || kind == warp_barrier || kind == fence || kind == sleep;
}

int bytes_of(const Instruction& instruction) {
  constexpr int bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  if (instruction.mnemonic().ends_with(".256")) return 32;
  const auto size = instruction.modifier(sass::Modifier::size);
  return size ? bytes[*size & 7] : 4;
}

// As machine files name operations.
ir::Operation operation_of(const Instruction& instruction, OperationKind kind) {
  ir::Operation operation;
  operation.text = operation.key.opcode = sass::operation_name(instruction);
  operation.kind = kind;
  if (kind == OperationKind::fence) {
    const unsigned scope = instruction.modifier(sass::Modifier::scope).value_or(3);
    if (scope == 0) operation.key.modifiers = {"cta"};
    if (scope == 1 || scope == 2) operation.key.modifiers = {"gpu"};
  }
  return operation;
}

int64_t parts_of_lines(const timing::ResourceFigures& resource, Guarantee guarantee, int64_t lines) {
  const support::Rational cycles = resource.lines->of(guarantee).cycles;
  return parts_of_cycle * lines * cycles.numerator / cycles.denominator;
}

// Of what it holds from its issue on, one machine instruction of those that the figures are of. A store that writes
// whole lines need not fetch them, which `stream` says of some.
TimedOccupancy timed(const timing::Occupancy& hold, const timing::Machine& machine, int64_t instructions, int bytes) {
  const timing::ResourceFigures& resource = machine.resources[hold.resource];
  TimedOccupancy held;
  held.resource = hold.resource;
  held.from_issue = resource.at_issue || hold.resource == 0;
  held.of_lines = resource.lines.has_value();
  const int64_t further = hold.per_transaction ? hold.cycles : 0;
  for (size_t g = 0; g < timing::guarantees; ++g) {
    const auto guarantee = static_cast<Guarantee>(g);
    int64_t first = hold.first, next = further;
    if (held.of_lines) {
      const bool halved = guarantee == Guarantee::stream && resource.name == timing::memory_resource;
      held.first[g] = parts_of_lines(resource, guarantee, halved ? (first + 1) / 2 : first);
      held.further[g] = parts_of_lines(resource, guarantee, halved ? (next + 1) / 2 : next);
      continue;
    }
    const int64_t shared_by = held.from_issue ? instructions : 1;
    int64_t of_width = 1, of_all = 1;
    if (resource.lane_bytes > 0) of_width = std::min<int64_t>(bytes, resource.lane_bytes), of_all = resource.lane_bytes;
    held.first[g] = parts_of_cycle * first * of_width / of_all / shared_by;
    held.further[g] = resource.lane_bytes > 0 ? 0 : parts_of_cycle * next / shared_by;
  }
  return held;
}

void set_figures(TimedInstruction& made, const timing::OperationFigures& figures, const timing::Machine& machine,
                 int bytes) {
  made.least = std::max<int64_t>(1, figures.latency.best);
  made.most = made.hit = std::max<int64_t>(made.least, figures.latency.worst);
  made.translation = made.hit_translation = figures.latency.translation;
  made.refresh = made.hit_refresh = figures.latency.refresh;
  made.per_transaction = figures.per_transaction;
  made.until_read = machine.operand_read ? std::min(made.most, machine.operand_read->latency) : made.most;
  for (const timing::Occupancy& hold : figures.occupancies) {
    made.occupancies.push_back(timed(hold, machine, std::max<int64_t>(1, figures.instructions), bytes));
  }
}

// Ports of the register file give one register of each lane in a cycle at least, two banks one of even and one of odd
// number.
void read_registers(TimedInstruction& made, const Instruction& instruction, const timing::Machine& machine) {
  const auto ports = machine.resource("registers");
  if (!ports) return;
  const ir::RegisterReads reads = sass::register_reads(instruction);
  const int64_t cycles =
      machine.resources[*ports].banks == 2 ? std::max(reads.even, reads.odd) : int64_t{reads.even} + reads.odd;
  const int64_t most = parts_of_cycle * std::max<int64_t>(1, cycles);
  for (TimedOccupancy& held : made.occupancies) {
    if (*ports != held.resource) continue;
    for (int64_t& parts : held.first) parts = std::min(parts, most);
  }
}

void set_control(TimedInstruction& made, const Instruction& instruction) {
  constexpr uint8_t scoreboards = 6;
  made.stall = made.gap = std::max<int64_t>(1, instruction.control.stall);
  made.waits = instruction.control.wait_mask;
  const auto known = [](std::optional<uint8_t> board) { return board && *board < scoreboards ? board : std::nullopt; };
  made.written = known(instruction.control.write_scoreboard);
  made.read = known(instruction.control.read_scoreboard);
  if (instruction.mnemonic() != "DEPBAR" || instruction.operand_count < 2) return;
  const int64_t board = instruction.operand_values[0].value;
  if (board >= 0 && board < scoreboards && instruction.has(sass::Modifier::at_most)) {
    made.awaited = static_cast<uint8_t>(board);
    made.outstanding = static_cast<size_t>(instruction.operand_values[1].value);
  }
}

void set_constants(TimedInstruction& made, const Instruction& instruction) {
  for (const sass::Operand& operand : instruction.operands()) {
    if (!operand.is_fixed_constant()) continue;
    made.constants.push_back(uint64_t{operand.bank} << 32 | static_cast<uint64_t>(operand.value));
  }
}

bool loads_of_launch(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return std::all_of(operands.begin(), operands.end(), [](const sass::Operand& operand) {
    return operand.kind != sass::OperandKind::constant || (operand.bank == 0 && operand.second == sass::no_register);
  });
}

void set_warm(TimedInstruction& made, const timing::Machine& machine) {
  const timing::DataCache* second = machine.data_cache(timing::l2_cache);
  const timing::DataCache* constant = machine.data_cache(timing::constant_cache);
  made.of_launch = second != nullptr && constant != nullptr;
  if (!made.of_launch) return;
  const int64_t there = second->hit - second->hit_translation + constant->hit;
  made.warm = std::max(made.least, std::min(made.most, there));
}

bool is_integer_atomic(const Instruction& instruction) {
  const std::string text = sass::to_string(instruction);
  const auto has = [&text](const std::string& word) { return text.find(word) != std::string::npos; };
  const bool of_global = text.starts_with("RED.") || has(" RED.") || has("ATOMG.");
  const bool of_words = has(".atomic_type0x0") || has(".atomic_type0x1");
  const bool of_two = has(".ADD.atomic_type0x2");
  const bool measured = has(".ADD.") || has(".MIN.") || has(".MAX.") || has(".INC.") || has(".AND.");
  return of_global && !has(".SYS") && ((of_words && measured) || of_two) && !has(".CAS") &&
         (instruction.word.low & 0xff) != 0xa3;  // of floating-point numbers
}

void join_unit_to_network(TimedInstruction& made, const timing::Machine& machine) {
  const auto unit = machine.resource("atomic"), network = machine.resource("network");
  for (TimedOccupancy& held : made.occupancies) {
    if (held.resource != unit || !network) continue;
    held.resource = *network;
    held.of_lines = held.from_end_to_end = true;
  }
}

support::Diagnostic no_figures(const Instruction& instruction) {
  support::Diagnostic error;
  error.message = "no figures for " + sass::to_string(instruction);
  return error;
}

}  // namespace

support::Result<TimedCode> timed_code(const Program& program, const timing::Machine& machine, bool few) {
  TimedCode code;
  const timing::DataCache* second = machine.data_cache(timing::l2_cache);
  const timing::DataCache* constant = machine.data_cache(timing::constant_cache);
  for (const Instruction& instruction : program.instructions) {
    TimedInstruction made;
    set_control(made, instruction);
    set_constants(made, instruction);
    auto kind = sass::operation_kind(instruction);
    if (!kind) return no_figures(instruction);
    const bool variable = sass::has_variable_latency(*instruction.opcode, program.architecture);
    const bool of_constant = instruction.opcode->unit == sass::Unit::constant;
    if (of_constant && !variable) kind = OperationKind::move;  // it waits as for an operand
    made.loads_constant = of_constant && variable;
    const timing::OperationFigures* figures = machine.stated(operation_of(instruction, *kind));
    if (figures == nullptr) return no_figures(instruction);
    ir::Operation of_few = operation_of(instruction, *kind);
    of_few.key.modifiers = {"few"};
    const timing::OperationFigures* as_few = few && is_integer_atomic(instruction) ? machine.stated(of_few) : figures;
    set_figures(made, *as_few, machine, bytes_of(instruction));
    if (as_few != figures) join_unit_to_network(made, machine);
    read_registers(made, instruction, machine);
    if (delays_next(*kind)) made.gap = std::max(made.stall, figures->gap);
    if (is_load(*kind) && second != nullptr) {
      made.hit = std::max(made.least, std::min(made.most, second->hit));
      if (made.hit < made.most) made.hit_translation = second->hit_translation, made.hit_refresh = 0;
    }
    if (made.loads_constant && loads_of_launch(instruction)) set_warm(made, machine);
    if (made.loads_constant && constant != nullptr) made.hit = std::max(made.least, std::min(made.most, constant->hit));
    const std::string_view name = instruction.mnemonic();
    made.copies = name == "LDGSTS";
    made.closes_group = name == "LDGDEPBAR";
    made.sleeps = name == "NANOSLEEP";
    made.ends_block = name.starts_with("BRA") || name.starts_with("BRX") || name == "BSYNC" || name == "WARPSYNC" ||
                      name.starts_with("CALL") || name == "RET";
    code.instructions.push_back(std::move(made));
  }
  ir::Operation read;
  read.text = "ld.param.b32";
  read.kind = OperationKind::load_param;
  if (const timing::OperationFigures* figures = machine.stated(read)) {
    timing::OperationFigures one = *figures;
    one.instructions = 1;  // for as long as it keeps the slot
    set_figures(code.constant_read, one, machine, 4);
    code.launch_read = code.constant_read;
    set_warm(code.launch_read, machine);
  }
  return code;
}

}  // namespace warpspan::machine_code
