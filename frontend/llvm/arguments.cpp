#include "frontend/llvm/arguments.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "frontend/ptx/form.hpp"

namespace warpspan::lift {

namespace {

using support::Diagnostic;
using support::usage_error;

struct Number {
  bool negative = false;
  uint64_t magnitude = 0;
};

std::optional<Number> parse_number(std::string_view text) {
  Number number;
  if (!text.empty() && text.front() == '-') {
    number.negative = true;
    text.remove_prefix(1);
  }
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number.magnitude, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string parameter_list(const ptx::Module& module, const ptx::Function& function) {
  if (function.parameters.empty()) return "it has no parameters";
  std::string text = "its parameters are ";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(module.variables[function.parameters[i].variable].name);
  }
  return text;
}

// The variable of the parameter that an argument names, by name or index.
std::optional<uint32_t> find_parameter(const ptx::Module& module, const ptx::Function& function,
                                       const std::string& wanted) {
  for (const ptx::Parameter& parameter : function.parameters) {
    if (module.variables[parameter.variable].name == wanted) return parameter.variable;
  }
  size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error != std::errc() || end != wanted.data() + wanted.size()) return std::nullopt;
  if (index >= function.parameters.size()) return std::nullopt;
  return function.parameters[index].variable;
}

// The value in the two's complement of `width` bits, or nothing if it has no place there.
std::optional<uint64_t> fit(const Number& number, int width) {
  const uint64_t all = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
  if (!number.negative) return number.magnitude <= all ? std::optional(number.magnitude) : std::nullopt;
  if (number.magnitude > uint64_t{1} << (width - 1)) return std::nullopt;
  return (0 - number.magnitude) & all;
}

std::optional<Diagnostic> bind(const ptx::Module& module, const ptx::Function& function, const ir::Argument& argument,
                               Bindings& bindings) {
  const auto variable = find_parameter(module, function, argument.parameter);
  if (!variable) {
    return usage_error("kernel " + quoted(function.name) + " has no parameter " + quoted(argument.parameter),
                       parameter_list(module, function));
  }
  const ptx::Variable& parameter = module.variables[*variable];
  const std::string name = "parameter " + quoted(parameter.name) + " of kernel " + quoted(function.name);
  const int width = ptx::bits(parameter.type);
  if (!is_integer(parameter.type) || parameter.bytes * 8 != width) {
    const bool array = is_integer(parameter.type);
    return usage_error(name + " cannot be given a value: it is " +
                           (array ? "an array of " + std::to_string(parameter.bytes) + " bytes"
                                  : "of type " + std::string(ptx::name(parameter.type))),
                       "only parameters that are one integer can be given a value");
  }
  const auto number = parse_number(argument.value);
  if (!number) {
    return usage_error(quoted(argument.value) + " is not an integer, as " + name + " needs",
                       "write it in decimal or as 0x followed by hexadecimal digits");
  }
  const auto value = fit(*number, width);
  if (!value) {
    return usage_error(argument.value + " does not fit " + name + ", which has " + std::to_string(width) + " bits");
  }
  if (!bindings.emplace(*variable, *value).second) return usage_error(name + " is given a value twice");
  return std::nullopt;
}

}  // namespace

support::Result<Bindings> bind_arguments(const ptx::Module& module, const ptx::Function& function,
                                         const ir::Launch& launch) {
  Bindings bindings;
  support::Diagnostics errors;
  for (const ir::Argument& argument : launch.arguments) {
    if (auto error = bind(module, function, argument, bindings)) errors.push_back(std::move(*error));
  }
  if (!errors.empty()) return errors;
  return bindings;
}

}  // namespace warpspan::lift
