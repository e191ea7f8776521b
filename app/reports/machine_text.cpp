// SPDX-License-Identifier: GPL-3.0-or-later
// All figures of a machine for people: board, limits, tables of resources, caches and operations, each with its source.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/machine_reports.hpp"
#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/machine/conditions.hpp"
#include "timing/machine/fields.hpp"

namespace warpspan::app {

namespace {

using timing::Machine;
using timing::OperationFigures;
using timing::Provenance;
using timing::ResourceFigures;

std::string provenance(timing::Evidence evidence, const std::string& source) {
  return source.empty() ? std::string(to_string(evidence)) : fmt::format("{}; {}", to_string(evidence), source);
}

// The figures of a table of the file: a heading with their origin, then one line each.
std::string group(const std::string& heading, const Provenance& from, const std::vector<Row>& rows, size_t width) {
  return "\n" + wrap(heading + ": ", provenance(from.evidence, from.source), width) +
         table({Align::left, Align::right}, rows, 2);
}

std::string span(const timing::Span& span) {
  return span.least == span.most ? thousands(span.least) : thousands(span.least) + " to " + thousands(span.most);
}

// "issue 2, load_store 4+2" in cycles, or in lines of resources that have service times of lines.
std::string occupancies_text(const Machine& machine, const std::vector<timing::Occupancy>& all) {
  std::string text;
  for (const timing::Occupancy& occupancy : all) {
    text += (text.empty() ? "" : ", ") + machine.resources[occupancy.resource].name + " " +
            std::to_string(occupancy.per_transaction ? occupancy.first : occupancy.cycles);
    if (occupancy.per_transaction) text += "+" + std::to_string(occupancy.cycles);
  }
  return text;
}

std::string value_text(const Machine&, int64_t value) { return thousands(value); }
std::string value_text(const Machine&, bool value) { return value ? "yes" : "no"; }
std::string value_text(const Machine&, const timing::Span& value) { return span(value); }
std::string value_text(const Machine&, const std::optional<timing::Span>& value) { return value ? span(*value) : ""; }
std::string value_text(const Machine&, const support::Rational& value) { return support::to_string(value); }
std::string value_text(const Machine&, ResourceFigures::Sharing value) { return std::string(to_string(value)); }
std::string value_text(const Machine&, timing::MachineClass value) { return std::string(to_string(value)); }
std::string value_text(const Machine& machine, const std::vector<timing::Occupancy>& all) {
  return occupancies_text(machine, all);
}
std::string value_text(const Machine&, const std::vector<int64_t>& list) {
  std::vector<std::string> words;
  for (const int64_t one : list) words.push_back(std::to_string(one));
  return joined(words);
}
std::string value_text(const Machine&, const std::vector<std::string>& list) { return joined(list); }

std::string with_unit(const std::string& value, timing::FigureUnit unit) {
  switch (unit) {
    case timing::FigureUnit::bytes: return value + " bytes";
    case timing::FigureUnit::lanes: return value + " warps per cycle";
    case timing::FigureUnit::khz:
    case timing::FigureUnit::fraction:
    case timing::FigureUnit::none: return value;
  }
  return value;
}

// The figures that have words, one line each.
template <typename Owner>
std::vector<Row> rows_of(const Machine& machine, std::span<const timing::MachineField<Owner>> fields,
                         const Owner& owner) {
  std::vector<Row> rows;
  for (const timing::MachineField<Owner>& field : fields) {
    if (field.words.empty()) continue;
    timing::with_value(field, owner, [&](const auto& value) {
      std::string text = value_text(machine, value);
      if (text.empty()) return;
      if constexpr (std::is_same_v<decltype(value), const int64_t&>) {
        if (field.unit == timing::FigureUnit::khz) text = frequency(value);
      }
      rows.push_back({std::string(field.words), with_unit(text, field.unit)});
    });
  }
  return rows;
}

std::string sections(const Machine& machine, size_t width) {
  std::string out;
  for (const timing::MachineSection& section : timing::machine_sections()) {
    if (section.is_known != nullptr && !section.is_known(machine)) continue;
    out += group(std::string(section.heading), section.provenance.of_const(machine),
                 rows_of(machine, section.fields, machine), width);
  }
  return out;
}

// What the machine instructions cost that the table of expansions counts.
std::string sequences(const Machine& machine, size_t width) {
  if (!machine.sequence) return {};
  return group("machine instructions that a form takes beyond those of its operation", machine.sequence->provenance,
               rows_of(machine, timing::fields_of<timing::SequenceFigures>(), *machine.sequence), width);
}

// Numbers the sources of a table, each once, for a list under it.
class Footnotes {
 public:
  std::string mark(const std::string& source) {
    if (source.empty()) return "";
    const auto known = std::find(sources_.begin(), sources_.end(), source);
    if (known == sources_.end()) sources_.push_back(source);
    return fmt::format("{})", std::distance(sources_.begin(), std::find(sources_.begin(), sources_.end(), source)) + 1);
  }

