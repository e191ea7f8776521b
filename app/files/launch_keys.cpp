// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/launch_keys.hpp"

#include <array>
#include <charconv>

#include "app/cli/option_values.hpp"
#include "support/shell_words.hpp"

namespace warpspan::app {

using support::Diagnostic;
using support::Result;
using support::TomlFile;
using support::type_name;

std::vector<std::string_view> keys_of_launch() {
  std::vector<std::string_view> keys = {"assume", "arch", "flags", "assemble"};
  for (const FactKind& kind : fact_kinds()) keys.push_back(kind.key);
  return keys;
}

std::vector<std::string> texts_of(TomlFile& file, const toml::node& value, const std::string& what) {
  const toml::array* array = value.as_array();
  std::vector<std::string> texts;
  for (size_t i = 0; i < (array == nullptr ? 1 : array->size()); ++i) {
    const toml::node& element = array == nullptr ? value : (*array)[i];
    const auto* text = element.as_string();
    if (text != nullptr && !text->get().empty()) {
      texts.push_back(text->get());
    } else if (text == nullptr) {
      file.error(element.source(),
                 what + " must be a text or an array of texts, not " + std::string(type_name(element)), "");
    } else {
      file.error(element.source(), what + " must not be empty", "");
    }
  }
  if (array != nullptr && array->empty()) file.error(value.source(), what + " must not be empty", "");
  return texts;
}

// The value that a parser of options finds, or its errors at the place of the value.
template <typename T, typename To>
void LaunchReader::keep(const toml::node& value, const Result<T>& result, To& to) {
  if (result) {
    to = *result;
  } else {
    for (const Diagnostic& wrong : result.errors()) error(value, wrong.message, wrong.help);
  }
}

// Calls use(value, "NAME=VALUE") for each key of a table, in the order of the file.
template <typename Use>
void LaunchReader::for_each_pair(const std::string& key, const toml::node& value, const Use& use) {
  const toml::table* table = value.as_table();
  if (table == nullptr) {
    error(value, "'" + key + "' must be a table, not " + std::string(type_name(value)),
          "write " + key + " = { NAME = 100 }");
    return;
  }
  for (const std::string& name : support::keys_in_order({table})) {
    const toml::node& element = *table->get(name);
    if (const auto* text = element.as_string()) {
      use(element, name + "=" + text->get());
    } else if (const auto number = integer_text(element, "'" + name + "' of '" + key + "'")) {
      use(element, name + "=" + *number);
    }
  }
}

void LaunchReader::read(ir::Launch& launch) {
  for (const FactKind& kind : fact_kinds()) {
    if (const toml::node* value = find_(kind.key)) read_fact(kind, *value, launch);
  }
}

void LaunchReader::read_fact(const FactKind& kind, const toml::node& value, ir::Launch& launch) {
  const std::string what = "'" + std::string(kind.key) + "'";
  const auto read = [&](const toml::node& at, const std::string& text) {
    for (const Diagnostic& wrong : kind.read({what, text, origin_of(at)}, launch)) error(at, wrong.message, wrong.help);
  };
  switch (kind.key_form) {
    case FactKind::Key::truth: {
      const auto* truth = value.as_boolean();
      if (truth == nullptr) return error(value, what + " must be true or false, not " + std::string(type_name(value)));
      if (truth->get()) read(value, {});
      return;
    }
    case FactKind::Key::pairs: return for_each_pair(std::string(kind.key), value, read);
    case FactKind::Key::integers_or_text:
    case FactKind::Key::integer_or_text:
    case FactKind::Key::number_or_text:
    case FactKind::Key::integer: break;
  }
  if (const auto text = text_of_number(kind, value, what)) read(value, *text);
}

// A number as TOML has it, or a text as options have it.
std::optional<std::string> LaunchReader::text_of_number(const FactKind& kind, const toml::node& value,
                                                        const std::string& what) {
  if (kind.key_form == FactKind::Key::integer) return integer_text(value, what);
  if (const auto* text = value.as_string()) return text->get();
  if (kind.key_form == FactKind::Key::integer_or_text) return integer_text(value, what);
  if (kind.key_form == FactKind::Key::number_or_text) return decimal_text(value, what);
  const toml::array* array = value.as_array();
  std::string numbers;
  for (size_t i = 0; i < (array == nullptr ? 1 : array->size()); ++i) {
    const auto number = integer_text(array == nullptr ? value : (*array)[i], what);
    if (!number) return std::nullopt;
    numbers += (i == 0 ? "" : ",") + *number;
  }
  return numbers;
}

// Where a report says that it is from.
ir::Origin LaunchReader::origin_of(const toml::node& value) const {
  const toml::source_region& at = value.source();
  return {{}, {name_, at.begin.line, at.begin.column}, std::string(file_.line_at(at))};
}

std::optional<std::string> LaunchReader::integer_text(const toml::node& value, const std::string& what) {
  if (const auto* integer = value.as_integer()) return std::to_string(integer->get());
  error(value, what + " must be an integer, not " + std::string(type_name(value)));
  return std::nullopt;
}

// What is read as the same number, in the fewest digits.
std::optional<std::string> LaunchReader::decimal_text(const toml::node& value, const std::string& what) {
  if (value.is_integer()) return integer_text(value, what);
  const auto* number = value.as_floating_point();
  if (number == nullptr) {
    error(value, what + " must be a number or a text, not " + std::string(type_name(value)));
    return std::nullopt;
  }
  std::array<char, 512> digits;
  const auto [end, failed] =
      std::to_chars(digits.data(), digits.data() + digits.size(), number->get(), std::chars_format::fixed);
  return failed == std::errc() ? std::string(digits.data(), end) : std::string();
}

// As a shell splits them.
void LaunchReader::read_words(std::string_view key, std::vector<std::string>& to) {
  const toml::node* value = find_(key);
  if (value == nullptr) return;
  const std::string what = "'" + std::string(key) + "'";
  const auto* text = value->as_string();
  if (text == nullptr) {
    error(*value, what + " must be a text, not " + std::string(type_name(*value)));
    return;
  }
  keep(*value, support::shell_words(text->get()), to);
  if (to.empty()) error(*value, what + " must not be empty");
}

void LaunchReader::read_compilation(Compilation& how) {
  read_words("flags", how.flags);
  read_words("assemble", how.assembler);
  if (const toml::node* value = find_("arch")) {
    if (const auto* text = value->as_string()) {
      how.target = text->get();
    } else {
      error(*value, "'arch' must be a text, not " + std::string(type_name(*value)), "write arch = \"sm_80\"");
    }
  }
}

void LaunchReader::read_assumptions(timing::Grant& assumed) {
  const toml::node* value = find_("assume");
  if (value == nullptr) return;
  for (const std::string& text : texts_of(file_, *value, "'assume'")) {
    timing::Grant named;
    keep(*value, parse_assumptions("'assume'", text), named);
    assumed.add(named);
  }
}

}  // namespace warpspan::app
