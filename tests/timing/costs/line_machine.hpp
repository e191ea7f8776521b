// SPDX-License-Identifier: GPL-3.0-or-later
// The toy machine with what serves lines behind its load/store unit, and caches that keep data and constants.
#pragma once

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::test {

enum LineResource : size_t { port_of_lines = 3, network_of_lines = 4, memory_of_lines = 5 };

inline timing::LineTimes line_times(int64_t same_bank, support::Rational spread, support::Rational stream) {
  timing::LineTimes lines;
  lines.of(timing::Guarantee::same_bank).cycles = support::Rational{same_bank, 1};
  lines.of(timing::Guarantee::few) = lines.of(timing::Guarantee::same_bank);
  lines.of(timing::Guarantee::spread).cycles = spread;
  lines.of(timing::Guarantee::stream).cycles = stream;
  return lines;
}

// Cycles of a line: 2 in the port of a multiprocessor; 4 or, spread, 1/2 in the network; 40, 3/2 or 2/3 in memory.
// Loads take 100 cycles, constants 90, what the L2 cache has 60, what the constant cache has 5. A load asks for one
// line for each of its transactions, a store for two of memory. The L2 cache keeps 128 KiB of its 256, the constant
// cache 1 KiB.
inline timing::Machine line_machine() {
  using namespace timing;
  Machine machine = toy_machine();
  const auto add = [&machine](const char* name, ResourceFigures::Sharing sharing, LineTimes lines) {
    machine.resources.push_back({name, 1, sharing, Evidence::assumed, "toy"});
    machine.resources.back().lines = lines;
  };
  add("network_port", ResourceFigures::Sharing::multiprocessor, line_times(2, {2, 1}, {2, 1}));
  add("network", ResourceFigures::Sharing::device, line_times(4, {1, 2}, {1, 2}));
  add("memory", ResourceFigures::Sharing::device, line_times(40, {3, 2}, {2, 3}));
  const auto set = [&machine](ir::OperationKind kind, int64_t latency, int64_t lines_of_memory) {
    OperationFigures figures;
    figures.latency = {latency, latency, latency};
    figures.per_transaction = 1;
    figures.occupancies = {{0, 1, false, 1},
                           {1, 5, true, 5},
                           {port_of_lines, 1, true, 1},
                           {network_of_lines, 1, true, 1},
                           {memory_of_lines, lines_of_memory, true, lines_of_memory}};
    const auto at = static_cast<size_t>(kind);
    machine.operations[at] = machine.otherwise[at] = figures;
  };
  set(ir::OperationKind::load_global, 100, 1);
  set(ir::OperationKind::store_global, 100, 2);
  set(ir::OperationKind::atomic_global, 100, 2);
  set(ir::OperationKind::prefetch, 20, 1);
  set(ir::OperationKind::load_param, 90, 1);
  set(ir::OperationKind::load_const, 90, 1);
  machine.data_caches = {{"constant", ResourceFigures::Sharing::multiprocessor, 2048, 64, {1, 2}, 5, {}},
                         {"L2", ResourceFigures::Sharing::device, 256 << 10, 128, {1, 2}, 60, {}}};
  return machine;
}

// Lets accesses to memory, but to constants, wait for translations, hits too, and for refreshes.
inline void add_waits(timing::Machine& machine, const timing::TranslationFigures& translation,
                      const timing::RefreshFigures& refresh) {
  machine.translation = translation;
  machine.refresh = refresh;
  for (size_t kind = 0; kind < machine.operations.size(); ++kind) {
    auto& figures = machine.operations[kind];
    const bool is_constant = kind == static_cast<size_t>(ir::OperationKind::load_param);
    if (!figures || (figures->latency.worst < 100 && !is_constant)) continue;
    figures->latency.worst += translation.cycles + refresh.cycles;
    figures->latency.translation = translation.cycles;
    figures->latency.refresh = refresh.cycles;
    machine.otherwise[kind] = figures;
  }
  machine.data_caches[1].hit += translation.cycles;
  machine.data_caches[1].hit_translation = translation.cycles;
}

inline uint32_t add_operation(ir::Kernel& kernel, ir::OperationKind kind, int bytes) {
  ir::Operation operation;
  operation.text = to_string(kind);
  operation.kind = kind;
  operation.bytes = bytes;
  kernel.operations.push_back(operation);
  return static_cast<uint32_t>(kernel.operations.size() - 1);
}

inline timing::AssumptionSet assuming(const std::vector<timing::Assumption>& assumptions) {
  timing::AssumptionSet set;
  for (const timing::Assumption assumption : assumptions) set.assume(assumption);
  return set;
}

}  // namespace warpspan::test
