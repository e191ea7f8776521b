#include "ir/kernel.hpp"

#include <array>

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

std::string_view name(OperationKind kind) { return row(kind).name; }

std::string_view description(OperationKind kind) { return row(kind).description; }

UnitClass unit_class(OperationKind kind) { return row(kind).unit; }

}  // namespace warpspan::ir
