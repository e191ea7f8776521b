#include "frontend/lift/arguments.hpp"

#include <charconv>
#include <optional>
#include <string>

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

std::string parameter_list(const ir::Program& program) {
  if (program.parameters == 0) return "it has no parameters";
  std::string text = "its parameters are ";
  for (uint32_t i = 0; i < program.parameters; ++i) text += (i == 0 ? "" : ", ") + program.variables[i].name;
  return text;
}

// The parameter that an argument names, by name or index.
std::optional<ir::VariableId> find_parameter(const ir::Program& program, const std::string& wanted) {
  for (ir::VariableId i = 0; i < program.parameters; ++i) {
    if (program.variables[i].name == wanted) return i;
  }
  ir::VariableId index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error != std::errc() || end != wanted.data() + wanted.size()) return std::nullopt;
  return index < program.parameters ? std::optional(index) : std::nullopt;
}

// The value in the two's complement of `width` bits, or nothing if it has no place there.
std::optional<uint64_t> fit(const Number& number, int width) {
  const uint64_t all = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
  if (!number.negative) return number.magnitude <= all ? std::optional(number.magnitude) : std::nullopt;
  if (number.magnitude > uint64_t{1} << (width - 1)) return std::nullopt;
  return (0 - number.magnitude) & all;
}

// What an argument gives a value to.
struct Target {
  ir::ByteRange bytes;
  std::string name;
  bool is_plural = false;
};

std::string name_of(const ir::ByteRange& bytes) {
  if (bytes.count == 1) return "byte " + std::to_string(bytes.offset) + " of ";
  return "bytes " + std::to_string(bytes.offset) + " to " + std::to_string(bytes.offset + bytes.count - 1) + " of ";
}

support::Result<Target> find_target(const ir::Variable& parameter, const std::string& name,
                                    const ir::Argument& argument) {
  if (argument.bytes) {
    const ir::ByteRange& bytes = *argument.bytes;
    if (bytes.offset + bytes.count <= parameter.bytes) return Target{bytes, name_of(bytes) + name, bytes.count > 1};
    return usage_error(name + " has " + std::to_string(parameter.bytes) + " bytes, so it has no " +
                       name_of(bytes).substr(0, name_of(bytes).size() - 4));
  }
  const int width = parameter.element_bits;
  if (parameter.is_integer && parameter.bytes * 8 == width) return Target{{0, width / 8}, name};
  return usage_error(name + " cannot be given a value: it is " +
                         (parameter.is_integer ? "an array of " + std::to_string(parameter.bytes) + " bytes"
                                               : "of type " + parameter.type),
                     "give a value to some of its bytes: --arg " + parameter.name + "+0:4=VALUE");
}

std::optional<Diagnostic> bind(const ir::Program& program, const ir::Argument& argument, Bindings& bindings) {
  const std::string kernel = "kernel " + quoted(program.name());
  const auto variable = find_parameter(program, argument.parameter);
  if (!variable) {
    return usage_error(kernel + " has no parameter " + quoted(argument.parameter), parameter_list(program));
  }
  const ir::Variable& parameter = program.variables[*variable];
  const std::string name = "parameter " + quoted(parameter.name) + " of " + kernel;
  const auto target = find_target(parameter, name, argument);
  if (!target) return target.errors().front();
  const auto number = parse_number(argument.value);
  if (!number) {
    return usage_error(quoted(argument.value) + " is not an integer, as " + target->name + " needs",
                       "write it in decimal or as 0x followed by hexadecimal digits");
  }
  const ir::ByteRange& bytes = target->bytes;
  const auto value = fit(*number, static_cast<int>(bytes.count * 8));
  if (!value) {
    return usage_error(argument.value + " does not fit " + target->name +
                       (target->is_plural ? ", which have " : ", which has ") + std::to_string(bytes.count * 8) +
                       " bits");
  }
  const bool is_file = argument.origin.is_file();
  if (is_file && bindings.value(*variable, bytes.offset, bytes.count) == value) return std::nullopt;
  if (!bindings.bind(*variable, bytes.offset, bytes.count, *value)) {
    return usage_error(target->name + (target->is_plural ? " are" : " is") + " given a value twice" +
                       (is_file ? ", and not the same one" : ""));
  }
  return std::nullopt;
}

// An error of an argument that stands in a file is told there.
Diagnostic at_origin(Diagnostic error, const ir::Origin& origin) {
  if (!origin.is_file()) return error;
  error.location = origin.location;
  error.source_line = origin.line;
  return error;
}

}  // namespace

bool Bindings::bind(ir::VariableId parameter, int64_t offset, int64_t count, uint64_t value) {
  for (int64_t i = 0; i < count; ++i) {
    if (bytes_.count({parameter, offset + i}) > 0) return false;
  }
  for (int64_t i = 0; i < count; ++i) bytes_[{parameter, offset + i}] = static_cast<uint8_t>(value >> (8 * i));
  return true;
}

std::optional<uint64_t> Bindings::value(ir::VariableId parameter, int64_t offset, int64_t count) const {
  if (count < 1 || count > 8) return std::nullopt;
  uint64_t value = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto known = bytes_.find({parameter, offset + i});
    if (known == bytes_.end()) return std::nullopt;
    value |= uint64_t{known->second} << (8 * i);
  }
  return value;
}

support::Result<Bindings> bind_arguments(const ir::Program& program, const ir::Launch& launch) {
  Bindings bindings;
  support::Diagnostics errors;
  for (const ir::Argument& argument : launch.arguments) {
    if (auto error = bind(program, argument, bindings)) errors.push_back(at_origin(std::move(*error), argument.origin));
  }
  if (!errors.empty()) return errors;
  return bindings;
}

}  // namespace warpspan::lift
