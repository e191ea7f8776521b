// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/parameter_names.hpp"

#include <algorithm>

namespace warpspan::ir {

namespace {

constexpr int64_t pointer_bytes = 8;

const ParameterNames::Parameter* parameter_named(const ParameterNames& names, std::string_view name) {
  const auto is_called = [name](const ParameterNames::Parameter& one) { return !name.empty() && one.source == name; };
  const auto found = std::find_if(names.parameters.begin(), names.parameters.end(), is_called);
  return found == names.parameters.end() ? nullptr : &*found;
}

// The bytes of a member that an argument gives, from the member's begin; nothing if they are no part of it.
std::optional<ByteRange> bytes_in(const NamedBytes& member, const Argument& argument) {
  const ByteRange bytes = argument.bytes.value_or(ByteRange{0, member.bytes});
  if (!argument.bytes && !member.is_integer) return std::nullopt;
  return bytes.offset >= 0 && bytes.count <= member.bytes && bytes.offset <= member.bytes - bytes.count
             ? std::optional(bytes)
             : std::nullopt;
}

}  // namespace

std::string object_name(const std::string& parameter, int64_t bytes, int64_t offset) {
  const bool is_whole = offset == 0 && bytes <= pointer_bytes;
  return is_whole ? parameter : parameter + "+" + std::to_string(offset);
}

const NamedBytes* ParameterNames::find(std::string_view name) const {
  const auto is_called = [name](const NamedBytes& one) { return one.name == name; };
  const auto found = std::find_if(members.begin(), members.end(), is_called);
  return found == members.end() ? nullptr : &*found;
}

bool ParameterNames::has(std::string_view name) const {
  return parameter_named(*this, name) != nullptr || find(name) != nullptr;
}

const NamedBytes* ParameterNames::at(size_t parameter, int64_t offset, int64_t bytes) const {
  const auto is_it = [&](const NamedBytes& one) {
    return one.parameter == parameter && one.offset == offset && one.bytes == bytes;
  };
  const auto found = std::find_if(members.begin(), members.end(), is_it);
  return found == members.end() ? nullptr : &*found;
}

std::string ParameterNames::name_of(size_t parameter, int64_t offset, int64_t bytes) const {
  const NamedBytes* member = at(parameter, offset, bytes);
  // Plain values of others than integers are refused.
  if (member != nullptr) return member->is_integer ? member->name : member->name + "+0:" + std::to_string(bytes);
  const std::string source = parameter < parameters.size() ? parameters[parameter].source : "";
  return source.empty() ? source : source + "+" + std::to_string(offset) + ":" + std::to_string(bytes);
}

std::string ParameterNames::pointer_name(size_t parameter, int64_t offset) const {
  const NamedBytes* member = at(parameter, offset, pointer_bytes);
  return member != nullptr && member->is_pointer ? member->name : "";
}

std::vector<std::string> ParameterNames::pointers() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].source.empty() && parameters[i].bytes == pointer_bytes) names.push_back(parameters[i].compiled);
    for (const NamedBytes& member : members) {
      if (member.parameter == i && member.is_pointer) names.push_back(member.name);
    }
  }
  return names;
}

void ParameterNames::place(Argument& argument) const {
  if (const NamedBytes* member = find(argument.parameter)) {
    const auto bytes = bytes_in(*member, argument);
    if (!bytes) return;
    const Parameter& whole = parameters[member->parameter];
    const bool is_all = bytes->count == member->bytes;
    argument.written = is_all ? member->name : place_of(argument);
    argument.parameter = whole.compiled;
    // Of a parameter that is one integer in the code, too, its own type counts.
    if (!(is_all && !argument.bytes && member->bytes == whole.bytes && member->name == whole.source)) {
      argument.bytes = ByteRange{member->offset + bytes->offset, bytes->count};
    }
  } else if (const Parameter* parameter = parameter_named(*this, argument.parameter)) {
    if (!argument.bytes) return;
    argument.written = place_of(argument);
    argument.parameter = parameter->compiled;
  }
}

void ParameterNames::place(Buffer& buffer) const {
  const auto set = [&buffer](const Parameter& parameter, int64_t offset) {
    buffer.written = buffer.parameter;
    const bool is_whole = offset == 0 && parameter.bytes <= pointer_bytes;
    buffer.parameter = parameter.compiled + (is_whole ? "" : "+" + std::to_string(offset));
  };
  if (const NamedBytes* member = find(buffer.parameter)) {
    if (member->bytes == pointer_bytes && member->is_integer) set(parameters[member->parameter], member->offset);
    return;
  }
  const size_t plus = buffer.parameter.find('+');
  const Parameter* parameter = parameter_named(*this, std::string_view(buffer.parameter).substr(0, plus));
  if (parameter == nullptr || plus == std::string::npos) return;
  buffer.written = buffer.parameter;
  buffer.parameter = parameter->compiled + buffer.parameter.substr(plus);
}

std::string ParameterNames::obstacle(const Argument& argument) const {
  if (const NamedBytes* member = find(argument.parameter)) {
    if (argument.bytes) return "has " + std::to_string(member->bytes) + (member->bytes == 1 ? " byte" : " bytes");
    return "is no integer";
  }
  return parameter_named(*this, argument.parameter) == nullptr ? "" : "is no number";
}

}  // namespace warpspan::ir
