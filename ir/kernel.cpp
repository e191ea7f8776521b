// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/kernel.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/sizes.hpp"

namespace warpspan::ir {
namespace {

struct KindRow {
  std::string_view name;
  UnitClass unit;
  KindTraits traits;
  std::string_view description;
};

// The columns of the table.
constexpr KindTraits no_access = {};
constexpr KindTraits some(MemorySpace space) { return {.space = space}; }
constexpr KindTraits loads(MemorySpace space) { return {.access = AccessClass::load, .space = space}; }
constexpr KindTraits stores(MemorySpace space) { return {.access = AccessClass::store, .space = space}; }
constexpr KindTraits atomics(MemorySpace space) { return {.access = AccessClass::atomic, .space = space}; }
constexpr KindTraits reductions(MemorySpace space) { return {.access = AccessClass::reduction, .space = space}; }
constexpr KindTraits lasting(KindTraits traits) {
  traits.lasts = true;
  return traits;
}
constexpr KindTraits waiting(KindTraits traits) {
  traits.waits_for_memory = true;
  return traits;
}

constexpr auto kind_rows = [] {
  using enum UnitClass;
  using Space = MemorySpace;
  return std::to_array<KindRow>({
#define OPERATION_KIND(enumerator, name, unit, memory, what) {name, unit, memory, what},
#include "ir/operation_kinds.def"
#undef OPERATION_KIND
  });
}();

const KindRow& row(OperationKind kind) { return kind_rows[static_cast<size_t>(kind)]; }

}  // namespace

char symbol(UnitClass unit) { return "LCS"[static_cast<size_t>(unit)]; }

std::string_view to_string(OperationKind kind) { return row(kind).name; }

std::string_view description(OperationKind kind) { return row(kind).description; }

UnitClass unit_class(OperationKind kind) { return row(kind).unit; }

KindTraits traits(OperationKind kind) { return row(kind).traits; }

AccessClass access_class(const Operation& operation) {
  return operation.facts.access.value_or(traits(operation.kind).access);
}

bool gives_row_addresses(const Operation& operation) {
  return operation.space == MemorySpace::shared && operation.facts.matrix.addressing == Matrix::Addressing::rows;
}

bool is_fragment_access(const Operation& operation) {
  return operation.facts.matrix.addressing == Matrix::Addressing::whole;
}

bool is_compare_and_swap(const Operation& operation) {
  const Scope scope = operation.facts.scope;
  const bool is_of_all = operation.space == MemorySpace::shared || !(scope == Scope::block || scope == Scope::cluster);
  return operation.facts.compare_and_swap && is_of_all;
}

bool is_strong_load(const Operation& operation) {
  const KindTraits of_kind = traits(operation.kind);
  const bool is_shared_with_others = of_kind.space == MemorySpace::shared || of_kind.space == MemorySpace::global ||
                                     of_kind.space == MemorySpace::generic;
  return of_kind.access == AccessClass::load && is_shared_with_others && operation.facts.strong;
}

bool is_of_mapped_device(const Operation& operation) { return operation.facts.mapped_device; }

bool is_async_copy(const Operation& operation) { return operation.facts.copy.kind == Copy::Kind::by_lanes; }

bool is_bulk_copy(const Operation& operation) {
  const Copy::Kind kind = operation.facts.copy.kind;
  return kind == Copy::Kind::bulk || kind == Copy::Kind::bulk_reduction || kind == Copy::Kind::bulk_prefetch;
}

bool is_call(const Operation& operation) { return operation.semantics.computation == Computation::call; }

std::optional<int64_t> transactions_of_lane(const Operation& operation) {
  const KindTraits of_kind = traits(operation.kind);
  switch (of_kind.space) {
    case MemorySpace::shared:
    case MemorySpace::global:
    case MemorySpace::local:
    case MemorySpace::generic: break;
    default: return std::nullopt;
  }
  if (of_kind.access == AccessClass::none) return std::nullopt;
  if (operation.bytes <= 0 || (operation.machine && operation.machine->takes_most)) return std::nullopt;
  if (operation.space == MemorySpace::global) return 1;
  return (operation.bytes + bank_bytes - 1) / bank_bytes;
}

std::optional<int64_t> frame_words(const Kernel& kernel) {
  constexpr int64_t word = memory_line_bytes / warp_lanes;
  if (!kernel.is_machine_code() || kernel.calls_outside() || kernel.frames.size() != 1) return std::nullopt;
  return kernel.frames.front().bytes / word;
}

std::optional<int64_t> frame_lines(const Kernel& kernel) {
  const auto words = frame_words(kernel);
  return words ? std::optional(*words + 2) : std::nullopt;
}

bool Kernel::calls_outside() const {
  return std::any_of(operations.begin(), operations.end(), [](const Operation& o) { return o.call_time.has_value(); });
}

bool Kernel::calls_outside(const Block& block) const {
  return block.count > 0 && operation(instructions[block.first + block.count - 1]).call_time.has_value();
}

void set_transfer(Block& block, ControlTransfer transfer) {
  block.transfer = std::move(transfer);
  const ControlTransfer& t = block.transfer;
  block.callee = t.callee;
  block.successors = t.targets;
  if (t.falls_through() && t.next != no_block) block.successors.push_back(t.next);
  std::sort(block.successors.begin(), block.successors.end());
  block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
  block.may_end = t.leaves() || (t.falls_through() && t.next == no_block);
}

}  // namespace warpspan::ir
