// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/read_figures.hpp"

#include <algorithm>

#include "support/nearest.hpp"

namespace warpspan::timing {

using support::Rational;
using support::TableReader;
using support::Text;

namespace {

constexpr TableReader::Range natural = {0, 1'000'000'000};

void check_citations(TableReader& table, const Provenance& provenance, const std::vector<Reference>& references) {
  const std::vector<std::string> cited = citations(provenance.source);
  for (const std::string& key : cited) {
    const auto known = [&key](const Reference& reference) { return reference.key == key; };
    if (std::any_of(references.begin(), references.end(), known)) continue;
    table.error(table.at("source"), "source '" + key + "' is not declared", "add it to [sources]");
  }
  if (cited.empty() && provenance.evidence != Evidence::assumed) {
    table.error(table.at("source"),
                "figures that are " + std::string(to_string(provenance.evidence)) + " must cite a source",
                "write its key of [sources] in brackets, such as \"[KEY] table 2\"");
  }
}

}  // namespace

std::vector<std::string> citations(std::string_view text) {
  std::vector<std::string> keys;
  for (size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
    const size_t close = text.find(']', open);
    if (close != std::string_view::npos) keys.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return keys;
}

Span read_span(TableReader& table, std::string_view key, TableReader::Range range) {
  const std::vector<int64_t> figures = table.ascending(key, range, {"least", "most"});
  return {figures[0], figures[1]};
}

namespace {

int64_t part_in(TableReader& table, const toml::node& value, const std::string& number, int64_t cycles) {
  const auto names = table.names_in(value);
  const auto found = names.find(number);
  return found == names.end() ? 0 : std::max<int64_t>(0, found->second) * cycles;
}

}  // namespace

int64_t translation_in(TableReader& table, const toml::node& value, const Machine& machine) {
  return machine.translation ? part_in(table, value, "translation", machine.translation->cycles) : 0;
}

int64_t refresh_in(TableReader& table, const toml::node& value, const Machine& machine) {
  return machine.refresh ? part_in(table, value, "refresh", machine.refresh->cycles) : 0;
}

Latency read_latency(TableReader& table, std::string_view key, TableReader::Range range, const Machine& machine) {
  const std::vector<int64_t> figures = table.ascending(key, range, {"best", "average", "worst"});
  Latency latency = {figures[0], figures[1], figures[2]};
  const toml::node* value = table.node(key);
  const auto* array = value == nullptr ? nullptr : value->as_array();
  const toml::node* worst = array != nullptr && array->size() == 3 ? &array->back() : value;
  if (worst == nullptr) return latency;
  latency.translation = translation_in(table, *worst, machine);
  latency.refresh = refresh_in(table, *worst, machine);
  return latency;
}

Provenance read_provenance(TableReader& table, const std::vector<Reference>& references) {
  const std::vector<std::string> words = {"official", "measured", "simulator", "assumed"};
  Provenance provenance;
  const support::Text standing = table.text("standing");
  for (int i = 0; i < kinds_of_evidence; ++i) {
    if (standing.text == to_string(static_cast<Evidence>(i))) provenance.evidence = static_cast<Evidence>(i);
  }
  if (!standing.text.empty() && standing.text != to_string(provenance.evidence)) {
    table.error(standing.at, "unknown standing '" + standing.text + "'", "write " + support::alternatives(words));
  }
  provenance.source = table.text("source").text;
  if (!provenance.source.empty()) check_citations(table, provenance, references);
  return provenance;
}

// "5/59", or an integer.
std::optional<Rational> read_fraction(TableReader& table, std::string_view key, const toml::node& value) {
  const auto* text = value.as_string();
  const auto fraction = text == nullptr ? std::nullopt : support::parse_rational(text->get());
  if (fraction) return fraction;
  const auto whole = table.integer_in(value, natural, "'" + std::string(key) + "'");
  return whole ? support::make_rational(*whole, 1) : std::nullopt;
}

std::map<size_t, int64_t> read_cycles(TableReader& table, std::string_view key, const Machine& machine,
                                      int64_t* latency) {
  std::map<size_t, int64_t> occupied;
  if (!table.has(key)) return occupied;
  const toml::table* entries = table.table(key);
  if (entries == nullptr) return occupied;
  for (auto&& [entry, value] : *entries) {
    const std::string name(entry.str());
    const std::string what = "'" + name + "' of '" + std::string(key) + "'";
    const int64_t count = table.integer_in(value, natural, what).value_or(0);
    const auto resource = machine.resource(name);
    if (latency != nullptr && name == "latency") {
      *latency = count;
    } else if (resource) {
      occupied[*resource] = count;
    } else {
      table.error(entry.source(), "resource '" + name + "' is not declared", "add a table [resource." + name + "]");
    }
  }
  return occupied;
}

void read_constant(TableReader& table, std::string_view key, const ConstantFigure& figure) {
  const toml::node* value = table.node(key);
  if (value == nullptr || (value->is_integer() && *value->as_integer() == figure.value)) return;
  table.error(value->source(), std::string(figure.sentence),
              "write " + std::string(key) + " = " + std::to_string(figure.value) + ", or leave it out");
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, int64_t& figure) {
  figure = table.integer(row.key, {row.range.least, row.range.most});
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, bool& figure) {
  figure = table.truth_or(row.key, false);
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, Span& figure) {
  figure = read_span(table, row.key, {row.range.least, row.range.most});
}

void read_figure(TableReader& table, const FigureKey& row, const Machine& machine, std::optional<Span>& figure) {
  read_figure(table, row, machine, figure.emplace());
}

// Lanes, or a fraction.
void read_figure(TableReader& table, const FigureKey& row, const Machine&, Rational& figure) {
  if (row.unit == FigureUnit::lanes) {
    const int64_t lanes = table.integer(row.key, {row.range.least, row.range.most});
    figure = support::make_rational(lanes, warp_size).value_or(Rational{});
    return;
  }
  const std::string name = "'" + std::string(row.key) + "'";
  const toml::node* value = table.node(row.key);
  if (value == nullptr) {
    table.error(table.at(), "missing key " + name + " in " + table.title(), "docs/machines.md describes all keys");
    return;
  }
  const auto fraction = read_fraction(table, row.key, *value);
  const bool is_part = row.unit == FigureUnit::fraction;
  if (fraction && (fraction->numerator < 0 || (is_part && fraction->numerator > fraction->denominator))) {
    table.error(value->source(), name + (is_part ? " must be between 0 and 1" : " must not be negative"),
                is_part ? "write a part of the cache such as \"1/2\"" : "");
  }
  figure = fraction.value_or(Rational{});
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, ResourceFigures::Sharing& figure) {
  using enum ResourceFigures::Sharing;
  const Text text = table.text(row.key);
  for (const auto sharing : {scheduler, multiprocessor, device}) {
    figure = sharing;
    if (text.text == to_string(sharing)) return;
  }
  figure = multiprocessor;
  if (!text.text.empty()) {
    table.error(text.at, "unknown sharing '" + text.text + "'", "write scheduler, multiprocessor or device");
  }
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, MachineClass& figure) {
  const Text text = table.text(row.key);
  for (int c = 0; c < machine_classes; ++c) {
    figure = static_cast<MachineClass>(c);
    if (text.text == to_string(figure)) return;
  }
  table.error(text.at, "unknown class '" + text.text + "'",
              "write plain, special, double, branch, memory, matrix or shuffle");
}

void read_figure(TableReader& table, const FigureKey& row, const Machine& machine, std::vector<Occupancy>& figure) {
  for (const auto& [resource, count] : read_cycles(table, row.key, machine, nullptr)) {
    figure.push_back({resource, count, false, count});
  }
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, std::vector<int64_t>& figure) {
  const std::string name = "'" + std::string(row.key) + "'";
  const toml::node* list = table.node(row.key);
  if (list == nullptr || !list->is_array()) {
    table.error(list == nullptr ? table.at() : list->source(), name + " must be an array of integers",
                "write " + std::string(row.key) + " = [80]");
    return;
  }
  for (const toml::node& one : *list->as_array()) {
    figure.push_back(table.integer_in(one, {row.range.least, row.range.most}, name).value_or(row.range.least));
  }
}

void read_figure(TableReader& table, const FigureKey& row, const Machine&, std::vector<std::string>& figure) {
  const bool is_form = row.key == "forms";
  const std::string name = "'" + std::string(row.key) + "'";
  for (const Text& word : table.texts(row.key)) {
    if (word.text.empty()) {
      table.error(word.at, is_form ? "a form must not be empty" : name + " must not contain an empty text",
                  is_form ? "write a pattern such as \"setp.*\"" : "");
    }
    figure.push_back(word.text);
  }
  if (figure.empty() && table.node(row.key)->is_array()) {
    table.error(table.at(row.key), name + " must not be empty", "leave it out for all forms");
  }
}

}  // namespace warpspan::timing
