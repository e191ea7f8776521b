// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables of machine files have: figures by their rows (fields.hpp), and what is read by hand.
#pragma once

#include <map>

#include "support/toml.hpp"
#include "timing/machine/fields.hpp"

namespace warpspan::timing {

// An integer, or an array of two that do not fall: [least, most].
Span read_span(support::TableReader& table, std::string_view key, support::TableReader::Range range);

// An integer, or an array of three that do not fall. What of the worst case is a wait for a translation or a refresh
// follows from the numbers `translation` and `refresh` that it names.
Latency read_latency(support::TableReader& table, std::string_view key, support::TableReader::Range range,
                     const Machine& machine);

// What of the cycles is a wait for a translation, or for refreshes, of a figure that names such numbers; 0 where the
// machine has no figures of them.
int64_t translation_in(support::TableReader& table, const toml::node& value, const Machine& machine);
int64_t refresh_in(support::TableReader& table, const toml::node& value, const Machine& machine);

// "5/59", or an integer; nothing after an error.
std::optional<support::Rational> read_fraction(support::TableReader& table, std::string_view key,
                                               const toml::node& value);

// Cycles by resource of a table such as holds = { load_store = 2 }; its key 'latency' goes to *latency if that is
// wanted. Nothing if the key is missing.
std::map<size_t, int64_t> read_cycles(support::TableReader& table, std::string_view key, const Machine& machine,
                                      int64_t* latency);

// The keys 'standing' and 'source'. A figure that is more than assumed must cite a source, and only these.
Provenance read_provenance(support::TableReader& table, const std::vector<Reference>& references);

// The keys that a text cites: "[THES] table 7, [GSIM]" cites THES and GSIM.
std::vector<std::string> citations(std::string_view text);

// A row without the owner of its figure.
struct FigureKey {
  std::string_view key;
  IntegerRange range;
  FigureUnit unit;
};

// Reads a figure by its type. The machine's resources are known already, where the figure names some.
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine, int64_t& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine, bool& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine, Span& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine,
                 std::optional<Span>& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine, support::Rational& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine,
                 ResourceFigures::Sharing& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine, MachineClass& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine,
                 std::vector<Occupancy>& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine,
                 std::vector<int64_t>& figure);
void read_figure(support::TableReader& table, const FigureKey& row, const Machine& machine,
                 std::vector<std::string>& figure);
// A file may only state what is so anyway.
void read_constant(support::TableReader& table, std::string_view key, const ConstantFigure& figure);

// The figures of an owner.
template <typename Owner>
void read_fields(support::TableReader& table, std::span<const MachineField<Owner>> fields, const Machine& machine,
                 Owner& owner) {
  for (const MachineField<Owner>& field : fields) {
    if (const auto* constant = std::get_if<ConstantFigure>(&field.figure)) {
      read_constant(table, field.key, *constant);
      continue;
    }
    if (field.left_out != nullptr && table.node(field.key) == nullptr) {
      field.left_out(owner);
      continue;
    }
    std::visit(
        [&](const auto& figure) {
          if constexpr (!std::is_same_v<decltype(figure), const ConstantFigure&>) {
            read_figure(table, {field.key, field.range, field.unit}, machine, figure.of(owner));
          }
        },
        field.figure);
  }
}

template <typename Owner>
void read_fields(support::TableReader& table, const Machine& machine, Owner& owner) {
  read_fields(table, fields_of<Owner>(), machine, owner);
}

}  // namespace warpspan::timing
