// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of machine files, a row for each: what reads, writes and checks files and what reports machines walks
// these tables, and tests compare docs/schema and docs/machines.md with them. A new figure is a member of the model and
// a row. By hand is what depends on several keys at once: latency, instructions, gap, holds, rounds and transaction of
// operations (read_operations.cpp, write.cpp), the times of lines (read_memory.cpp), and the order of caches.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <variant>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What the number counts.
enum class FigureUnit : uint8_t {
  none,      // as in its words
  bytes,     // of memory
  khz,       // a frequency
  lanes,     // threads of a unit in a cycle; the model has warps in a cycle
  fraction,  // between 0 and 1, such as "1/2"
};

struct IntegerRange {
  int64_t least = 0, most = 0;
};

// Where the figure of an owner is, which may be const.
template <typename Owner, typename Value>
struct FigureAccess {
  template <typename Get>
  requires std::same_as<std::invoke_result_t<Get, Owner&>, Value&> constexpr FigureAccess(Get access)
      : of(access), of_const(access) {}  // NOLINT: an access is given as a function

  Value& (*of)(Owner&);
  const Value& (*of_const)(const Owner&);
};

// The same for all machines; a file may leave it out, and may state nothing else.
struct ConstantFigure {
  int64_t value;
  std::string_view sentence;  // "every machine has ..."
};

template <typename Owner>
using Figure = std::variant<ConstantFigure, FigureAccess<Owner, int64_t>, FigureAccess<Owner, bool>,
                            FigureAccess<Owner, Span>, FigureAccess<Owner, std::optional<Span>>,
                            FigureAccess<Owner, support::Rational>, FigureAccess<Owner, ResourceFigures::Sharing>,
                            FigureAccess<Owner, MachineClass>, FigureAccess<Owner, std::vector<Occupancy>>,
                            FigureAccess<Owner, std::vector<int64_t>>, FigureAccess<Owner, std::vector<std::string>>>;

// Where a key stands in an object of a JSON report. Keys that came later stand behind those before.
enum class JsonPlace : uint8_t { in_order, behind_others, behind_source };

// What a JSON report has for a figure without a value (is_unset).
enum class JsonUnset : uint8_t { as_is, not_there, null };

template <typename Owner>
struct MachineField {
  std::string_view key;  // in machine files and in JSON reports
  Figure<Owner> figure;
  IntegerRange range;  // of integers
  FigureUnit unit = FigureUnit::none;
  // Gives the figure the value that it has where a file leaves it out. Null: a file must state it.
  void (*left_out)(Owner&) = nullptr;
  std::string_view words = {};    // of the text report, next to the figure or over its column; empty: it is not there
  std::string_view meaning = {};  // its description in the schema of the JSON report
  JsonPlace json_place = JsonPlace::in_order;
  JsonUnset json_unset = JsonUnset::as_is;
};

// Tables of a machine file that there is one of, with a standing and a source.
struct MachineSection {
  std::string_view key;      // "limits"
  std::string_view heading;  // of the text report
  std::span<const MachineField<Machine>> fields;
  FigureAccess<Machine, Provenance> provenance;
  // Of a table that a file may leave out: whether the machine has its figures, and makes room for them. Null: of
  // others.
  bool (*is_known)(const Machine&) = nullptr;
  void (*add)(Machine&) = nullptr;
};

// [board], [issue], [limits], [dispatch], [operand_read], [lanes] and those of simulated_figures.def: in the order of
// files and reports.
std::span<const MachineSection> machine_sections();

// The rows of ResourceFigures ([resource.NAME]), LineTimes ([lines.NAME]), DataCache, FetchFigures, CodeCache,
// SequenceFigures, and of operations FormRule and OperationFigures.
template <typename Owner>
std::span<const MachineField<Owner>> fields_of();
template <>
std::span<const MachineField<ResourceFigures>> fields_of();
template <>
std::span<const MachineField<LineTimes>> fields_of();
template <>
std::span<const MachineField<DataCache>> fields_of();
template <>
std::span<const MachineField<FetchFigures>> fields_of();
template <>
std::span<const MachineField<CodeCache>> fields_of();
template <>
std::span<const MachineField<SequenceFigures>> fields_of();
template <>
std::span<const MachineField<FormRule>> fields_of();
template <>
std::span<const MachineField<OperationFigures>> fields_of();

// Of a width in warps.
inline int64_t lanes_of(const support::Rational& width) { return width.numerator * warp_size / width.denominator; }

// Whether a figure has the value that stands for none: an integer out of its range, an empty list, false, plain.
inline bool is_unset(int64_t value, IntegerRange range) { return value < range.least || value > range.most; }
inline bool is_unset(bool value, IntegerRange) { return !value; }
inline bool is_unset(const std::optional<Span>& value, IntegerRange) { return !value; }
inline bool is_unset(MachineClass value, IntegerRange) { return value == MachineClass::plain; }
template <typename Value>
bool is_unset(const std::vector<Value>& list, IntegerRange) {
  return list.empty();
}
inline bool is_unset(const Span&, IntegerRange) { return false; }
inline bool is_unset(const support::Rational&, IntegerRange) { return false; }
inline bool is_unset(ResourceFigures::Sharing, IntegerRange) { return false; }

// Calls visit(value) with the figure of the owner, or with the value of a constant one.
template <typename Owner, typename Visit>
decltype(auto) with_value(const MachineField<Owner>& field, const Owner& owner, const Visit& visit) {
  return std::visit(
      [&](const auto& figure) {
        if constexpr (std::is_same_v<decltype(figure), const ConstantFigure&>) {
          return visit(figure.value);
        } else {
          return visit(figure.of_const(owner));
        }
      },
      field.figure);
}

// Visits the figures of this type.
template <typename Value, typename Owner, typename Visit>
void for_each_figure(const Owner& owner, const Visit& visit) {
  for (const MachineField<Owner>& field : fields_of<Owner>()) {
    if (const auto* figure = std::get_if<FigureAccess<Owner, Value>>(&field.figure)) visit(figure->of_const(owner));
  }
}

}  // namespace warpspan::timing
