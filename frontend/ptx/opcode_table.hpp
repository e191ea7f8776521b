// The opcode tables, and finding a row in them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend/ptx/form.hpp"
#include "frontend/ptx/meaning.hpp"
#include "frontend/ptx/operation_rule.hpp"

namespace warpspan::ptx {

struct OpcodeRow {
  Opcode opcode;
  Rule rule;
  Meaning meaning;
  std::string_view modifiers;  // and groups in angle brackets
};

// All rows, ordered by name.
std::span<const OpcodeRow* const> opcode_rows();

// The row with the longest name that begins the word and ends where a part of it ends; nullptr if there is none.
const OpcodeRow* find_opcode(std::string_view word);

// The parts that can follow `name` to make the name of a row: "lo", "hi", "wide" for "mul". Ordered, each once.
std::vector<std::string_view> continuations(std::string_view name);

// Every modifier the row may have; a '#' stands for a number.
std::vector<std::string_view> modifiers_of(const OpcodeRow& row);

// How often a modifier may stand in a word of this row: 0 if never.
int most_of(const OpcodeRow& row, std::string_view modifier);

// Whether any row may have the modifier.
bool is_modifier(std::string_view part);

// The type of that name, or Type::none.
Type type_named(std::string_view name);

// In the order of Type, the empty name of Type::none first.
std::span<const std::string_view> type_names();

}  // namespace warpspan::ptx
