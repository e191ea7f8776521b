// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/simulated_cost.hpp"

#include <algorithm>

namespace warpspan::timing {

namespace {

using ir::ExecutionUnit;
using Effect = ir::MachineDetail::Effect;

constexpr int64_t constant_line_bytes = 64;

// How long a multiplication of double-precision matrices holds its unit.
double double_matrix_occupied(const UnitFigures<double>& units, int depth) {
  constexpr int shallow = 2, deeper = 4, deep = 8;
  if (depth <= shallow) return units.double_matrix;
  if (depth <= deeper) return units.double_matrix_4;
  return depth <= deep ? units.double_matrix_8 : units.double_matrix_16;
}

void set_unit(SimulatedCost& cost, const ir::MachineDetail& detail, const SimulatedMachine& machine) {
  constexpr int shallow = 2, columns_of_depth = 8;
  const UnitFigures<double>& units = machine.units;
  const auto use = [&cost](SimulatedUnit unit, double occupied, double result) {
    cost.unit = unit;
    cost.occupied = occupied;
    cost.result = result;
  };
  using enum SimulatedUnit;
  switch (detail.unit) {
    case ExecutionUnit::none: return use(none, 0, units.other_result);
    case ExecutionUnit::integer: return use(integer, units.integer, units.vote_result);
    case ExecutionUnit::multiply: return use(multiply, units.multiply, units.other_result);
    case ExecutionUnit::wide_multiply: return use(multiply, units.wide_multiply, units.other_result);
    case ExecutionUnit::single_precision: return use(multiply, units.single_precision, units.other_result);
    case ExecutionUnit::half_precision: return use(half, units.half_precision, units.other_result);
    case ExecutionUnit::double_precision: return use(double_precision, units.double_precision, units.double_result);
    case ExecutionUnit::special: return use(special, units.special, units.special_result);
    case ExecutionUnit::conversion: return use(special, units.special, units.conversion_result);
    case ExecutionUnit::wide_conversion: return use(special, units.wide_conversion, units.conversion_result);
    case ExecutionUnit::warp_reduction: return use(special, units.special, units.reduction_result);
    case ExecutionUnit::matrix:
      return use(matrix, detail.depth <= shallow ? units.matrix : units.deep_matrix, units.matrix_result);
    case ExecutionUnit::double_matrix:
      return use(matrix, double_matrix_occupied(units, detail.depth), units.matrix_result);
    case ExecutionUnit::group_matrix: {
      const double occupied =
          std::max(units.group_matrix_least, columns_of_depth * detail.depth * units.group_matrix_column);
      return use(matrix, occupied, occupied + units.group_matrix_result);
    }
    case ExecutionUnit::uniform: return use(uniform, units.uniform, units.other_result);
    case ExecutionUnit::uniform_constant: return use(uniform, units.uniform, units.uniform_result);
    case ExecutionUnit::constant: return use(memory, units.memory_port, machine.code.constant_result);
    case ExecutionUnit::memory: return use(memory, units.memory_port, machine.memory.l1_hit);
    case ExecutionUnit::shuffle: return use(memory, units.memory_port, units.shuffle_result);
    case ExecutionUnit::match_any: return use(memory, units.memory_port, units.shuffle_result);
    case ExecutionUnit::match_all:
      cost.port = units.match_all_occupies;
      return use(memory, units.memory_port, units.match_all_result);
  }
}

void set_effect(SimulatedCost& cost, const UnitFigures<double>& units) {
  switch (cost.effect) {
    case Effect::device_fence: cost.result = units.device_fence; break;
    case Effect::system_fence: cost.result = units.system_fence; break;
    case Effect::block_fence: cost.result = units.block_fence; break;
    case Effect::leaves: cost.elsewhere = units.leaving; break;
    case Effect::joins: cost.elsewhere = units.joining; break;
    default: break;
  }
}

// What it waits for, and who is told when it is done.
// later: than its stall count has it the warp goes on.
void set_scoreboards(SimulatedCost& cost, const ir::Kernel& kernel, const ir::Instruction& instruction, double later) {
  const ir::MachineIssue& issue = *kernel.operation(instruction).machine;
  cost.stall = static_cast<double>(std::max<int64_t>(issue.stall, 1)) + later;
  const ir::RegisterId* reads = kernel.reads(instruction);
  for (const ir::RegisterId* reg = reads; reg != reads + instruction.reads; ++reg) {
    if (kernel.is_scoreboard(*reg)) cost.waits |= static_cast<uint8_t>(1U << (*reg - kernel.first_scoreboard));
  }
  const ir::RegisterId* writes = kernel.writes(instruction);
  for (const ir::RegisterId* reg = writes; reg != writes + instruction.writes; ++reg) {
    if (!kernel.is_scoreboard(*reg)) continue;
    const auto board = static_cast<uint8_t>(*reg - kernel.first_scoreboard);
    (issue.until_read == board ? cost.read : cost.written) = board;
  }
}

// It comes through the load/store units, and from there a uniform register gets it as it gets a constant. How long it
// keeps the units was fitted to loops of 64 warps on an H100, which take two cycles for each, their waits included.
void set_special_register(SimulatedCost& cost, const UnitFigures<double>& units) {
  constexpr double port = 1.75;
  cost.unit = SimulatedUnit::memory;
  cost.occupied = units.memory_port;
  cost.port = port;
  cost.result = units.special_register + (cost.executes == ExecutionUnit::uniform ? units.uniform_result : 0);
}

bool is_of_shared(const ir::Operation& operation) {
  return operation.space == ir::MemorySpace::shared || operation.kind == ir::OperationKind::matrix_load;
}

}  // namespace

std::string_view to_string(SimulatedUnit unit) {
  static constexpr std::string_view names[units_of_scheduler] = {"none",    "integer", "multiply", "half",  "double",
                                                                 "special", "matrix",  "uniform",  "memory"};
  return names[static_cast<size_t>(unit)];
}

std::vector<SimulatedCost> simulated_costs(const ir::Kernel& kernel, const std::vector<ir::MachineDetail>& details,
                                           const SimulatedMachine& machine) {
  std::vector<SimulatedCost> costs;
  costs.reserve(details.size());
  for (size_t i = 0; i < details.size(); ++i) {
    const ir::MachineDetail& detail = details[i];
    const ir::Instruction& instruction = kernel.instructions[i];
    const ir::Operation& operation = kernel.operation(instruction);
    SimulatedCost& cost = costs.emplace_back();
    set_unit(cost, detail, machine);
    cost.effect = detail.effect;
    cost.executes = detail.unit;
    set_effect(cost, machine.units);
    const bool is_wide_product = detail.unit == ir::ExecutionUnit::wide_multiply;
    set_scoreboards(cost, kernel, instruction, is_wide_product ? machine.units.wide_multiply_later : 0);
    if (operation.kind == ir::OperationKind::special_register && cost.written != no_scoreboard)
      set_special_register(cost, machine.units);
    // The kernel has it wait until all are done, which is what it does at most.
    if (detail.effect == Effect::awaits_copies && detail.outstanding > 0 && detail.scoreboard < machine_scoreboards) {
      cost.waits &= static_cast<uint8_t>(~(1U << detail.scoreboard));
      cost.partly = detail.scoreboard;
      cost.outstanding = detail.outstanding;
    }
    if (detail.effect == Effect::awaits_products) cost.outstanding = detail.outstanding;
    cost.past_l1 = detail.past_l1 && ir::access_class(operation) == ir::AccessClass::load;
    cost.repeats = detail.repeated_swap;
    cost.swaps = operation.facts.compare_and_swap && is_of_shared(operation) && !cost.repeats;
    cost.floating_point = detail.floating_point;
    cost.wraps = detail.wraps;
    if (operation.kind == ir::OperationKind::mbarrier) cost.port = machine.units.barrier_object;
    cost.shared = is_of_shared(operation);
    if (detail.constant) cost.constant_line = *detail.constant / constant_line_bytes;
    cost.place = detail.place;
    cost.line_of_code = static_cast<uint32_t>(detail.place / machine.instructions_of_line);
  }
  return costs;
}

}  // namespace warpspan::timing
