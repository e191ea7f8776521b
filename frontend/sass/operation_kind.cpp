#include "frontend/sass/operation_kind.hpp"

#include <string_view>
#include <unordered_map>

namespace warpspan::sass {

std::optional<ir::OperationKind> operation_kind(const Instruction& instruction) {
  static const std::unordered_map<std::string_view, ir::OperationKind> kinds = {
#define SASS_KIND(mnemonic, kind) {mnemonic, ir::OperationKind::kind},
#include "frontend/sass/operation_kinds.def"
#undef SASS_KIND
  };
  const auto known = kinds.find(instruction.mnemonic());
  if (known == kinds.end()) return std::nullopt;
  return known->second;
}

}  // namespace warpspan::sass
