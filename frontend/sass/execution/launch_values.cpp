// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/launch_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/constant_bank.hpp"
#include "ir/parameter_names.hpp"
#include "support/diagnostic.hpp"
#include "support/written_integer.hpp"

namespace warpspan::execution {

namespace {

using support::Diagnostic;
using Parameter = sass::Code::Parameter;

// Places in bank 0 besides those of ConstantBank, observed in code of ptxas 13.0: 8 bytes each, 0 where there is none.
struct WindowPlaces {
  uint64_t local = 0;   // the generic address of local memory
  uint64_t shared = 0;  // of shared memory; else a special register has it
};

WindowPlaces window_places(int architecture) {
  if (architecture >= 100) return {0x2f8, 0};
  return {0x20, architecture >= 90 ? 0U : 0x18U};
}

constexpr int64_t pointer_bytes = 8;

// Objects lie far from each other, and begin in different pages.
constexpr uint64_t first_object = uint64_t{1} << 44, object_distance = (uint64_t{1} << 35) + (uint64_t{1} << 21);

// A place in the parameters of a pointer.
struct Place {
  size_t parameter = 0;
  int64_t offset = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class LaunchValues {
 public:
  LaunchValues(const sass::Code& code, const ir::Launch& launch, const ir::ExecutionOptions& options, Memory& global,
               std::vector<std::string>& assumed)
      : code_(code), launch_(launch), options_(options), global_(global), assumed_(assumed) {}

  support::Result<PreparedLaunch> prepare() {
    for (const auto& [number, bytes] : code_.constants)
      banks_[static_cast<uint32_t>(number)].bytes.assign(bytes->begin(), bytes->end());
    put_dimensions();
    for (const ir::Argument& argument : launch_.arguments) {
      if (auto error = put_argument(argument)) return *error;
    }
    if (auto error = find_pointers()) return *error;
    put_pointers();
    put_symbols();
    tell_unknown();
    return PreparedLaunch{std::move(banks_), std::move(arrays_)};
  }

 private:
  static Diagnostic no_parameter(const std::string& kernel, const std::string& name) {
    return support::usage_error("kernel '" + kernel + "' has no parameter '" + name + "'");
  }

  Diagnostic no_pointer(const std::string& name) const {
    if (!find(name)) return no_parameter(code_.name, name);
    return support::usage_error("parameter '" + name + "' of kernel '" + code_.name + "' is too small for a pointer");
  }

  void put_extent(int64_t at, const ir::Extent& extent) {
    Bank& bank = banks_[0];
    bank.put(static_cast<uint64_t>(at), static_cast<uint64_t>(extent.x), 4);
    bank.put(static_cast<uint64_t>(at) + 4, static_cast<uint64_t>(extent.y), 4);
    bank.put(static_cast<uint64_t>(at) + 8, static_cast<uint64_t>(extent.z), 4);
  }

  void put_dimensions() {
    const sass::ConstantBank places = sass::constant_bank(code_.architecture);
    put_extent(places.block_extent, launch_.block.value_or(ir::Extent{}));
    put_extent(places.grid_extent, launch_.grid.value_or(ir::Extent{}));
    banks_[0].put(static_cast<uint64_t>(places.stack), stack_top, 4);
    const WindowPlaces windows = window_places(code_.architecture);
    banks_[0].put(windows.local, local_window, 8);
    if (windows.shared != 0) banks_[0].put(windows.shared, shared_window, 8);
  }

  std::optional<size_t> find(const std::string& name) const {
    for (size_t i = 0; i < code_.parameters.size(); ++i) {
      if (code_.parameters[i].name == name || std::to_string(i) == name) return i;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> put_argument(const ir::Argument& argument) {
    const auto index = find(argument.parameter);
    if (!index) return no_parameter(code_.name, argument.parameter);
    const Parameter& parameter = code_.parameters[*index];
    ir::ByteRange bytes = argument.bytes.value_or(ir::ByteRange{0, parameter.bytes});
    bytes.offset += argument.element.value_or(0) * bytes.count;
    const auto range = support::written_range(argument.value);
    const bool fits = bytes.count >= 1 && bytes.count <= 8 && bytes.offset + bytes.count <= parameter.bytes;
    const auto value = range && fits ? support::in_bits(range->last, static_cast<int>(8 * bytes.count)) : std::nullopt;
    if (!value)
      return support::usage_error("'" + argument.value + "' is no value of parameter '" + name_of(*index) + "'");
    banks_[0].put(static_cast<uint64_t>(parameter.offset + bytes.offset), *value, static_cast<unsigned>(bytes.count));
    for (int64_t i = 0; i < bytes.count; ++i) known_.insert({*index, bytes.offset + i});
    if (range->first < range->last)
      assumed_.push_back("Parameter '" + name_of(*index) + "' has the last value of " + argument.value + ".");
    return std::nullopt;
  }

  const std::string& name_of(size_t parameter) const { return code_.parameters[parameter].name; }
  std::string name_of(const Place& pointer) const {
    const Parameter& parameter = code_.parameters[pointer.parameter];
    return ir::object_name(parameter.name, parameter.bytes, pointer.offset);
  }

  // "x", "2", "s+8".
  std::optional<Place> place_of(const std::string& text) const {
    if (const auto whole = find(text); whole && code_.parameters[*whole].bytes >= pointer_bytes)
      return Place{*whole, 0};
    const size_t plus = text.rfind('+');
    if (plus == std::string::npos) return std::nullopt;
    const auto parameter = find(text.substr(0, plus));
    const auto offset = support::written_integer(std::string_view(text).substr(plus + 1));
    if (!parameter || !offset || offset->negative) return std::nullopt;
    const int64_t bytes = code_.parameters[*parameter].bytes;
    if (bytes < pointer_bytes || offset->magnitude > static_cast<uint64_t>(bytes - pointer_bytes)) return std::nullopt;
    return Place{*parameter, static_cast<int64_t>(offset->magnitude)};
  }

  std::optional<Diagnostic> find_pointers() {
    for (size_t i = 0; i < code_.parameters.size(); ++i) {
      if (code_.parameters[i].bytes == pointer_bytes && !known_.contains({i, 0}))
        objects_.emplace(Place{i, 0}, options_.contents);
    }
    for (const ir::Buffer& buffer : launch_.buffers) {
      if (const auto place = place_of(buffer.parameter)) objects_.emplace(*place, options_.contents);
    }
    for (const ir::ExecutionOptions::Pointed& given : options_.pointed) {
      const auto place = place_of(given.parameter);
      if (!place) return no_pointer(given.parameter);
      objects_[*place] = given.contents;
    }
    return std::nullopt;
  }

  // One that has a value keeps it.
  void put_pointers() {
    uint64_t address = first_object;
    for (const auto& [place, contents] : objects_) {
      const auto at = static_cast<uint64_t>(code_.parameters[place.parameter].offset + place.offset);
      if (known_.contains(place)) {
        const uint64_t given = banks_[0].word(at) | uint64_t{banks_[0].word(at + 4)} << 32;
        arrays_.push_back({name_of(place), given});
        global_.fill(given, object_distance / 2, contents);
        continue;
      }
      banks_[0].put(at, address, 8);
      for (int64_t i = 0; i < 8; ++i) known_.insert({place.parameter, place.offset + i});
      arrays_.push_back({name_of(place), address});
      global_.fill(address, object_distance / 2, contents);
      address += object_distance;
    }
    if (objects_.empty()) return;
    assumed_.push_back("Parameters of 8 bytes that have no value point to memory that no other of them points to.");
    const auto zeros = [](const auto& object) { return object.second.kind == ir::Contents::Kind::zeros; };
    if (std::all_of(objects_.begin(), objects_.end(), zeros))
      assumed_.push_back("The memory that parameters point to holds zeros before the kernel runs.");
  }

  // Variables and functions whose addresses a loader puts into constants.
  void put_symbols() {
    constexpr uint64_t first_symbol = first_object + (uint64_t{1} << 43);
    std::map<std::string, uint64_t> addresses;
    for (const auto& [place, symbol] : code_.function_addresses) {
      const auto [made, fresh] = addresses.emplace(symbol, first_symbol + addresses.size() * object_distance);
      banks_[static_cast<uint32_t>(place.first)].put(static_cast<uint64_t>(place.second), made->second, 8);
    }
    if (!addresses.empty()) assumed_.push_back("Variables of the file hold zeros before the kernel runs.");
  }

  void tell_unknown() {
    std::string names;
    for (size_t i = 0; i < code_.parameters.size(); ++i) {
      for (int64_t at = 0; at < code_.parameters[i].bytes; ++at) {
        if (!known_.contains({i, at})) banks_[0].set_unknown(static_cast<uint64_t>(code_.parameters[i].offset + at));
      }
      const auto first = known_.lower_bound({i, 0});
      if (first == known_.end() || first->parameter != i) names += (names.empty() ? "'" : ", '") + name_of(i) + "'";
    }
    if (!names.empty()) assumed_.push_back("Parameters that have no value are 0: " + names + ".");
  }

  const sass::Code& code_;
  const ir::Launch& launch_;
  const ir::ExecutionOptions& options_;
  Memory& global_;
  std::vector<std::string>& assumed_;
  Banks banks_;
  std::set<Place> known_;  // bytes of parameters that have a value
  std::map<Place, ir::Contents> objects_;
  std::vector<ir::BlockExecution::Array> arrays_;
};

}  // namespace

support::Result<PreparedLaunch> prepare_launch(const sass::Code& code, const ir::Launch& launch,
                                               const ir::ExecutionOptions& options, Memory& global,
                                               std::vector<std::string>& assumed) {
  return LaunchValues(code, launch, options, global, assumed).prepare();
}

}  // namespace warpspan::execution
