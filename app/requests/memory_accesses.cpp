// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/memory_accesses.hpp"

#include <algorithm>

namespace warpspan::app {

namespace {

const timing::InstructionCost* cost_of(ir::InstructionId id, const std::vector<timing::InstructionCost>& costs) {
  const auto is_before = [](const timing::InstructionCost& cost, ir::InstructionId i) { return cost.instruction < i; };
  const auto found = std::lower_bound(costs.begin(), costs.end(), id, is_before);
  return found == costs.end() || found->instruction != id ? nullptr : &*found;
}

}  // namespace

std::vector<MemoryAccess> memory_accesses(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<timing::InstructionCost>& costs, const LineOf& line_of) {
  std::vector<MemoryAccess> all;
  for (const ir::Access& where : flow.accesses) {
    if (where.in_shared) continue;
    const ir::Instruction& instruction = kernel.instructions[where.instruction];
    MemoryAccess access;
    access.line = instruction.line;
    if (instruction.source_line > 0) {
      const ir::SourceLine shown = line_of(instruction);
      access.source_file = shown.file;
      access.source_line = shown.line;
    }
    access.instruction = kernel.operation(instruction).text;
    if (where.object != ir::no_object) {
      access.object = flow.objects[where.object].name;
      access.object_bytes = flow.objects[where.object].bytes;
    }
    access.where = where;
    if (where.dense) access.dense_with_line = kernel.instructions[where.dense_with].line;
    access.pieces = flow.transactions[where.instruction];
    if (const timing::InstructionCost* cost = cost_of(where.instruction, costs)) {
      access.executions = cost->executions;
      access.cycles = cost->cycles();
    }
    all.push_back(std::move(access));
  }
  return all;
}

}  // namespace warpspan::app