  std::string text(size_t width) const {
    std::string out;
    for (size_t i = 0; i < sources_.size(); ++i) out += wrap(fmt::format("  {:>3}) ", i + 1), sources_[i], width);
    return out;
  }

 private:
  std::vector<std::string> sources_;
};

// A table of things that have a name, a column for each figure that has words: who shares them behind the others, then
// standing and source.
template <typename Owner>
class NamedTable {
 public:
  explicit NamedTable(std::string_view name) : rows_{{std::string(name)}} {
    for (const auto& field : columns()) {
      alignments_.push_back(is_sharing(field) || is_occupancy(field) ? Align::left : Align::right);
      rows_.front().emplace_back(field.words);
    }
    rows_.front().insert(rows_.front().end(), {"standing", "from"});
    alignments_.insert(alignments_.end(), {Align::left, Align::right});
  }

  void add(const Machine& machine, const Owner& owner, timing::Evidence evidence, std::string mark) {
    Row row = {owner.name};
    for (const auto& field : columns()) {
      timing::with_value(field, owner, [&](const auto& value) {
        const bool is_unset = field.left_out != nullptr && timing::is_unset(value, field.range);
        row.push_back(is_unset ? "" : value_text(machine, value));
      });
    }
    row.insert(row.end(), {std::string(to_string(evidence)), std::move(mark)});
    rows_.push_back(std::move(row));
  }

  std::string text() const { return "\n" + table(alignments_, rows_, 0); }

 private:
  using Field = timing::MachineField<Owner>;

  static bool is_sharing(const Field& field) {
    return std::holds_alternative<timing::FigureAccess<Owner, ResourceFigures::Sharing>>(field.figure);
  }
  static bool is_occupancy(const Field& field) {
    return std::holds_alternative<timing::FigureAccess<Owner, std::vector<timing::Occupancy>>>(field.figure);
  }
  static std::vector<Field> columns() {
    std::vector<Field> fields;
    for (const Field& field : timing::fields_of<Owner>()) {
      if (!field.words.empty()) fields.push_back(field);
    }
    std::stable_partition(fields.begin(), fields.end(), [](const Field& field) { return !is_sharing(field); });
    return fields;
  }

