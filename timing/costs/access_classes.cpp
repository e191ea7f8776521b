// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/access_classes.hpp"

#include <algorithm>

#include "timing/costs/cost.hpp"

namespace warpspan::timing {

using ir::AccessClass;
using ir::MemorySpace;
using ir::OperationKind;

bool is_constant_load(OperationKind kind) {
  return kind == OperationKind::load_param || kind == OperationKind::load_const;
}
bool is_load(OperationKind kind) { return kind == OperationKind::load_global || kind == OperationKind::load_generic; }
bool is_local(OperationKind kind) { return ir::traits(kind).space == MemorySpace::local; }
bool may_leave_block(const ir::Operation& operation) {
  const ir::KindTraits of_kind = ir::traits(operation.kind);
  if (of_kind.access == AccessClass::none) return false;
  return of_kind.space == MemorySpace::generic || (of_kind.space == MemorySpace::shared && operation.facts.of_cluster);
}
bool is_copy(const ir::Operation& operation) {
  using Kind = ir::Copy::Kind;
  const Kind kind = operation.facts.copy.kind;
  return kind == Kind::by_lanes || kind == Kind::bulk || kind == Kind::bulk_prefetch;
}
bool is_of_texels(const ir::Operation& operation) {
  const AccessClass access = ir::access_class(operation);
  return ir::traits(operation.kind).space == MemorySpace::texture &&
         (access == AccessClass::load || access == AccessClass::store);
}
bool is_store(OperationKind kind) {
  return kind == OperationKind::store_global || kind == OperationKind::store_generic;
}

bool may_write(const ir::Operation& operation) { return !is_load(operation.kind) && !ir::is_async_copy(operation); }

bool is_indexed(const ir::Kernel& kernel, const ir::Instruction& instruction, ir::RegisterId awaited) {
  const ir::RegisterId* reads = kernel.reads(instruction);
  const auto others = std::count_if(reads, reads + instruction.reads,
                                    [&](ir::RegisterId r) { return r != awaited && !kernel.is_scoreboard(r); });
  return others > (instruction.guarded ? 1 : 0);
}

bool is_atomic(const ir::Operation& operation) {
  const AccessClass access = ir::access_class(operation);
  return access == AccessClass::atomic || access == AccessClass::reduction;
}

bool is_integer_atomic(const ir::Operation& operation) { return operation.facts.on_integers; }

bool are_few_lines(const ir::Access& access, int64_t many) {
  return access.fewest_grid_lines && *access.fewest_grid_lines < many;
}

ir::Operation as_one_of_few(const ir::Operation& operation) {
  ir::Operation other = operation;
  other.key.modifiers = {"few"};
  return other;
}

bool touches_memory(const ir::Operation& operation) {
  if (operation.call_time) return true;
  switch (ir::traits(operation.kind).space) {
    case MemorySpace::global:
    case MemorySpace::local:
    case MemorySpace::generic:
    case MemorySpace::texture: break;
    default: return false;
  }
  if (operation.kind == OperationKind::matrix_load)
    return operation.bytes > 0 && operation.space != MemorySpace::shared;
  return operation.kind != OperationKind::copy_bulk || operation.bytes > 0;
}

}  // namespace warpspan::timing
