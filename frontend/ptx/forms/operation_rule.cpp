#include "frontend/ptx/forms/operation_rule.hpp"

#include <algorithm>

namespace warpspan::ptx {
namespace {

using ir::MemorySpace;
using ir::OperationKind;

// Index into the kinds of a rule by type.
size_t type_class(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2: return 2;
    case Type::f32:
    case Type::f32x2:
    case Type::tf32: return 3;
    case Type::f64: return 4;
    default: return bits(type) > 32 ? 1 : 0;
  }
}

// Index into the kinds of a rule by space.
size_t space_class(MemorySpace space) {
  switch (space) {
    case MemorySpace::global: return 1;
    case MemorySpace::shared: return 2;
    case MemorySpace::local: return 3;
    case MemorySpace::parameter: return 4;
    case MemorySpace::constant: return 5;
    default: return 0;
  }
}

MemorySpace space_named(std::string_view modifier) {
  const std::string_view name = modifier.substr(0, modifier.find("::"));
  if (name == "global") return MemorySpace::global;
  if (name == "shared") return MemorySpace::shared;
  if (name == "local") return MemorySpace::local;
  if (name == "param") return MemorySpace::parameter;
  if (name == "const") return MemorySpace::constant;
  return MemorySpace::none;
}

// A copy names two spaces; what takes long is the global one.
MemorySpace space_of(const Rule& rule, const Form& form) {
  if (rule.space == MemorySpace::none) return MemorySpace::none;
  MemorySpace found = MemorySpace::none;
  for (const std::string_view modifier : form.modifiers) {
    const MemorySpace named = space_named(modifier);
    if (named == MemorySpace::global || found == MemorySpace::none) found = named;
  }
  return found == MemorySpace::none ? rule.space : found;
}

ir::OperationKey key_of(const Form& form) {
  ir::OperationKey key;
  key.opcode = form.opcode->name;
  for (const Type type : form.types) key.types.emplace_back(to_string(type));
  const std::string vector = "v" + std::to_string(form.vector_size);
  for (const std::string_view modifier : form.modifiers) {
    if (modifier != vector) key.modifiers.emplace_back(modifier);
  }
  std::sort(key.modifiers.begin(), key.modifiers.end());
  key.vector_size = form.vector_size;
  return key;
}

OperationKind kind_of(const Rule& rule, const Form& form, MemorySpace space) {
  switch (rule.choice) {
    case Rule::Choice::by_type: return rule.kinds[type_class(form.types.front())];
    case Rule::Choice::by_operand_type: return rule.kinds[type_class(form.types.back())];
    case Rule::Choice::by_width: {
      const bool wide = std::any_of(form.types.begin(), form.types.end(), [](Type type) { return bits(type) == 64; });
      return rule.kinds[wide ? 1 : 0];
    }
    case Rule::Choice::by_space: return rule.kinds[space_class(space)];
    default: return rule.kinds[0];
  }
}

}  // namespace

bool names_space(std::string_view modifier) { return space_named(modifier) != MemorySpace::none; }

size_t types_needed(const Rule& rule) {
  switch (rule.choice) {
    case Rule::Choice::by_type: return 1;
    case Rule::Choice::by_operand_type:
    case Rule::Choice::by_width: return 2;
    default: return rule.bytes == from_type ? 1 : 0;
  }
}

std::optional<ir::Operation> operation_of(const Rule& rule, const Form& form) {
  ir::Operation operation;
  operation.text = form.text;
  operation.key = key_of(form);
  operation.space = space_of(rule, form);
  operation.kind = kind_of(rule, form, operation.space);
  if (operation.kind == no_kind) return std::nullopt;
  if (rule.approximate != no_kind && form.has("approx") && form.type() != Type::f64) operation.kind = rule.approximate;
  operation.bytes = rule.bytes == from_type ? bits(form.type()) / 8 * form.vector_size : rule.bytes;
  return operation;
}

}  // namespace warpspan::ptx
