// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/operand_pattern.hpp"

#include <charconv>
#include <optional>
#include <utility>

namespace warpspan::sass {
namespace {

using Place = OperandPattern::Place;

struct ModifierText {
  std::string_view name;
  std::string_view values;
};
constexpr ModifierText modifier_texts[] = {
#define SASS_MODIFIER(enumerator, values, what) {#enumerator, values},
#include "frontend/sass/words/modifiers.def"
#undef SASS_MODIFIER
};

constexpr std::pair<std::string_view, Width> width_names[] = {
    {"size", Width::size},           {"atomic", Width::atomic},         {"float_atomic", Width::float_atomic},
    {"ldsm", Width::ldsm},           {"sector_low", Width::sector_low}, {"sector_high", Width::sector_high},
    {"converted", Width::converted}, {"source", Width::source},         {"hmma_a", Width::hmma_a},
    {"hmma_b", Width::hmma_b},       {"hmma_c", Width::hmma_c},         {"imma_a", Width::imma_a},
    {"imma_b", Width::imma_b},       {"imma_c", Width::imma_c},         {"bmma_a", Width::bmma_a},
    {"bmma_b", Width::bmma_b},       {"bmma_c", Width::bmma_c},         {"dmma_a", Width::dmma_a},
    {"dmma_b", Width::dmma_b},       {"dmma_c", Width::dmma_c},         {"qmma_a", Width::qmma_a},
    {"qmma_b", Width::qmma_b},       {"qmma_c", Width::qmma_c},         {"gmma_c", Width::gmma_c},
    {"igmma_c", Width::igmma_c},     {"texels_low", Width::texels_low}, {"texels_high", Width::texels_high},
    {"bgmma_c", Width::bgmma_c},
};

constexpr std::pair<std::string_view, Place> place_names[] = {
    {"@global_load", Place::global_load},
    {"@global_store", Place::global_store},
    {"@generic", Place::generic},
    {"@sector_load", Place::sector_load},
    {"@sector_store", Place::sector_store},
    {"@atomic", Place::atomic},
    {"@shared_load", Place::shared_load},
    {"@shared_store", Place::shared_store},
    {"@copy_to_shared", Place::copy_to_shared},
    {"@copy_from_global", Place::copy_from_global},
    {"@uniform_address", Place::uniform_address},
    {"@cache", Place::cache},
    {"@constant", Place::constant},
    {"@constant_alone", Place::constant_alone},
    {"@uniform_constant", Place::uniform_constant},
    {"@wide_uniform_constant", Place::wide_uniform_constant},
    {"@bindless_constant", Place::bindless_constant},
    {"@warpsync", Place::warpsync},
    {"@sparse_half", Place::sparse_half},
    {"@sparse_integer", Place::sparse_integer},
    {"@sparse_eighth", Place::sparse_eighth},
    {"@scale", Place::scale},
    {"@third_predicate", Place::third_predicate},
    {"label", Place::label},
    {"sr", Place::special_register},
    {"a", Place::source_a},
    {"b", Place::source_b},
    {"c", Place::source_c},
    {"v", Place::source_at_32},
    {"w", Place::source_at_64_or_32},
};

// Takes a number off the beginning.
std::optional<unsigned> take_number(std::string_view& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

// Takes "bit" or "bit:bits".
bool take_field(std::string_view& text, uint8_t& bit, uint8_t& bits) {
  const auto first = take_number(text);
  if (!first) return false;
  bit = static_cast<uint8_t>(*first);
  bits = 1;
  if (!take(text, ":")) return true;
  const auto second = take_number(text);
  bits = static_cast<uint8_t>(second.value_or(0));
  return second && bits >= 1 && *first + *second <= 128;
}

bool take_register(std::string_view& text, OperandPattern& pattern) {
  if (take(text, "UPR") || take(text, "PR")) {
    pattern.place = Place::predicates;
    return true;
  }
  constexpr std::pair<char, RegisterClass> classes[] = {{'R', RegisterClass::general},
                                                        {'U', RegisterClass::uniform},
                                                        {'P', RegisterClass::predicate},
                                                        {'Q', RegisterClass::uniform_predicate},
                                                        {'B', RegisterClass::barrier}};
  for (const auto& [letter, register_class] : classes) {
    if (text.empty() || text.front() != letter) continue;
    text.remove_prefix(1);
    pattern.register_class = register_class;
    const auto bit = take_number(text);
    pattern.bit = static_cast<uint8_t>(bit.value_or(0));
    return bit && *bit <= 120;
  }
  return false;
}

bool take_immediate(std::string_view& text, OperandPattern& pattern) {
  if (text.size() < 2 || (text.front() != 'i' && text.front() != 's')) return false;
  pattern.place = text.front() == 'i' ? Place::immediate : Place::signed_immediate;
  text.remove_prefix(1);
  return take_field(text, pattern.bit, pattern.bits) && pattern.bits <= 64;
}

bool take_place(std::string_view& text, OperandPattern& pattern) {
  const size_t end = text.find_first_of("*?-~!|=+");
  const std::string_view name = text.substr(0, end);
  for (const auto& [known, place] : place_names) {
    if (name != known) continue;
    pattern.place = place;
    text.remove_prefix(name.size());
    return true;
  }
  return false;
}

bool take_width(std::string_view& text, OperandPattern& pattern) {
  if (!take(text, "*")) return true;
  const size_t end = text.find_first_of("?-~!|=+");
  const std::string_view name = text.substr(0, end);
  for (const auto& [known, width] : width_names) {
    if (name != known) continue;
    pattern.width = width;
    text.remove_prefix(name.size());
    return true;
  }
  if (text.starts_with('b') || text.starts_with('n')) {
    pattern.width = text.front() == 'b' ? Width::bit : Width::narrow;
    text.remove_prefix(1);
  }
  const auto number = take_number(text);
  pattern.width_number = static_cast<uint8_t>(number.value_or(0));
  return number && *number >= 1 && *number <= 128;
}

bool read_operand(std::string_view text, OperandPattern& pattern) {
  if (text == "UPR" || text == "UPR=") pattern.register_class = RegisterClass::uniform_predicate;
  if (text == "PR" || text == "PR=") pattern.register_class = RegisterClass::predicate;
  if (!take_place(text, pattern) && !take_immediate(text, pattern) && !take_register(text, pattern)) return false;
  if (!take_width(text, pattern)) return false;
  pattern.complemented = take(text, "^");
  pattern.at_most = take(text, "?");
  if (take(text, "-")) pattern.may_negate = true;
  if (take(text, "~")) pattern.may_negate = pattern.may_invert = true;
  if (take(text, "!")) pattern.may_invert = true;
  if (take(text, "|")) pattern.may_be_absolute = true;
  if (take(text, "=")) pattern.role = Role::written;
  if (take(text, "+")) pattern.role = Role::both;
  return text.empty();
}

// "bit:bits" of bits without a meaning.
bool read_meaningless(std::string_view text, BitField& field) {
  return take_field(text, field.bit, field.bits) && text.empty();
}

// "bit:bits=value".
bool read_fixed(std::string_view text, FixedField& field) {
  if (!take_field(text, field.bit, field.bits) || !take(text, "=")) return false;
  const auto value = take_number(text);
  field.value = value.value_or(0);
  return value && text.empty() && (field.bits >= 64 || field.value >> field.bits == 0);
}

bool read_modifier(std::string_view text, ModifierPattern& pattern) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos) return false;
  const std::string_view name = text.substr(0, at);
  text.remove_prefix(at + 1);
  size_t number = 0;
  while (number < std::size(modifier_texts) && modifier_texts[number].name != name) ++number;
  if (number == std::size(modifier_texts)) return false;
  pattern = {static_cast<Modifier>(number), 0, 1, 0, 0};
  if (!take_field(text, pattern.bit, pattern.bits)) return false;
  if (take(text, ",") && !take_field(text, pattern.second_bit, pattern.second_bits)) return false;
  return text.empty() && pattern.bits + pattern.second_bits <= 16;
}

// Calls f with each word of a text until f is not content; returns that word.
template <typename F>
std::string first_wrong(std::string_view text, F f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!f(text.substr(0, end))) return std::string(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

}  // namespace

std::string compile(Opcode& opcode) {
  opcode.uniform_guard = opcode.unit == Unit::uniform || opcode.unit == Unit::async_copy;
  std::string wrong = first_wrong(opcode.operand_text, [&](std::string_view word) {
    if (word == "@UP") return opcode.uniform_guard = true;
    return read_operand(word, opcode.operands.emplace_back()) && opcode.operands.size() <= most_operands;
  });
  if (!wrong.empty()) return "operand " + wrong;
  wrong = first_wrong(opcode.modifier_text, [&](std::string_view word) {
    if (take(word, "?")) return read_meaningless(word, opcode.meaningless.emplace_back());
    if (take(word, "~")) return read_modifier(word, opcode.unasked.emplace_back());
    if (word.find('=') != std::string_view::npos) return read_fixed(word, opcode.fixed.emplace_back());
    return read_modifier(word, opcode.modifiers.emplace_back()) && opcode.modifiers.size() <= most_modifiers;
  });
  return wrong.empty() ? "" : "modifier " + wrong;
}

std::string_view name_of(Modifier modifier) { return modifier_texts[static_cast<size_t>(modifier)].name; }

std::string_view values_of(Modifier modifier) { return modifier_texts[static_cast<size_t>(modifier)].values; }

}  // namespace warpspan::sass
