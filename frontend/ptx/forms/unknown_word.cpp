// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/unknown_word.hpp"

#include <algorithm>

#include "support/nearest.hpp"

namespace warpspan::ptx {
namespace {

using support::edit_distance;
using support::nearest;

// "'.a', '.b' or '.c'"
std::string alternatives(const std::vector<std::string_view>& parts) {
  std::vector<std::string> words;
  for (const std::string_view part : parts) words.push_back("'." + std::string(part) + "'");
  return support::alternatives(words);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string did_you_mean(std::string_view text) { return text.empty() ? "" : "did you mean " + quoted(text) + "?"; }

// The first `parts` parts of a word.
std::string_view leading(std::string_view word, size_t parts) {
  size_t end = 0;
  for (size_t i = 0; i < parts && end < word.size(); ++i)
    end = std::min(word.find('.', end + (i > 0 ? 1 : 0)), word.size());
  return word.substr(0, end);
}

size_t parts_in(std::string_view name) { return static_cast<size_t>(std::count(name.begin(), name.end(), '.')) + 1; }

// The row name that is nearest to as many leading parts of the word.
std::string_view nearest_opcode(std::string_view word) {
  std::string_view best;
  size_t least = SIZE_MAX;
  for (const OpcodeRow* row : opcode_rows()) {
    const std::string_view name = row->opcode.name;
    const std::string_view start = leading(word, parts_in(name));
    if (nearest(start, {name}).empty()) continue;
    const size_t distance = edit_distance(start, name);
    if (distance > least || (distance == least && parts_in(name) <= parts_in(best))) continue;
    least = distance;
    best = name;
  }
  return best;
}

}  // namespace

UnknownWord unknown_opcode(std::string_view word) {
  // The longest beginning that some row continues.
  size_t end = leading(word, 1).size();
  if (continuations(word.substr(0, end)).empty()) {
    return {"unknown opcode " + quoted(word.substr(0, end)), did_you_mean(nearest_opcode(lower_case(word))), 0};
  }
  for (size_t parts = 2; parts <= parts_in(word); ++parts) {
    const std::string_view longer = leading(word, parts);
    if (continuations(longer).empty()) break;
    end = longer.size();
  }
  const std::string_view name = word.substr(0, end);
  if (end == word.size()) return incomplete_opcode(name, end);
  const std::string_view next = leading(word.substr(end + 1), 1);
  const std::string_view meant = nearest(next, continuations(name));
  if (meant.empty() && (type_named(next) != Type::none || is_modifier(next))) return incomplete_opcode(name, end);
  if (meant.empty()) {
    return {"unknown opcode " + quoted(word.substr(0, end + 1 + next.size())),
            quoted(name) + " goes on with " + alternatives(continuations(name)), end};
  }
  return {"unknown opcode " + quoted(word.substr(0, end + 1 + next.size())),
          did_you_mean(std::string(name) + "." + std::string(meant)), end};
}

UnknownWord incomplete_opcode(std::string_view name, size_t offset) {
  return {"incomplete opcode " + quoted(name), quoted(name) + " goes on with " + alternatives(continuations(name)),
          offset};
}

UnknownWord unknown_modifier(const OpcodeRow& row, std::string_view modifier, size_t offset) {
  const std::string_view opcode = row.opcode.name;
  std::string message = "unknown modifier '." + std::string(modifier) + "' of " + quoted(opcode);
  std::vector<std::string_view> candidates = continuations(opcode);
  if (std::find(candidates.begin(), candidates.end(), modifier) != candidates.end()) {
    return {std::move(message), "it must follow " + quoted(opcode) + " at once", offset};
  }
  for (const std::string_view known : modifiers_of(row)) candidates.push_back(known);
  for (const std::string_view type : type_names()) candidates.push_back(type);
  const std::string_view meant = nearest(modifier, candidates);
  return {std::move(message), meant.empty() ? "" : did_you_mean("." + std::string(meant)), offset};
}

UnknownWord repeated_modifier(std::string_view modifier, size_t offset) {
  return {"modifier '." + std::string(modifier) + "' stands twice", "take one of them out", offset};
}

UnknownWord second_vector_size(std::string_view modifier, size_t offset) {
  return {"'." + std::string(modifier) + "' is a second vector size", "take one of them out", offset};
}

UnknownWord missing_type(const OpcodeRow& row, size_t needed, size_t offset) {
  return {quoted(row.opcode.name) + " needs " + (needed == 1 ? "a type" : "two types"),
          needed == 1 ? "such as '.u32' or '.f32' at its end" : "such as '.f32.s32' at its end: result, then operand",
          offset};
}

UnknownWord wrong_type(const OpcodeRow& row, Type type, size_t offset) {
  return {quoted(row.opcode.name) + " has no form for type '." + std::string(to_string(type)) + "'", "", offset};
}

}  // namespace warpspan::ptx
