// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/launch_values.hpp"

#include <algorithm>
#include <array>

#include "ir/sizes.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

int64_t extent(const ir::Extent& e, int component) {
  return component == 1 ? e.x : component == 2 ? e.y : component == 3 ? e.z : 1;
}

// Blocks in a grid: CUDA C++ Programming Guide, compute capabilities.
uint64_t most_blocks(int component) { return component == 1 ? (uint64_t{1} << 31) - 1 : 65535; }

std::string component_name(const std::string& name, int component) {
  static constexpr std::array<const char*, 5> suffixes = {"", ".x", ".y", ".z", ".w"};
  return name + suffixes[static_cast<size_t>(component)];
}

}  // namespace

llvm::Value* LaunchValues::uniform(const std::string& what, unsigned bits, std::optional<Range> range,
                                   const std::string& option) {
  llvm::Value*& known = uniforms_[{what, bits}];
  if (known == nullptr) known = emitter_.uniform(bits, what, range, option);
  return known;
}

LaunchValues::Name LaunchValues::name_of(const ir::Program& program, ir::VariableId id, int64_t offset, int64_t bytes) {
  const ir::Variable& variable = program.variables[id];
  const bool is_parameter = ir::is_kernel_parameter(variable);
  const bool is_whole = variable.is_integer && offset == 0 && bytes == variable.bytes;
  Name name;
  const std::string own = written_name(program, id);
  name.what = own == variable.name ? (is_parameter ? "parameter '" : "variable '") + own + "'" : "parameter " + own;
  if (offset != 0) name.what += " at byte " + std::to_string(offset);
  const bool is_inside = offset >= 0 && bytes <= 8 && offset + bytes <= variable.bytes;
  if (!is_inside) return name;
  const std::string place = is_whole ? "" : "+" + std::to_string(offset) + ":" + std::to_string(bytes);
  name.option = (is_parameter ? "{argument} " : "{global} ") + support::shell_quoted(own + place + "=VALUE");
  return name;
}

LaunchValues::Name LaunchValues::source_name_of(const ir::Program& program, ir::VariableId id, int64_t offset,
                                                int64_t bytes) {
  Name name = name_of(program, id, offset, bytes);
  const ir::ParameterNames* names =
      ir::is_kernel_parameter(program.variables[id]) && !name.option.empty() ? program.parameter_names() : nullptr;
  const std::string written = names == nullptr ? "" : names->name_of(id, offset, bytes);
  if (written.empty()) return name;
  const ir::NamedBytes* member = names->at(id, offset, bytes);
  name.what = "parameter '" + (member == nullptr ? names->parameters[id].source : member->name) + "'";
  if (member == nullptr && offset != 0) name.what += " at byte " + std::to_string(offset);
  name.option = "{argument} " + support::shell_quoted(written + "=VALUE");
  return name;
}

// The one value of all bytes that were given jointly; loads may see parts of it.
llvm::Value* LaunchValues::given(ir::VariableId id, const GivenValue& value) {
  const auto bits = static_cast<unsigned>(8 * value.bytes);
  if (value.is_constant()) return emitter_.constant(bits, value.first);
  const uint64_t end = bits == 64 ? value.last + 1 : (value.last + 1) & ((uint64_t{1} << bits) - 1);
  const Name name = name_of(program_, id, value.offset, value.bytes);
  llvm::Value* result = uniform(name.what + " (" + value.text + ")", bits, Range{value.first, end}, name.option);
  if (ir::is_kernel_parameter(program_.variables[id])) {
    set_launch_source(*result, {LaunchSource::Kind::parameter, id, value.offset});
  }
  return result;
}

// A load of bytes of which something is known, each: the lowest first.
llvm::Value* LaunchValues::composed(ir::VariableId id, int64_t offset, unsigned bits) {
  const auto bytes = static_cast<int64_t>(bits / 8);
  if (bytes < 1 || bytes > 8) return nullptr;
  for (int64_t i = 0; i < bytes; ++i) {
    if (bindings_.at(id, offset + i) == nullptr) return nullptr;
  }
  llvm::Value* all = nullptr;
  for (int64_t i = 0; i < bytes;) {
    const GivenValue& part = *bindings_.at(id, offset + i);
    const int64_t skipped = offset + i - part.offset;
    const int64_t count = std::min(part.bytes - skipped, bytes - i);
    llvm::Value* value = given(id, part);
    if (count < part.bytes) {
      if (skipped > 0) value = emitter_.ir.CreateLShr(value, static_cast<uint64_t>(8 * skipped));
      value = emitter_.resize(value, static_cast<unsigned>(8 * count), false);
    }
    value = emitter_.resize(value, bits, false);
    if (i > 0) value = emitter_.ir.CreateShl(value, static_cast<uint64_t>(8 * i));
    all = all == nullptr ? value : emitter_.ir.CreateOr(all, value);
    i += count;
  }
  return all;
}

