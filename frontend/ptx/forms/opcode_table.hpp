// SPDX-License-Identifier: GPL-3.0-or-later
// The opcode tables, and finding a row in them.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/ptx/forms/form.hpp"
#include "frontend/ptx/forms/meaning.hpp"
#include "frontend/ptx/forms/operation_rule.hpp"

namespace warpspan::ptx {

struct OpcodeRow {
  Opcode opcode;
  Rule rule;
  Meaning meaning;
  std::string_view forms;  // which types and modifiers go together: see opcodes/README.md
};

struct ModifierGroup {
  std::string_view name;
  int most = 1;            // how often one member may stand in a word
  bool exclusive = false;  // only one member may
  std::string_view members;
};

// The group of modifiers in angle brackets, "<rounding>", or of types, "<int>"; nullptr if it is none.
const ModifierGroup* modifier_group(std::string_view word);
const ModifierGroup* type_group(std::string_view word);

// Whether a modifier is the one a pattern describes, whose '#' stand for numbers.
bool is_pattern_of(std::string_view pattern, std::string_view modifier);

// Calls f with each part of a list between separators; empty parts are left out.
template <typename F>
void for_each_part(std::string_view list, char separator, F f) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    if (end > 0) f(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

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
