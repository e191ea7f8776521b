#include "ir/kernel.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

bool is_bulk_copy(const Operation& operation) {
  const std::string& opcode = operation.key.opcode;
  return operation.kind == OperationKind::copy_bulk && operation.bytes > 0 &&
         (opcode.starts_with("cp.async.bulk") || opcode.starts_with("cp.reduce.async.bulk"));
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
