// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code and traces made by hand, and a machine of round figures, for simulations whose cycles are known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "timing/simulate/multiprocessor.hpp"

namespace warpspan::test {

// Nothing takes time but what a test gives a figure.
inline timing::SimulatedMachine plain_machine() {
  timing::SimulatedMachine machine;
  machine.units.integer = machine.units.multiply = machine.units.single_precision = 1;
  machine.units.memory_port = 1;
  machine.units.port_queue = 100;
  machine.memory.l1_hit = 33;
  machine.memory.l2_hit = 200;
  machine.memory.memory_load = 600;
  machine.memory.shared = 23;
  machine.memory.port_bytes = machine.memory.l2_bytes = 32;
  machine.memory.memory_bytes = 64;
  machine.memory.memory_scattered = 1;
  machine.memory.l2_capacity = 1e9;
  machine.memory.store_line = 1;
  machine.memory.store_sector = 1;
  machine.memory.store_queue = 1000;
  machine.code.near_lines = machine.code.lines = 64;
  machine.code.constant_lines = machine.code.more_constant_lines = 8;
  return machine;
}

// What the control fields of a machine instruction say.
struct ControlFields {
  int64_t stall = 1;
  std::vector<ir::RegisterId> waits = {};
  std::optional<uint8_t> written = {}, read = {};
};

class MadeCode {
 public:
  MadeCode() {
    kernel_.registers = kernel_.scoreboards = timing::machine_scoreboards;
    kernel_.blocks.emplace_back();
  }

  ir::InstructionId add(ir::ExecutionUnit unit, const ControlFields& fields = {}, ir::MachineDetail detail = {},
                        ir::OperationKind kind = {}) {
    const auto id = static_cast<ir::InstructionId>(kernel_.instructions.size());
    ir::Operation operation;
    operation.kind = kind;
    operation.machine = ir::MachineIssue{fields.stall, false, fields.read, false};
    ir::Instruction instruction;
    instruction.operation = static_cast<uint32_t>(kernel_.operations.size());
    instruction.first_register = static_cast<uint32_t>(kernel_.register_pool.size());
    instruction.reads = static_cast<uint16_t>(fields.waits.size());
    for (const ir::RegisterId board : fields.waits) kernel_.register_pool.push_back(board);
    for (const auto& board : {fields.written, fields.read}) {
      if (!board) continue;
      kernel_.register_pool.push_back(*board);
      ++instruction.writes;
    }
    kernel_.operations.push_back(operation);
    kernel_.instructions.push_back(instruction);
    detail.unit = unit;
    detail.place = id;
    details_.push_back(detail);
    return id;
  }

  const ir::Kernel& kernel() const { return kernel_; }
  const std::vector<ir::MachineDetail>& details() const { return details_; }

 private:
  ir::Kernel kernel_;
  std::vector<ir::MachineDetail> details_;
};

// A warp that executes these instructions.
inline ir::WarpTrace steps(const std::vector<ir::InstructionId>& ids) {
  ir::WarpTrace trace;
  for (const ir::InstructionId id : ids) trace.steps.push_back({id, -1});
  return trace;
}

// The step makes a request.
inline void ask(ir::WarpTrace& trace, size_t step, ir::TracedRequest request,
                const std::vector<uint64_t>& sectors = {}) {
  if (request.kind != ir::TracedRequest::Kind::arrival) {
    request.first = static_cast<uint32_t>(trace.sectors.size());
    request.count = static_cast<uint32_t>(sectors.size());
    trace.sectors.insert(trace.sectors.end(), sectors.begin(), sectors.end());
  }
  trace.steps[step].request = static_cast<int32_t>(trace.requests.size());
  trace.requests.push_back(request);
}

// One block that is alone on the device.
inline timing::MultiprocessorRun run_block(
    const MadeCode& code, const timing::SimulatedMachine& machine, const ir::BlockTrace& block,
    timing::SchedulingPolicy policy = timing::SchedulingPolicy::greedy_then_youngest) {
  const auto costs = timing::simulated_costs(code.kernel(), code.details(), machine);
  const timing::SectorSharing sharing(1, 1);
  timing::BlocksToRun work;
  work.l1_bytes = 65536;
  work.timeline_rows = 4;
  work.trace = [&block](int64_t) { return std::optional(block); };
  return timing::Multiprocessor(costs, machine, sharing, work, policy).run();
}

}  // namespace warpspan::test