llvm::Value* LaunchValues::parameter(ir::VariableId id, int64_t offset, unsigned bits) {
  const auto bytes = static_cast<int64_t>(bits / 8);
  if (const auto value = bindings_.value(id, offset, bytes)) return emitter_.constant(bits, *value);
  if (llvm::Value* value = composed(id, offset, bits)) return value;
  constexpr int64_t word = 4;
  const bool has_known_half =
      bytes == 2 * word && (bindings_.at(id, offset) != nullptr || bindings_.at(id, offset + word) != nullptr);
  if (has_known_half) {  // of numbers that are read two at once, one may be given
    llvm::Value* low = emitter_.resize(parameter(id, offset, 8 * word), bits, false);
    llvm::Value* high = emitter_.resize(parameter(id, offset + word, 8 * word), bits, false);
    return emitter_.ir.CreateOr(emitter_.ir.CreateShl(high, 8 * word), low);
  }
  const Name name = name_of(program_, id, offset, bytes);
  llvm::Value* value = uniform(name.what, bits, std::nullopt, name.option);
  set_launch_source(*value, {LaunchSource::Kind::parameter, id, offset});
  return value;
}

llvm::Value* LaunchValues::variable(ir::VariableId id, int64_t offset, unsigned bits) {
  const auto bytes = static_cast<int64_t>(bits / 8);
  if (const auto value = bindings_.value(id, offset, bytes)) {
    if (bindings_.trusts(id, offset, bytes)) trusted_.insert(id);
    return emitter_.constant(bits, *value);
  }
  if (llvm::Value* value = composed(id, offset, bits)) return value;
  const Name name = name_of(program_, id, offset, bytes);
  const bool is_fixed = program_.variables[id].space == ir::MemorySpace::constant && !name.option.empty();
  return is_fixed ? uniform(name.what, bits, std::nullopt, name.option) : nullptr;
}

llvm::Value* LaunchValues::variable_address(ir::VariableId variable, unsigned bits) {
  llvm::Value* value = uniform(
      "the address of '" + program_.variables[variable].name + "' (variable " + std::to_string(variable) + ")", bits);
  set_launch_source(*value, {LaunchSource::Kind::variable, variable, 0});
  return value;
}

llvm::Value* LaunchValues::function_address(uint32_t function, unsigned bits) {
  return uniform("the address of function '" + program_.functions[function] + "'", bits);
}

llvm::Value* LaunchValues::window(ir::MemorySpace space, unsigned bits) {
  using ir::MemorySpace;
  if (space == MemorySpace::global || space == MemorySpace::generic) return emitter_.constant(bits, 0);
  llvm::Value* value = uniform("the window of state space " + std::to_string(static_cast<int>(space)), bits);
  set_launch_source(*value, {LaunchSource::Kind::window, static_cast<uint32_t>(space), 0});
  return value;
}

llvm::Value* LaunchValues::thread(int component, unsigned bits) {
  const int64_t count = extent(*launch_.block, component);
  if (count == 1) return emitter_.constant(bits, 0);
  llvm::Value* value = emitter_.thread(static_cast<ThreadValue>(component - 1), 32, {0, static_cast<uint64_t>(count)});
  return emitter_.resize(value, bits, false);
}

llvm::Value* LaunchValues::block_extent_of(int component, unsigned bits) {
  return emitter_.constant(bits, component == 4 ? 0 : static_cast<uint64_t>(extent(*launch_.block, component)));
}

llvm::Value* LaunchValues::grid_extent_of(int component, unsigned bits) {
  if (component == 4) return emitter_.constant(bits, 0);
  if (launch_.grid) return emitter_.constant(bits, static_cast<uint64_t>(extent(*launch_.grid, component)));
  llvm::Value* value = uniform(component_name(name(ir::SpecialValue::grid_extent), component), 32,
                               Range{1, most_blocks(component) + 1}, grid_option);
  return emitter_.resize(value, bits, false);
}

llvm::Value* LaunchValues::block_index_of(int component, unsigned bits) {
  const uint64_t blocks =
      launch_.grid ? static_cast<uint64_t>(extent(*launch_.grid, component)) : most_blocks(component);
  if (blocks == 1 || component == 4) return emitter_.constant(bits, 0);
  llvm::Value* value =
      uniform(component_name(name(ir::SpecialValue::block_index), component), 32, Range{0, blocks}, grid_option);
  set_launch_source(*value, {LaunchSource::Kind::block_index, static_cast<uint32_t>(component - 1), 0});
  return emitter_.resize(value, bits, false);
}

llvm::Value* LaunchValues::special(ir::SpecialValue which, int component, unsigned bits) {
  using enum ir::SpecialValue;
  switch (which) {
    case thread_index: return component == 0 ? emitter_.opaque(bits) : thread(component, bits);
    case block_extent: return component == 0 ? emitter_.opaque(bits) : block_extent_of(component, bits);
    case block_index: return component == 0 ? emitter_.opaque(bits) : block_index_of(component, bits);
    case grid_extent: return component == 0 ? emitter_.opaque(bits) : grid_extent_of(component, bits);
    case lane: return emitter_.resize(emitter_.thread(ThreadValue::lane, 32, {0, ir::warp_lanes}), bits, false);
    case warp_uniform: return emitter_.of_group(bits, {});
    case cycles32:
    case cycles64:  // an instruction of machine code reads it once for all lanes that execute it together
      return program_.bodies.front().is_machine_code ? emitter_.of_group(bits, {}) : emitter_.opaque(bits);
    case ir::SpecialValue::shared_half: {
      llvm::Value* value = uniform("the upper half of the window of shared memory", bits);
      set_launch_source(*value, {LaunchSource::Kind::shared_half, 0, 0});
      return value;
    }
    default: return emitter_.opaque(bits);
  }
}

}  // namespace warpspan::lift
