// SPDX-License-Identifier: GPL-3.0-or-later
// How the ir::Operation of an instruction word follows from its opcode, types and modifiers: one Rule in each row of
// the opcode tables.
#pragma once

#include <array>
#include <optional>

#include "frontend/ptx/forms/form.hpp"

namespace warpspan::ptx {

// In a rule: there is no such form.
inline constexpr auto no_kind = static_cast<ir::OperationKind>(ir::operation_kinds);

struct Rule {
  enum class Choice : uint8_t {
    fixed,            // kinds[0]
    by_type,          // kinds by TypeClass of the first type
    by_operand_type,  // the same by the last type: that of the operands where the result has its own
    by_width,         // kinds[1] if either type has 64 bits, else kinds[0]
    by_space,         // kinds by the space that is accessed: generic, global, shared, local, parameter, constant
  };
  Choice choice = Choice::fixed;
  std::array<ir::OperationKind, 6> kinds{no_kind, no_kind, no_kind, no_kind, no_kind, no_kind};
  ir::OperationKind approximate = no_kind;        // with .approx, for types other than f64
  ir::MemorySpace space = ir::MemorySpace::none;  // accessed where the word names none
  int bytes = 0;                                  // of one lane's access; from_type: as the word's type says
  ir::OperationFacts facts = {};                  // those that no modifier decides
};
inline constexpr int from_type = -1;

// One kind, no memory access.
constexpr Rule always(ir::OperationKind kind) { return {.kinds = {kind, no_kind, no_kind, no_kind, no_kind, no_kind}}; }

// A kind for each class of types: up to 32 bits (integers, bits, predicates), 64 bits and more, half and bfloat,
// single, double precision.
constexpr Rule by_type(ir::OperationKind up_to_32, ir::OperationKind up_to_64, ir::OperationKind half = no_kind,
                       ir::OperationKind single = no_kind, ir::OperationKind double_precision = no_kind) {
  return {.choice = Rule::Choice::by_type, .kinds = {up_to_32, up_to_64, half, single, double_precision, no_kind}};
}
constexpr Rule by_operand_type(ir::OperationKind up_to_32, ir::OperationKind up_to_64, ir::OperationKind half,
                               ir::OperationKind single, ir::OperationKind double_precision) {
  Rule rule = by_type(up_to_32, up_to_64, half, single, double_precision);
  rule.choice = Rule::Choice::by_operand_type;
  return rule;
}
constexpr Rule approximated(Rule rule, ir::OperationKind kind) {
  rule.approximate = kind;
  return rule;
}
constexpr Rule by_width(ir::OperationKind up_to_32, ir::OperationKind up_to_64) {
  return {.choice = Rule::Choice::by_width, .kinds = {up_to_32, up_to_64, no_kind, no_kind, no_kind, no_kind}};
}

// An access to the space the word names, else generic, of the size of the word's type.
constexpr Rule by_space(ir::OperationKind generic, ir::OperationKind global, ir::OperationKind shared,
                        ir::OperationKind local, ir::OperationKind parameter, ir::OperationKind constant) {
  return {.choice = Rule::Choice::by_space,
          .kinds = {generic, global, shared, local, parameter, constant},
          .space = ir::MemorySpace::generic,
          .bytes = from_type};
}
// An access to the space the word names, else `space`.
constexpr Rule memory(ir::OperationKind kind, ir::MemorySpace space, int bytes = from_type) {
  Rule rule = always(kind);
  rule.space = space;
  rule.bytes = bytes;
  return rule;
}

// What the kind does not tell.
constexpr Rule accessing(ir::AccessClass access, Rule rule) {
  rule.facts.access = access;
  return rule;
}
constexpr Rule synchronising(ir::Synchronisation what, Rule rule) {
  rule.facts.synchronisation = what;
  return rule;
}
constexpr Rule copying(ir::Copy::Kind kind, Rule rule) {
  rule.facts.copy.kind = kind;
  return rule;
}
constexpr Rule copying_tensor(ir::Copy::Kind kind, Rule rule) {
  rule.facts.copy = {.kind = kind, .tensor = true};
  return rule;
}
constexpr Rule of_matrix(ir::Matrix::Addressing addressing, Rule rule) {
  rule.facts.matrix.addressing = addressing;
  return rule;
}
constexpr Rule electing(Rule rule) {
  rule.facts.elects = true;
  return rule;
}
constexpr Rule discarding(Rule rule) {
  rule.facts.discards = true;
  return rule;
}

// The memory space that a modifier names: "global", "shared::cta"; none if it names none.
ir::MemorySpace space_named(std::string_view modifier);

// How many types a word must have for the rule to say something.
size_t types_needed(const Rule& rule);

// The operation of a form whose modifiers, types and vector size are known; nothing if the opcode has no form for its
// type. The types that the rule needs are there.
std::optional<ir::Operation> operation_of(const Rule& rule, const Form& form);

}  // namespace warpspan::ptx
