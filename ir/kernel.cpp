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
  std::string_view description;
};

constexpr auto kind_rows = [] {
  using enum UnitClass;
  return std::to_array<KindRow>({
#define OPERATION_KIND(enumerator, name, unit, what) {name, unit, what},
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

bool gives_row_addresses(const Operation& operation) {
  return operation.space == MemorySpace::shared &&
         (operation.key.opcode == "ldmatrix" || operation.key.opcode == "stmatrix");
}

bool is_fragment_access(const Operation& operation) {
  return operation.kind == OperationKind::matrix_load && operation.key.opcode.starts_with("wmma.");
}

bool is_compare_and_swap(const Operation& operation) {
  const auto has = [&operation](std::string_view word) {
    return std::find(operation.key.modifiers.begin(), operation.key.modifiers.end(), word) !=
           operation.key.modifiers.end();
  };
  const bool is_of_all = operation.space == MemorySpace::shared || !(has("cta") || has("cluster"));
  return operation.key.opcode == "atom" && has("cas") && is_of_all;
}

bool is_strong_load(const Operation& operation) {
  using enum OperationKind;
  if (operation.kind != load_shared && operation.kind != load_global && operation.kind != load_generic) return false;
  return std::any_of(operation.key.modifiers.begin(), operation.key.modifiers.end(), [](const std::string& word) {
    return word == "volatile" || word == "relaxed" || word == "acquire" || word == "mmio";
  });
}

bool is_of_mapped_device(const Operation& operation) {
  const auto& words = operation.key.modifiers;
  return std::find(words.begin(), words.end(), "mmio") != words.end();
}

bool is_async_copy(const Operation& operation) {
  return operation.kind == OperationKind::copy_async && operation.key.opcode == "cp.async";
}

bool is_bulk_copy(const Operation& operation) {
  const std::string& opcode = operation.key.opcode;
  return operation.kind == OperationKind::copy_bulk && operation.bytes > 0 &&
         (opcode.starts_with("cp.async.bulk") || opcode.starts_with("cp.reduce.async.bulk"));
}

std::optional<int64_t> pieces_of_lane(const Operation& operation) {
  using enum OperationKind;
  switch (operation.kind) {
    case load_shared:
    case store_shared:
    case atomic_shared:
    case load_global:
    case store_global:
    case atomic_global:
    case reduce_global:
    case load_local:
    case store_local:
    case load_generic:
    case store_generic:
    case atomic_generic: break;
    default: return std::nullopt;
  }
  if (operation.machine || operation.bytes <= 0) return std::nullopt;
  if (operation.space == MemorySpace::global) return 1;
  return (operation.bytes + bank_bytes - 1) / bank_bytes;
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
