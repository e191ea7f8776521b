// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/combination.hpp"

#include <algorithm>
#include <optional>

#include "frontend/ptx/forms/unknown_word.hpp"

namespace warpspan::ptx {
namespace {

bool is_type_of(std::string_view choices, std::string_view type) {
  bool found = false;
  for_each_part(choices, '|', [&](std::string_view choice) {
    const ModifierGroup* group = type_group(choice);
    if (group == nullptr) {
      found = found || choice == type;
    } else {
      for_each_part(group->members, ' ', [&](std::string_view member) { found = found || member == type; });
    }
  });
  return found;
}

// Whether the types of a form are those of a pattern such as "u32", "<int>" or "f32.f16|bf16".
bool types_match(std::string_view pattern, const Form& form) {
  if (pattern == "-") return form.types.empty();
  size_t place = 0;
  bool all = true;
  for_each_part(pattern, '.', [&](std::string_view choices) {
    all = all && place < form.types.size() && is_type_of(choices, to_string(form.types[place]));
    ++place;
  });
  return all && place == form.types.size();
}

bool any_matches(std::string_view patterns, const Form& form) {
  bool any = false;
  for_each_part(patterns, ' ', [&](std::string_view pattern) { any = any || types_match(pattern, form); });
  return any;
}

// How many modifiers of the form are among those of "a/<b>", and whether more of them stand there than may.
struct Count {
  size_t found = 0;
  bool too_many = false;
};

Count count_choices(std::string_view choices, const Form& form) {
  Count count;
  size_t exclusive = 0;
  for_each_part(choices, '/', [&](std::string_view choice) {
    const ModifierGroup* group = modifier_group(choice);
    size_t here = 0;
    for (const std::string_view modifier : form.modifiers) {
      if (group == nullptr) {
        here += is_pattern_of(choice, modifier) ? 1 : 0;
      } else {
        for_each_part(group->members, ' ',
                      [&](std::string_view member) { here += is_pattern_of(member, modifier) ? 1 : 0; });
      }
    }
    count.found += here;
    if (here > 0) ++exclusive;
    if (group != nullptr && group->exclusive && group->most == 1 && here > 1) count.too_many = true;
  });
  if (exclusive > 1) count.too_many = true;
  return count;
}

// "one of '.lt', '.gt'" for "<comparison>".
std::string first_of(std::string_view choices) {
  std::string_view first;
  for_each_part(choices, '/', [&](std::string_view choice) {
    if (!first.empty()) return;
    const ModifierGroup* group = modifier_group(choice);
    first = group == nullptr ? choice : group->members.substr(0, group->members.find(' '));
  });
  return "'." + std::string(first) + "'";
}

// What the modifiers of a form lack or have too many of beside those of an alternative; nothing if they are right.
std::optional<UnknownWord> against(std::string_view modifiers, const Form& form) {
  std::optional<UnknownWord> error;
  size_t found = 0;
  const size_t end = form.text.size();
  const std::string name = "'" + std::string(form.text) + "'";
  for_each_part(modifiers, ' ', [&](std::string_view word) {
    const bool required = word.back() == '!';
    if (required) word.remove_suffix(1);
    const Count count = count_choices(word, form);
    found += count.found;
    if (error) return;
    if (required && count.found == 0)
      error = UnknownWord{name + " lacks a modifier such as " + first_of(word), "", end};
    if (count.too_many)
      error = UnknownWord{name + " has two modifiers that exclude each other", "take one of them out", 0};
  });
  if (!error && found < form.modifiers.size()) {
    error = UnknownWord{name + " has a modifier that does not go with the others or with its type", "", 0};
  }
  return error;
}

std::string types_of(const Form& form) {
  std::string text;
  for (const Type type : form.types) text += "." + std::string(to_string(type));
  return text;
}

}  // namespace

UnknownWord check_combination(const OpcodeRow& row, const Form& form) {
  bool type_known = false;
  std::optional<UnknownWord> first_error;
  bool fits = false;
  for_each_part(row.forms, ';', [&](std::string_view alternative) {
    if (fits) return;
    const size_t types_end = alternative.find(" : ");
    const bool typed = types_end != std::string_view::npos;
    if (typed && !any_matches(alternative.substr(0, types_end), form)) return;
    type_known = true;
    const auto error = against(typed ? alternative.substr(types_end + 3) : alternative, form);
    if (!error) fits = true;
    if (error && !first_error) first_error = error;
  });
  if (fits || (row.forms.empty())) return {};
  if (type_known) return *first_error;
  const std::string name = "'" + std::string(row.opcode.name) + "'";
  if (form.types.empty()) return {name + " needs a type", "such as '.u32' or '.f32' at its end", form.text.size()};
  const size_t place = form.text.find("." + std::string(to_string(form.type())), row.opcode.name.size());
  return {name + " has no form for type '" + types_of(form) + "'", "", place};
}

}  // namespace warpspan::ptx
