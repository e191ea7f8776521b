// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "support/nearest.hpp"
#include "support/shell_quote.hpp"
#include "support/symbol_name.hpp"
#include "support/written_integer.hpp"

namespace warpspan::lift {

namespace {

using support::Diagnostic;
using support::usage_error;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_whole_integer(const ir::Variable& variable) {
  return variable.is_integer && variable.bytes * 8 == variable.element_bits;
}

constexpr size_t most_members = 8;  // in a message

const std::string names_dropped = "; compilers drop their names, unless for a debugger (nvcc -G, clang -g): ";

// Where compilers dropped the names of parameters: the option by which one of them could be given, of integers that are
// no pointers the first, else of all.
std::string index_hint(const ir::Program& program) {
  const bool is_made_up = program.variables.front().name.ends_with("_param_0");
  if (!is_made_up) return "";
  for (const bool may_point : {false, true}) {
    for (uint32_t i = 0; i < program.parameters; ++i) {
      const ir::Variable& parameter = program.variables[i];
      if (is_whole_integer(parameter) && (may_point || parameter.bytes < 8)) {
        return names_dropped + "give one by its number, as {argument} " + std::to_string(i) + "=VALUE";
      }
    }
  }
  return names_dropped + "give bytes of one by its number, as {argument} 0+0=u32:VALUE";
}

// For parameters that are structures or arrays: "; members are s.n, s.dims[0] and 5 more".
std::string member_list(const ir::ParameterNames& names) {
  std::vector<std::string> members;
  for (const ir::NamedBytes& member : names.members) {
    if (member.name != names.parameters[member.parameter].source) members.push_back(member.name);
  }
  if (members.empty()) return "";
  if (members.size() > most_members) {
    const std::string rest = std::to_string(members.size() - most_members) + " more";
    members.resize(most_members);
    members.push_back(rest);
  }
  return "; members are " + support::enumeration(members);
}

std::string perhaps_meant(const std::string& wanted, const ir::ParameterNames& names) {
  std::vector<std::string_view> known;
  for (const auto& parameter : names.parameters) known.push_back(parameter.source);
  for (const ir::NamedBytes& member : names.members) known.push_back(member.name);
  std::erase(known, std::string_view());
  const std::string_view meant = support::nearest(wanted, known);
  return meant.empty() ? "" : "did you mean " + quoted(meant) + "? ";
}

std::string parameter_list(const ir::Program& program, const std::string& wanted) {
  if (program.parameters == 0) return "it has no parameters";
  const ir::ParameterNames* names = program.parameter_names();
  std::string text = (names == nullptr ? "" : perhaps_meant(wanted, *names)) + "its parameters are ";
  for (uint32_t i = 0; i < program.parameters; ++i) {
    const ir::Variable& parameter = program.variables[i];
    const bool is_array = parameter.bytes * 8 != parameter.element_bits;
    const bool has_source = names != nullptr && !names->parameters[i].source.empty();
    const std::string& name = has_source ? names->parameters[i].source : parameter.name;
    const std::string type =
        parameter.type +
        (is_array ? "[" + std::to_string(parameter.bytes * 8 / std::max(parameter.element_bits, 1)) + "]" : "");
    const bool is_made_up = !has_source && name.ends_with("_param_" + std::to_string(i));
    text += (i == 0 ? "" : ", ") + std::to_string(i) + ": " + (is_made_up ? type : name + " (" + type + ")");
  }
  return text + (names == nullptr ? index_hint(program) : member_list(*names));
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

support::Result<Target> find_target(const ir::Variable& variable, const std::string& name,
                                    const ir::Argument& argument) {
  const std::string option = ir::is_kernel_parameter(variable) ? "{argument} " : "{global} ";
  const int64_t width = variable.element_bits / 8;
  // "table[3]"
  if (argument.element && !argument.bytes && (!variable.is_integer || variable.element_bits == 8)) {
    return usage_error(
        name + " is of type " + variable.type + "[" + std::to_string(variable.bytes) +
            "] in the file, which does not tell its elements apart",
        "write their type: " + option +
            support::shell_quoted(variable.name + "[" + std::to_string(*argument.element) + "]=u32:VALUE"));
  }
  if (argument.element || argument.bytes) {
    const int64_t count = argument.bytes ? argument.bytes->count : width;
    const int64_t offset = argument.bytes ? argument.bytes->offset : 0;
    const ir::ByteRange bytes = {offset + argument.element.value_or(0) * count, count};
    if (!argument.written.empty()) return Target{bytes, name};
    if (bytes.offset + bytes.count <= variable.bytes) return Target{bytes, name_of(bytes) + name, bytes.count > 1};
    return usage_error(name + " has " + std::to_string(variable.bytes) + " bytes, so it has no " +
                       name_of(bytes).substr(0, name_of(bytes).size() - 4));
  }
  if (is_whole_integer(variable)) return Target{{0, width}, name};
  if (variable.type == "f32" || variable.type == "f64") {
    const std::string one = variable.type == "f32" ? "0x3f800000" : "0x3ff0000000000000";
    return usage_error(name + " cannot be given a number: it is of type " + variable.type,
                       "give its bits, such as those of 1.0: " + option +
                           support::shell_quoted(variable.name + "+0=" + variable.type + ":" + one));
  }
  return usage_error(
      name + " cannot be given a value: it is " +
          (variable.is_integer ? "an array of " + std::to_string(variable.bytes) + " bytes"
                               : "of type " + variable.type),
      "give a value to some of its bytes: " + option + support::shell_quoted(variable.name + "+0:4=VALUE"));
}

// The meaning of the text of an argument.
support::Result<GivenValue> value_of(const ir::Argument& argument, const Target& target) {
  const std::string& text = argument.value;
  const auto range = support::written_range(text);
  if (!range) {
    return usage_error(quoted(text) + " is not an integer, as " + target.name + (target.is_plural ? " need" : " needs"),
                       "write it in decimal or as 0x followed by hexadecimal digits, and a range as 1..4096");
  }
  const ir::ByteRange& bytes = target.bytes;
  const auto bits = static_cast<int>(bytes.count * 8);
  const auto first = support::in_bits(range->first, bits);
  const auto last = support::in_bits(range->last, bits);
  if (!first || !last) {
    return usage_error(text + " does not fit " + target.name + (target.is_plural ? ", which have " : ", which has ") +
                       std::to_string(bits) + " bits");
  }
  if (range->last < range->first) {
    return usage_error("the range " + text + " of " + target.name + " is empty", "write the smaller number first");
  }
  // From a negative number to one that only an unsigned type has, beyond all that the bits can distinguish.
  if (range->first.negative && !range->last.negative && *first <= *last) {
    return usage_error("the range " + text + " has more values than " + target.name +
                           (target.is_plural ? ", which have " : ", which has ") + std::to_string(bits) + " bits",
                       "leave it out: it says nothing");
  }
  return GivenValue{bytes.offset, bytes.count, *first, *last, text};
}

// Whether all that the value states is known already.
bool is_repeated(const Bindings& bindings, ir::VariableId parameter, const GivenValue& given) {
  if (given.is_constant()) return bindings.value(parameter, given.offset, given.bytes) == given.first;
  const GivenValue* known = bindings.at(parameter, given.offset);
  return known != nullptr && known->offset == given.offset && known->bytes == given.bytes &&
         known->first == given.first && known->last == given.last;
}

std::optional<Diagnostic> bind_to(const ir::Argument& argument, const ir::Program& program, ir::VariableId id,
                                  const std::string& name, Bindings& bindings) {
  const auto target = find_target(program.variables[id], name, argument);
  if (!target) return target.errors().front();
  auto value = value_of(argument, *target);
  if (!value) return value.errors().front();
  const bool is_file = argument.origin.is_file();
  if (is_file && is_repeated(bindings, id, *value)) return std::nullopt;
  if (!bindings.bind(id, *value)) {
    return usage_error(target->name + (target->is_plural ? " are" : " is") + " given a value twice" +
                       (is_file ? ", and not the same one" : ""));
  }
  return std::nullopt;
}

// Debug information may have it, but not as what can be given that value.
Diagnostic unknown_parameter(const ir::Program& program, const std::string& kernel, const ir::Argument& argument) {
  const ir::ParameterNames* names = program.parameter_names();
  const std::string obstacle = names == nullptr ? "" : names->obstacle(argument);
  if (obstacle.empty()) {
    return usage_error(kernel + " has no parameter " + quoted(argument.parameter),
                       parameter_list(program, argument.parameter));
  }
  const ir::NamedBytes* member = names->find(argument.parameter);
  if (member == nullptr) {
    return usage_error("parameter " + quoted(argument.parameter) + " of " + kernel + " " + obstacle,
                       "give one of its members" + member_list(*names));
  }
  const std::string type = member->is_integer ? "" : "b" + std::to_string(8 * member->bytes) + ":";
  const std::string help =
      (member->is_integer ? "give all of it, as {argument} " : "give all of its bits, as {argument} ") +
      support::shell_quoted(member->name + "=" + type + "VALUE");
  return usage_error("parameter " + quoted(argument.parameter) + " of " + kernel + " " + obstacle, help);
}

std::optional<Diagnostic> bind_parameter(const ir::Program& program, const ir::Argument& argument, Bindings& bindings) {
  const std::string kernel = "kernel " + support::quoted_symbol(std::string(program.name()));
  const auto parameter = find_parameter(program, argument.parameter);
  if (!parameter) {
    return unknown_parameter(program, kernel, argument);
  }
  const std::string& in_code = program.variables[*parameter].name;
  const std::string name =
      "parameter " + quoted(argument.written.empty() ? in_code : argument.written) + " of " + kernel;
  return bind_to(argument, program, *parameter, name, bindings);
}

// Binds the one variable in global or constant memory that the kernel mentions by that name.
std::optional<Diagnostic> bind_variable(const ir::Program& program, const ir::Argument& argument, Bindings& bindings) {
  for (ir::VariableId id = program.parameters; id < program.variables.size(); ++id) {
    if (!ir::is_of_file(program.variables[id]) || program.variables[id].name != argument.parameter) continue;
    return bind_to(argument, program, id, "variable " + support::quoted_symbol(argument.parameter), bindings);
  }
  return std::nullopt;
}

// An error of an argument that stands in a file is reported there.
Diagnostic at_origin(Diagnostic error, const ir::Origin& origin) {
  if (!origin.is_file()) return error;
  error.location = origin.location;
  error.source_line = origin.line;
  return error;
}

}  // namespace

bool Bindings::bind(ir::VariableId parameter, GivenValue value) {
  for (int64_t i = 0; i < value.bytes; ++i) {
    if (at(parameter, value.offset + i) != nullptr) return false;
  }
  values_.emplace(std::pair(parameter, value.offset), std::move(value));
  return true;
}

const GivenValue* Bindings::at(ir::VariableId parameter, int64_t offset) const {
  auto next = values_.upper_bound({parameter, offset});
  if (next == values_.begin()) return nullptr;
  const auto& [key, value] = *--next;
  return key.first == parameter && offset - value.offset < value.bytes ? &value : nullptr;
}

std::optional<uint8_t> Bindings::byte(ir::VariableId parameter, int64_t offset) const {
  if (const GivenValue* known = at(parameter, offset)) {
    if (!known->is_constant()) return std::nullopt;
    return static_cast<uint8_t>(known->first >> (8 * (offset - known->offset)));
  }
  const auto trusted = trusted_.find(parameter);
  if (trusted == trusted_.end() || offset < 0 || offset >= static_cast<int64_t>(trusted->second.size())) {
    return std::nullopt;
  }
  return trusted->second[static_cast<size_t>(offset)];
}

std::optional<uint64_t> Bindings::value(ir::VariableId parameter, int64_t offset, int64_t count) const {
  if (count < 1 || count > 8) return std::nullopt;
  uint64_t value = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto known = byte(parameter, offset + i);
    if (!known) return std::nullopt;
    value |= uint64_t{*known} << (8 * i);
  }
  return value;
}

bool Bindings::trusts(ir::VariableId parameter, int64_t offset, int64_t count) const {
  for (int64_t i = 0; i < count; ++i) {
    if (at(parameter, offset + i) == nullptr && byte(parameter, offset + i)) return true;
  }
  return false;
}

std::string written_name(const ir::Program& program, ir::VariableId variable) {
  constexpr size_t longest = 40;
  const std::string& name = program.variables[variable].name;
  const bool is_long = name.size() > longest || name.substr(0, 2) == "_Z";
  return variable < program.parameters && is_long ? std::to_string(variable) : name;
}

support::Result<Bindings> bind_arguments(const ir::Program& program, const ir::Launch& launch) {
  Bindings bindings;
  support::Diagnostics errors;
  for (const ir::Argument& argument : launch.arguments) {
    if (auto error = bind_parameter(program, argument, bindings))
      errors.push_back(at_origin(std::move(*error), argument.origin));
  }
  for (const ir::Argument& given : launch.globals) {
    if (auto error = bind_variable(program, given, bindings))
      errors.push_back(at_origin(std::move(*error), given.origin));
  }
  for (ir::VariableId id = program.parameters; id < program.variables.size(); ++id) {
    const ir::Variable& variable = program.variables[id];
    if (launch.trust_initialisers && !variable.initial.empty()) bindings.trust(id, variable.initial);
  }
  if (!errors.empty()) return errors;
  return bindings;
}

}  // namespace warpspan::lift
