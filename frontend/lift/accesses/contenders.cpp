// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/accesses/contenders.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;
using ir::OperationKind;
using support::Integer;

// Where the word can be.
struct Spaces {
  bool is_shared = false;
  bool is_global = false;
};

Spaces spaces_of(MemorySpace space) {
  return {space == MemorySpace::shared || space == MemorySpace::generic,
          space == MemorySpace::global || space == MemorySpace::generic};
}

bool overlap(const Spaces& a, const Spaces& b) { return (a.is_shared && b.is_shared) || (a.is_global && b.is_global); }

// How often one execution by one thread can change a word; nothing if that is not known.
std::optional<int64_t> writes_of(const ir::Operation& operation, const Spaces& word) {
  if (operation.call_time || operation.facts.of_cluster) return std::nullopt;
  switch (operation.kind) {
    case OperationKind::store_shared:
    case OperationKind::store_global:
    case OperationKind::store_generic:
      if (!overlap(spaces_of(operation.space), word)) return 0;
      if (operation.semantics.computation != ir::Computation::store) return std::nullopt;
      return std::max<int64_t>(operation.semantics.elements, operation.bytes / 8);
    case OperationKind::atomic_shared:
    case OperationKind::atomic_global:
    case OperationKind::atomic_generic:
    case OperationKind::reduce_global:
      if (!overlap(spaces_of(operation.space), word)) return 0;
      // Packed and vector forms change parts of two bytes at least, each by itself.
      return ir::is_compare_and_swap(operation) ? 1 : std::max<int64_t>(operation.bytes / 2, 1);
    // What is discarded may be read as anything until it is written again (PTX ISA 9.7.9.17), other than a prefetch.
    case OperationKind::prefetch:
      return operation.facts.discards && word.is_global ? std::nullopt : std::optional<int64_t>(0);
    case OperationKind::copy_async: return word.is_shared ? std::nullopt : std::optional<int64_t>(0);
    case OperationKind::copy_bulk:
    case OperationKind::multimem:
    case OperationKind::matrix_load:
    case OperationKind::tensor_memory:
    case OperationKind::surface:
    case OperationKind::mbarrier: return std::nullopt;
    default: return 0;
  }
}

// How often a thread executes code whose innermost loop is `loop`; nothing if that is not known.
std::optional<Integer> executions(const ir::Flow& flow, ir::LoopId loop) {
  Integer times = 1;
  for (ir::LoopId l = loop; l != ir::no_loop; l = flow.loops[l].parent) {
    if (!flow.loops[l].trip_count) return std::nullopt;
    times *= *flow.loops[l].trip_count;
  }
  return times;
}

}  // namespace

std::optional<int64_t> most_writes(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                                   const CasRetries& retries, ir::InstructionId swap) {
  const ir::Operation& swapping = kernel.operation(kernel.instructions[swap]);
  const Spaces word = spaces_of(swapping.space);
  if (!launch.block || (word.is_global && !launch.grid) || swapping.facts.of_cluster) return std::nullopt;
  if (word.is_shared && kernel.launch_bounds.clusters) return std::nullopt;  // other blocks may reach it
  Integer all = 0;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (!flow.blocks[b].reachable) continue;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const auto writes = writes_of(kernel.operation(kernel.instructions[i]), word);
      if (!writes) return std::nullopt;
      if (*writes == 0) continue;
      const auto retried = retries.find(i);
      const auto times =
          executions(flow, retried == retries.end() ? flow.blocks[b].loop : flow.loops[retried->second].parent);
      if (!times) return std::nullopt;
      all += *times * *writes;
    }
  }
  all *= launch.block->count();
  if (word.is_global) all *= launch.grid->count();
  return all.value();
}

}  // namespace warpspan::lift
