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

// Calls use(value, "KEY=VALUE") for each key of a table, in the order of the file.
template <typename Use>
void LaunchReader::for_each_pair(const std::string& key, const Use& use) {
  const toml::node* value = find_(key);
  if (value == nullptr) return;
  const toml::table* table = value->as_table();
  if (table == nullptr) {
    error(*value, "'" + key + "' must be a table, not " + std::string(type_name(*value)),
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
  read_extent("block", launch.block);
  read_extent("grid", launch.grid);
  if (launch.block && too_many_threads(*launch.block))
    error(*find_("block"), "'block' has more than 2147483647 threads");
  if (const toml::node* value = find_("registers")) {
    if (const auto text = integer_text(*value, "'registers'")) {
      keep(*value, parse_registers("'registers'", *text), launch.registers);
    }
  }
  if (const toml::node* value = find_("shared")) {
    const auto text = value->is_string() ? value->value<std::string>() : integer_text(*value, "'shared'");
    if (text) {
      keep(*value, parse_bytes("'shared'", *text), launch.dynamic_shared);
    }
  }
  read_interference(launch.interference);
  for_each_pair("args", [&](const toml::node& value, const std::string& pair) {
    ir::Argument argument;
    keep(value, parse_argument("'args'", pair), argument);
    argument.origin = origin_of(value);
    launch.arguments.push_back(std::move(argument));
  });
  for_each_pair("globals", [&](const toml::node& value, const std::string& pair) {
    ir::Argument global;
    keep(value, parse_global("'globals'", pair), global);
    global.origin = origin_of(value);
    launch.globals.push_back(std::move(global));
  });
  if (const toml::node* value = find_("trust_initialisers")) {
    if (const auto* truth = value->as_boolean()) {
      launch.trust_initialisers = truth->get();
    } else {
      error(*value, "'trust_initialisers' must be true or false, not " + std::string(type_name(*value)));
    }
  }
  for_each_pair("calls", [&](const toml::node& value, const std::string& pair) {
    ir::CallCost cost;
    keep(value, parse_call_cost("'calls'", pair), cost);
    cost.origin = origin_of(value);
    launch.call_costs.push_back(std::move(cost));
  });
  for_each_pair("recursion", [&](const toml::node& value, const std::string& pair) {
    ir::Recursion recursion;
    keep(value, parse_recursion("'recursion'", pair), recursion);
    recursion.origin = origin_of(value);
    launch.recursions.push_back(std::move(recursion));
  });
  for_each_pair("loop_bounds", [&](const toml::node& value, const std::string& pair) {
    ir::LoopBound bound;
    keep(value, parse_loop_bound("'loop_bounds'", pair), bound);
    bound.origin = origin_of(value);
    launch.loop_bounds.push_back(std::move(bound));
  });
  for_each_pair("waits", [&](const toml::node& value, const std::string& pair) {
    ir::LoopBound bound;
    keep(value, parse_wait("'waits'", pair), bound);
    bound.origin = origin_of(value);
    launch.loop_bounds.push_back(std::move(bound));
  });
  for_each_pair("buffers", [&](const toml::node& value, const std::string& pair) {
    ir::Buffer buffer;
    keep(value, parse_buffer("'buffers'", pair), buffer);
    buffer.origin = origin_of(value);
    launch.buffers.push_back(std::move(buffer));
  });
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

void LaunchReader::read_extent(std::string_view key, std::optional<ir::Extent>& to) {
  const toml::node* value = find_(key);
  if (value == nullptr) return;
  const std::string what = "'" + std::string(key) + "'";
  if (const auto* text = value->as_string()) {
    keep(*value, parse_extent(what, text->get()), to);
    return;
  }
  const toml::array* array = value->as_array();
  std::string numbers;
  for (size_t i = 0; i < (array == nullptr ? 1 : array->size()); ++i) {
    const auto number = integer_text(array == nullptr ? *value : (*array)[i], what);
    if (!number) return;
    numbers += (i == 0 ? "" : ",") + *number;
  }
  keep(*value, parse_extent(what, numbers), to);
}

// A number as TOML has it, or a text as options have it.
void LaunchReader::read_interference(std::optional<ir::Interference>& to) {
  const toml::node* value = find_("interference");
  if (value == nullptr) return;
  std::string text;
  if (const auto* given = value->as_string()) {
    text = given->get();
  } else if (const auto* number = value->as_floating_point()) {
    std::array<char, 512> digits;  // what is read as the same number, in the fewest digits
    const auto [end, failed] =
        std::to_chars(digits.data(), digits.data() + digits.size(), number->get(), std::chars_format::fixed);
    text = failed == std::errc() ? std::string(digits.data(), end) : std::string();
  } else if (const auto* whole = value->as_integer()) {
    text = std::to_string(whole->get());
  } else {
    error(*value, "'interference' must be a number or a text, not " + std::string(type_name(*value)));
    return;
  }
  keep(*value, parse_interference("'interference'", text), to);
  if (to) to->origin = origin_of(*value);
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

void LaunchReader::read_assumptions(timing::AssumptionSet& granted) {
  const toml::node* value = find_("assume");
  if (value == nullptr) return;
  for (const std::string& text : texts_of(file_, *value, "'assume'")) {
    std::vector<timing::Assumption> named;
    keep(*value, parse_assumptions("'assume'", text), named);
    for (const timing::Assumption assumption : named) granted.assume(assumption);
  }
}

}  // namespace warpspan::app