  std::vector<Align> alignments_ = {Align::left};
  std::vector<Row> rows_;
};

std::string resources(const Machine& machine, Footnotes& footnotes) {
  NamedTable<ResourceFigures> table("resource");
  for (const ResourceFigures& resource : machine.resources) {
    table.add(machine, resource, resource.evidence, footnotes.mark(resource.source));
  }
  return table.text();
}

// Rounded up to three decimals.
std::string in_thousandths(const support::Rational& value) {
  const int64_t thousandths =
      static_cast<int64_t>((support::Int128(value.numerator) * 1000 + value.denominator - 1) / value.denominator);
  return fmt::format("{}.{:03}", thousands(thousandths / 1000), thousandths % 1000);
}

std::string lines(const Machine& machine, Footnotes& footnotes) {
  std::vector<Row> rows = {{"lines through", "assumed", "cycles of a line", "for at most", "standing", "from"}};
  for (const ResourceFigures& resource : machine.resources) {
    if (!resource.lines) continue;
    const auto add = [&](const std::string& assumed, const timing::LineTime& time, bool limited) {
      limited = limited && resource.lines->reach > 0;
      rows.push_back({resource.name, assumed, in_thousandths(time.cycles),
                      limited ? thousands(resource.lines->reach) + " bytes" : "",
                      std::string(to_string(time.provenance.evidence)), footnotes.mark(time.provenance.source)});
    };
    for (const timing::Guarantee guarantee : timing::all_guarantees) {
      if (!resource.lines->is_stated(guarantee)) continue;
      const bool is_none = guarantee == timing::Guarantee::same_bank;
      add(is_none ? "nothing" : std::string(to_string(guarantee)), resource.lines->of(guarantee), !is_none);
    }
    if (resource.lines->once) add("spread, once", *resource.lines->once, true);
    if (resource.lines->few_once) add("spread, few once", *resource.lines->few_once, true);
  }
  if (rows.size() == 1) return {};
  return "\n" + table({Align::left, Align::left, Align::right, Align::right, Align::left, Align::right}, rows, 0);
}

std::string data_caches(const Machine& machine, Footnotes& footnotes) {
  if (machine.data_caches.empty()) return {};
  NamedTable<timing::DataCache> table("data cache");
  for (const timing::DataCache& cache : machine.data_caches) {
    table.add(machine, cache, cache.provenance.evidence, footnotes.mark(cache.provenance.source));
  }
  return table.text();
}

std::string code_caches(const Machine& machine, Footnotes& footnotes, size_t width) {
  if (!machine.fetch) return {};
  NamedTable<timing::CodeCache> table("code cache");
  for (const timing::CodeCache& cache : machine.fetch->caches) {
    table.add(machine, cache, cache.evidence, footnotes.mark(cache.source));
  }
  return group("instruction fetch", machine.fetch->provenance,
               rows_of(machine, timing::fields_of<timing::FetchFigures>(), *machine.fetch), width) +
         table.text() +
         "  miss: cycles to the next one, of the last one to memory; holds: cycles, or lines, it occupies a resource "
         "for\n";
}

std::string with_transactions(int64_t first, int64_t further) {
  return thousands(first) + (further == 0 ? "" : "+" + thousands(further));
}

// Which forms a rule is for: "setp.*", or "opcodes atom, red; types f32".
std::string forms_of(const timing::FormRule& rule) {
  std::string text;
  for (const auto& field : timing::fields_of<timing::FormRule>()) {
    const auto* figure = std::get_if<timing::FigureAccess<timing::FormRule, std::vector<std::string>>>(&field.figure);
    if (figure == nullptr || figure->of_const(rule).empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string(field.words) + (field.words.empty() ? "" : " ") +
            joined(figure->of_const(rule));
  }
  return text;
}

// One row of the table of operations.
Row operation_row(const Machine& machine, ir::OperationKind kind, const OperationFigures& figures, std::string forms,
                  Footnotes& footnotes) {
  return {std::string(ir::to_string(kind)),
          thousands(figures.latency.best),
          thousands(figures.latency.average),
          with_transactions(figures.latency.worst, figures.per_transaction),
          thousands(figures.gap),
          thousands(figures.instructions),
          occupancies_text(machine, figures.occupancies),
          std::string(to_string(figures.evidence)),
          footnotes.mark(figures.source),
          std::move(forms)};
}

// The figures of each kind: first of the forms that have their own, then of the others.
std::string operations(const Machine& machine, Footnotes& footnotes) {
  std::vector<Row> rows = {
      {"operation", "best", "average", "worst", "gap", "instr.", "holds", "standing", "from", "forms"}};
  for (size_t k = 0; k < machine.operations.size(); ++k) {
    const auto kind = static_cast<ir::OperationKind>(k);
    const size_t before = rows.size();
    for (const auto& own : machine.form_figures) {
      if (own.kind == kind) rows.push_back(operation_row(machine, kind, own.figures, forms_of(own.rule), footnotes));
    }
    const std::string others = rows.size() == before ? "" : "others";
    if (machine.otherwise[k]) rows.push_back(operation_row(machine, kind, *machine.otherwise[k], others, footnotes));
  }
  const std::vector<Align> alignments = {Align::left,  Align::right, Align::right, Align::right, Align::right,
                                         Align::right, Align::left,  Align::left,  Align::right, Align::left};
  return "\n" + table(alignments, rows, 0) +
         "  best, average, worst: cycles to the issue of a dependent instruction; gap: to the next issue of the warp;\n"
         "  instr.: machine instructions it stands for; holds: cycles, or lines, it occupies a resource for;\n"
         "  a+b: a for the first memory transaction, b for each further one\n";
}

// What --assume can state, and whether runs back it on this machine.
std::string usual(const Machine& machine, size_t width) {
  std::string out = "\nassumptions that --assume grants; 'usual' stands for those that runs of this board back\n";
  for (const std::string_view name : timing::assumption_names()) {
    const timing::Assumption assumption = *timing::assumption_named(name);
    const auto backing =
        std::find_if(machine.usual.begin(), machine.usual.end(),
                     [assumption](const timing::Backing& one) { return one.assumption == assumption; });
    const timing::Explanation& explained = timing::explanation(assumption);
    out +=
        wrap("  " + std::string(timing::identifier_of(assumption)) + " ",
             fmt::format("{}{}: {}", name, backing == machine.usual.end() ? "" : " (usual)", explained.meaning), width);
    out += wrap("       to find out: ", std::string(explained.finding_out), width);
    out +=
        wrap("       on this board: ", backing == machine.usual.end() ? "no run of it backs this" : backing->evidence,
             width);
  }
  return out;
}

std::string notes(const Machine& machine, size_t width) {
  std::string out;
  out += "\nassumptions\n";
  for (const std::string& assumption : timing::assumptions_of(machine)) out += wrap("  - ", assumption, width);
  if (!machine.ptx_assumptions.empty()) out += "\nassumptions about PTX\n";
  for (const std::string& assumption : machine.ptx_assumptions) out += wrap("  - ", assumption, width);
  out += usual(machine, width);
  if (!machine.references.empty()) out += "\nsources\n";
  for (const timing::Reference& reference : machine.references) {
    out += wrap(fmt::format("  {:<8}", "[" + reference.key + "]") + " ", reference.text, width);
  }
  return out;
}

}  // namespace

std::string machine_text(const Machine& machine, size_t width) {
  std::string out = machine.name + ": " + machine.description + "\n";
  if (!machine.targets.empty()) out += "default for " + joined(machine.targets) + "\n";
  Footnotes footnotes;
  out += sections(machine, width);
  out += resources(machine, footnotes);
  out += lines(machine, footnotes);
  out += data_caches(machine, footnotes);
  out += code_caches(machine, footnotes, width);
  out += operations(machine, footnotes);
  out += sequences(machine, width);
  out += "\nwhere the figures of the tables are from\n" + footnotes.text(width);
  return out + notes(machine, width);
}

}  // namespace warpspan::app
