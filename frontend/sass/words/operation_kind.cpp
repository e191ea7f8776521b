#include "frontend/sass/words/operation_kind.hpp"

#include <unordered_map>

namespace warpspan::sass {

namespace {

// Of a conversion: numbers of 64 bits are converted where double precision is calculated.
bool converts_64_bits(const Instruction& instruction) {
  constexpr unsigned bits_64 = 3;  // of the modifiers
  return instruction.modifier(Modifier::destination_size) == bits_64 ||
         instruction.modifier(Modifier::source_size) == bits_64;
}

}  // namespace

std::string operation_name(const Instruction& instruction) {
  constexpr unsigned reduction = 2;  // of the modifier
  const std::string name(instruction.mnemonic());
  if (name == "BAR" && instruction.modifier(Modifier::barrier_operation) == reduction) return "BAR.RED";
  if (name == "MATCH" && instruction.modifier(Modifier::wide) != 0) return "MATCH.64";
  return name;
}

std::optional<ir::OperationKind> operation_kind(const Instruction& instruction) {
  static const std::unordered_map<std::string, ir::OperationKind> kinds = {
#define SASS_KIND(mnemonic, kind) {mnemonic, ir::OperationKind::kind},
#include "frontend/sass/words/operation_kinds.def"
#undef SASS_KIND
  };
  if (converts_64_bits(instruction)) return ir::OperationKind::convert64;
  const auto known = kinds.find(operation_name(instruction));
  if (known == kinds.end()) return std::nullopt;
  return known->second;
}

std::optional<ir::AccessClass> texel_access(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (name.starts_with("SULD")) return ir::AccessClass::load;
  if (name.starts_with("SUST")) return ir::AccessClass::store;
  return name.starts_with("SURED") ? std::optional(ir::AccessClass::reduction) : std::nullopt;
}

}  // namespace warpspan::sass
