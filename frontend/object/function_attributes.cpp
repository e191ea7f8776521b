// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/function_attributes.hpp"

#include <algorithm>
#include <string>

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

bool operator==(const ParameterArea& a, const ParameterArea& b) { return a.offset == b.offset && a.size == b.size; }

// False if it was stated before, with another value.
template <typename Figure>
bool state(std::optional<Figure>& figure, const Figure& value) {
  if (figure && !(*figure == value)) return false;
  figure = value;
  return true;
}

std::array<uint32_t, 3> three(Cursor& at) {
  std::array<uint32_t, 3> values{};
  for (uint32_t& value : values) value = at.u32();
  return values;
}

// Reads the attributes of one function, one method a kind. Each returns what is wrong with it, or nothing: "is stated
// twice".
class Reader {
 public:
  explicit Reader(Function& function) : function_(function) {}

  // Nothing if the attribute is of no kind that is read.
  std::optional<std::string> read(const Attribute& attribute) {
    Cursor at(attribute.payload);
    switch (attribute.number) {
      case attribute::max_threads: return extents(at, function_.max_threads);
      case attribute::required_threads: return extents(at, function_.required_threads);
      case attribute::cluster_blocks: return extents(at, function_.cluster_blocks);
      case attribute::explicit_cluster: function_.explicit_cluster = true; return {};
      case attribute::blocks_are_clusters: function_.blocks_are_clusters = true; return {};
      case attribute::parameter_bank: return parameter_area(at);
      case attribute::parameter: return parameter(at, false);
      case attribute::long_parameter: return parameter(at, true);
      case attribute::parameter_bytes: return {};  // stands in parameter_bank as well
      case attribute::exit_offsets: return exits(at);
      case attribute::indirect_branches: return indirect_branches(at);
      case attribute::barrier_count: return barriers(at);
      default: function_.other_attributes.push_back(attribute); return {};
    }
  }

 private:
  static std::optional<std::string> verdict(const Cursor& at, bool consistent) {
    if (at.failed()) return "is cut short";
    if (!consistent) return "is stated twice, with different values";
    return {};
  }

  static std::optional<std::string> extents(Cursor& at, std::optional<std::array<uint32_t, 3>>& figure) {
    const std::array<uint32_t, 3> values = three(at);
    return verdict(at, at.failed() || state(figure, values));
  }

  std::optional<std::string> parameter_area(Cursor& at) {
    at.u32();  // the section of the bank
    ParameterArea area;
    area.offset = at.u16();
    area.size = at.u16();
    return verdict(at, at.failed() || state(function_.parameter_area, area));
  }

  std::optional<std::string> parameter(Cursor& at, bool is_long) {
    constexpr unsigned bits_below_size = 18;
    at.u32();
    Parameter parameter;
    parameter.ordinal = at.u16();
    parameter.offset = at.u16();
    parameter.size = is_long ? at.u32() : at.u32() >> bits_below_size;
    function_.parameters.push_back(parameter);
    return verdict(at, true);
  }

  std::optional<std::string> exits(Cursor& at) {
    while (!at.at_end()) {
      const uint32_t offset = at.u32();
      if (!at.failed() && offset >= function_.code.size()) return "has an offset outside of the code";
      function_.exits.push_back(offset);
    }
    return verdict(at, true);
  }

  std::optional<std::string> indirect_branches(Cursor& at) {
    while (!at.at_end()) {
      IndirectBranch branch;
      branch.offset = at.u32();
      at.u32();  // two numbers that were always 0
      const uint32_t count = at.u32();
      if (count > at.left() / 4) return "has more targets than bytes";
      branch.targets.reserve(count);
      for (uint32_t i = 0; i < count; ++i) branch.targets.push_back(at.u32());
      const auto outside = [this](uint32_t offset) { return offset >= function_.code.size(); };
      if (at.failed()) break;
      if (outside(branch.offset) || std::any_of(branch.targets.begin(), branch.targets.end(), outside)) {
        return "has an offset outside of the code";
      }
      function_.indirect_branches.push_back(std::move(branch));
    }
    return verdict(at, true);
  }

  std::optional<std::string> barriers(Cursor& at) { return verdict(at, state(function_.barriers, uint32_t{at.u8()})); }

  Function& function_;
};

Diagnostic wrong(const Input& input, const Attribute& attribute, const std::string& what) {
  return broken(input, offset_in(input.bytes, attribute.payload),
                "the attribute " + std::to_string(attribute.number) + " " + what);
}

bool is_for_a_symbol(uint8_t number) {
  return number == attribute::register_count || number == attribute::frame_size || number == attribute::min_stack_size;
}

// False if it was stated before, with another value.
bool state_figure(uint8_t number, const Owner& owner, uint32_t value) {
  if (owner.subroutine != nullptr) {
    return number != attribute::frame_size || state(owner.subroutine->frame_bytes, value);
  }
  switch (number) {
    case attribute::register_count: return state(owner.function->registers, value);
    case attribute::frame_size: return state(owner.function->frame_bytes, value);
    default: return state(owner.function->min_stack_bytes, value);
  }
}

}  // namespace

std::optional<Diagnostic> read_function_attributes(const Input& input, std::string_view section, Function& function) {
  Result<std::vector<Attribute>> attributes = read_attributes(input, section);
  if (!attributes) return attributes.errors().front();
  Reader reader(function);
  for (const Attribute& attribute : *attributes) {
    if (const auto what = reader.read(attribute)) return wrong(input, attribute, *what);
  }
  std::stable_sort(function.parameters.begin(), function.parameters.end(),
                   [](const Parameter& a, const Parameter& b) { return a.ordinal < b.ordinal; });
  const auto outside = [&function](const Parameter& parameter) {
    return function.parameter_area && !within(parameter.offset, parameter.size, function.parameter_area->size);
  };
  if (std::any_of(function.parameters.begin(), function.parameters.end(), outside)) {
    return broken(input, offset_in(input.bytes, section), "a parameter lies outside of the function's parameters");
  }
  return {};
}

std::optional<Diagnostic> read_module_attributes(const Input& input, std::string_view section,
                                                 const OwnerOfSymbol& owner_of, Cubin& cubin) {
  Result<std::vector<Attribute>> attributes = read_attributes(input, section);
  if (!attributes) return attributes.errors().front();
  for (const Attribute& attribute : *attributes) {
    if (!is_for_a_symbol(attribute.number)) {
      cubin.other_attributes.push_back(attribute);
      continue;
    }
    Cursor at(attribute.payload);
    const uint32_t symbol = at.u32(), value = at.u32();
    if (at.failed()) return wrong(input, attribute, "is cut short");
    const std::optional<Owner> owner = owner_of(symbol);
    if (!owner) return wrong(input, attribute, "is for a symbol that does not exist");
    if (owner->function != nullptr && !state_figure(attribute.number, *owner, value)) {
      return wrong(input, attribute, "is stated twice, with different values");
    }
  }
  return {};
}

}  // namespace warpspan::object
