// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/operation_rule.hpp"

#include <algorithm>
#include <charconv>

#include "ir/sizes.hpp"

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

ir::Scope scope_of(const Form& form) {
  if (form.has("cta")) return ir::Scope::block;
  if (form.has("cluster")) return ir::Scope::cluster;
  if (form.has("gpu") || form.has("gl")) return ir::Scope::device;
  return form.has("sys") ? ir::Scope::system : ir::Scope::none;
}

ir::Box box_of(const Form& form) {
  using Mode = ir::Box::Mode;
  const auto is_of_image = [](std::string_view modifier) { return modifier.starts_with("im2col"); };
  if (std::any_of(form.modifiers.begin(), form.modifiers.end(), is_of_image)) return {.mode = Mode::image_to_columns};
  if (form.has("tile::gather4") || form.has("tile::scatter4")) return {.mode = Mode::rows};
  constexpr std::string_view dimensions[] = {"1d", "2d", "3d", "4d", "5d"};
  for (size_t i = 0; i < std::size(dimensions); ++i) {
    if (form.has(dimensions[i])) return {.mode = Mode::tiled, .dimensions = static_cast<uint8_t>(i + 1)};
  }
  return {};
}

// The number that a text goes on with at its first digit, and what is behind it; 0 if it has none.
int next_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// Matrices of ldmatrix and stmatrix have eight rows of 16 bytes where they are .m8n8.
int rows_of_matrices(const Form& form) {
  constexpr int rows = 8;
  if (!form.has("m8n8")) return ir::warp_lanes;
  return form.has("x1") ? rows : form.has("x2") ? 2 * rows : static_cast<int>(ir::warp_lanes);
}

// The matrix that wmma.load or wmma.store accesses: a is m by k, b is k by n, the others are m by n.
void measure(const Form& form, ir::Matrix& matrix) {
  const auto is_shape = [](std::string_view modifier) {
    return modifier.starts_with('m') && modifier.find('n') != std::string_view::npos &&
           modifier.find('k') != std::string_view::npos;
  };
  const auto shape = std::find_if(form.modifiers.begin(), form.modifiers.end(), is_shape);
  if (shape == form.modifiers.end() || form.types.size() != 1) return;
  std::string_view text = *shape;
  const int m = next_number(text), n = next_number(text), k = next_number(text);
  if (m == 0 || n == 0 || k == 0) return;
  const char which = form.opcode->name.back();
  const int rows = which == 'b' ? k : m, columns = which == 'a' ? k : n;
  const bool by_columns = form.has("col");
  matrix.lines = by_columns ? columns : rows;
  matrix.length = by_columns ? rows : columns;
  matrix.element_bits = bits(form.type());
}

ir::OperationFacts facts_of(const Rule& rule, const Form& form) {
  using Addressing = ir::Matrix::Addressing;
  ir::OperationFacts facts = rule.facts;
  facts.scope = scope_of(form);
  facts.mapped_device = form.has("mmio");
  facts.strong = facts.mapped_device || form.has("volatile") || form.has("relaxed") || form.has("acquire");
  facts.of_cluster = form.has("shared::cluster");
  facts.compare_and_swap = form.has("cas");
  if (form.has("launch_dependents")) facts.synchronisation = ir::Synchronisation::allow_launches;
  if (form.opcode->name == "griddepcontrol" && form.has("wait"))
    facts.synchronisation = ir::Synchronisation::await_launches;
  if (facts.copy.tensor) facts.copy.box = box_of(form);
  if (facts.matrix.addressing == Addressing::rows) facts.matrix.lines = rows_of_matrices(form);
  if (facts.matrix.addressing == Addressing::whole) measure(form, facts.matrix);
  return facts;
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

MemorySpace space_named(std::string_view modifier) {
  const std::string_view name = modifier.substr(0, modifier.find("::"));
  if (name == "global") return MemorySpace::global;
  if (name == "shared") return MemorySpace::shared;
  if (name == "local") return MemorySpace::local;
  if (name == "param") return MemorySpace::parameter;
  if (name == "const") return MemorySpace::constant;
  return MemorySpace::none;
}

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
  operation.facts = facts_of(rule, form);
  operation.space = space_of(rule, form);
  operation.kind = kind_of(rule, form, operation.space);
  if (operation.kind == no_kind) return std::nullopt;
  if (rule.approximate != no_kind && form.has("approx") && form.type() != Type::f64) operation.kind = rule.approximate;
  operation.bytes = rule.bytes == from_type ? bits(form.type()) / 8 * form.vector_size : rule.bytes;
  return operation;
}

}  // namespace warpspan::ptx
