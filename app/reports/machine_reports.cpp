// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/machine_reports.hpp"

#include <fmt/format.h>

#include "app/reports/json.hpp"
#include "app/reports/readable.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/machine/check.hpp"
#include "timing/machine/conditions.hpp"
#include "timing/machine/fields.hpp"
#include "timing/machine/read_memory.hpp"

namespace warpspan::app {

namespace {

using timing::Machine;

void add_provenance(Json& object, timing::Evidence evidence, const std::string& source) {
  object["standing"] = to_string(evidence);
  object["source"] = source;
}

Json with_provenance(Json object, const timing::Provenance& from) {
  add_provenance(object, from.evidence, from.source);
  return object;
}

// {"memory": {"first": 61, "further": 61}}; further: of each transaction after the first.
Json occupancies_json(const Machine& machine, const std::vector<timing::Occupancy>& all) {
  Json object = Json::object();
  for (const timing::Occupancy& occupancy : all) {
    object[machine.resources[occupancy.resource].name] = {
        {"first", occupancy.first}, {"further", occupancy.per_transaction ? occupancy.cycles : 0}};
  }
  return object;
}

Json value_json(const Machine&, int64_t value, timing::FigureUnit) { return value; }
Json value_json(const Machine&, bool value, timing::FigureUnit) { return value; }
Json value_json(const Machine&, const timing::Span& span, timing::FigureUnit) { return {span.least, span.most}; }
Json value_json(const Machine& machine, const std::optional<timing::Span>& span, timing::FigureUnit unit) {
  return value_json(machine, *span, unit);
}
Json value_json(const Machine&, const support::Rational& value, timing::FigureUnit unit) {
  if (unit == timing::FigureUnit::lanes) return timing::lanes_of(value);
  return support::to_string(value);
}
Json value_json(const Machine&, timing::ResourceFigures::Sharing sharing, timing::FigureUnit) {
  return to_string(sharing);
}
Json value_json(const Machine&, timing::MachineClass one, timing::FigureUnit) { return to_string(one); }
Json value_json(const Machine& machine, const std::vector<timing::Occupancy>& all, timing::FigureUnit) {
  return occupancies_json(machine, all);
}
Json value_json(const Machine&, const std::vector<int64_t>& list, timing::FigureUnit) { return list; }
Json value_json(const Machine&, const std::vector<std::string>& list, timing::FigureUnit) { return list; }

template <typename Owner>
void add_fields(Json& object, const Machine& machine, std::span<const timing::MachineField<Owner>> fields,
                const Owner& owner, timing::JsonPlace place) {
  for (const timing::MachineField<Owner>& field : fields) {
    if (field.json_place != place) continue;
    timing::with_value(field, owner, [&](const auto& value) {
      const bool is_left_out = field.json_unset != timing::JsonUnset::as_is && timing::is_unset(value, field.range);
      if (is_left_out && field.json_unset == timing::JsonUnset::not_there) return;
      object[std::string(field.key)] = is_left_out ? Json(nullptr) : value_json(machine, value, field.unit);
    });
  }
}

// With what the object has already, and then with standing and source.
template <typename Owner>
Json with_fields(Json object, const Machine& machine, std::span<const timing::MachineField<Owner>> fields,
                 const Owner& owner, timing::Evidence evidence, const std::string& source) {
  add_fields(object, machine, fields, owner, timing::JsonPlace::in_order);
  add_fields(object, machine, fields, owner, timing::JsonPlace::behind_others);
  add_provenance(object, evidence, source);
  add_fields(object, machine, fields, owner, timing::JsonPlace::behind_source);
  return object;
}

template <typename Owner>
Json with_fields(Json object, const Machine& machine, const Owner& owner, timing::Evidence evidence,
                 const std::string& source) {
  return with_fields(std::move(object), machine, timing::fields_of<Owner>(), owner, evidence, source);
}

template <typename Owner>
Json with_fields(Json object, const Machine& machine, const Owner& owner) {
  return with_fields(std::move(object), machine, owner, owner.provenance.evidence, owner.provenance.source);
}

Json general(const Machine& m) {
  Json document;
  document["schema"] = "warpspan.machine/1";
  document["name"] = m.name;
  document["description"] = m.description;
  document["targets"] = m.targets;
  document["assumptions"] = timing::assumptions_of(m);
  document["ptx_assumptions"] = m.ptx_assumptions;
  document["usual"] = Json::array();
  for (const timing::Backing& backing : m.usual) {
    document["usual"].push_back({{"assumption", timing::name_of(backing.assumption)},
                                 {"identifier", timing::identifier_of(backing.assumption)},
                                 {"evidence", backing.evidence}});
  }
  document["sources"] = Json::object();
  for (const timing::Reference& reference : m.references) document["sources"][reference.key] = reference.text;
  for (const timing::MachineSection& section : timing::machine_sections()) {
    if (section.is_known != nullptr && !section.is_known(m)) continue;
    const timing::Provenance& from = section.provenance.of_const(m);
    document[std::string(section.key)] = with_fields({}, m, section.fields, m, from.evidence, from.source);
  }
  return document;
}

// {"same_bank": {"cycles": "9447/100"}}; exact.
Json lines(const Machine& machine, const timing::LineTimes& times) {
  Json object;
  add_fields(object, machine, timing::fields_of<timing::LineTimes>(), times, timing::JsonPlace::in_order);
  const auto add = [&object](const std::string& key, const timing::LineTime& time) {
    object[key] = with_provenance({{"cycles", support::to_string(time.cycles)}}, time.provenance);
  };
  for (const timing::Guarantee guarantee : timing::all_guarantees) {
    if (times.is_stated(guarantee)) add(timing::key_of_guarantee(guarantee), times.of(guarantee));
  }
  if (times.once) add("once", *times.once);
  if (times.few_once) add("few_once", *times.few_once);
  return object;
}

Json resources(const Machine& machine) {
  Json all = Json::array();
  for (const timing::ResourceFigures& resource : machine.resources) {
    Json object = with_fields({{"name", resource.name}}, machine, resource, resource.evidence, resource.source);
    if (resource.lines) object["lines"] = lines(machine, *resource.lines);
    all.push_back(std::move(object));
  }
  return all;
}

Json data_caches(const Machine& machine) {
  Json all = Json::array();
  for (const timing::DataCache& cache : machine.data_caches) {
    all.push_back(with_fields({{"name", cache.name}}, machine, cache));
  }
  return all;
}

Json fetch(const Machine& machine) {
  if (!machine.fetch) return nullptr;
  Json object = with_fields({}, machine, *machine.fetch);
  object["caches"] = Json::array();
  for (const timing::CodeCache& cache : machine.fetch->caches) {
    object["caches"].push_back(with_fields({{"name", cache.name}}, machine, cache, cache.evidence, cache.source));
  }
  return object;
}

Json sequence(const Machine& machine) {
  return machine.sequence ? with_fields({}, machine, *machine.sequence) : Json(nullptr);
}

Json operation(const Machine& machine, ir::OperationKind kind, const timing::FormRule& rule,
               const timing::OperationFigures& figures) {
  Json object;
  object["kind"] = ir::to_string(kind);
  add_fields(object, machine, timing::fields_of<timing::FormRule>(), rule, timing::JsonPlace::in_order);
  object["latency"] = {figures.latency.best, figures.latency.average, figures.latency.worst};
  object["latency_per_transaction"] = figures.per_transaction;
  object["gap"] = figures.gap;
  object["instructions"] = figures.instructions;
  object["holds"] = occupancies_json(machine, figures.occupancies);
  for (const timing::Retries& retries : figures.retries) {
    object["rounds"][machine.resources[retries.resource].name] = retries.cycles;
  }
  return with_fields(std::move(object), machine, figures, figures.evidence, figures.source);
}

// In the order in which an instruction looks for its figures.
Json operations(const Machine& machine) {
  Json all = Json::array();
  for (const auto& some : machine.form_figures) all.push_back(operation(machine, some.kind, some.rule, some.figures));
  for (size_t k = 0; k < machine.otherwise.size(); ++k) {
    const auto kind = static_cast<ir::OperationKind>(k);
    if (machine.otherwise[k]) all.push_back(operation(machine, kind, {}, *machine.otherwise[k]));
  }
  return all;
}

std::string kinds(const std::vector<ir::OperationKind>& all) {
  std::vector<std::string> names;
  for (const ir::OperationKind kind : all) names.emplace_back(ir::to_string(kind));
  return joined(names);
}

}  // namespace

std::string machine_json(const Machine& machine) {
  Json document = general(machine);
  document["resources"] = resources(machine);
  document["fetch"] = fetch(machine);
  document["sequence"] = sequence(machine);
  document["operations"] = operations(machine);
  document["data_caches"] = data_caches(machine);
  return dump(document);
}

std::string machine_check_text(const Machine& machine, size_t width) {
  const timing::MachineReport report = timing::check_machine(machine);
  std::string out = machine.name + ": " + machine.description + "\n";
  out += "\nno errors\n";
  std::vector<Row> rows;
  for (int i = 0; i < timing::kinds_of_evidence; ++i) {
    rows.push_back(
        {std::string(to_string(static_cast<timing::Evidence>(i))), thousands(report.tables[static_cast<size_t>(i)])});
  }
  out += "\ntables of figures, by standing\n" + table({Align::left, Align::right}, rows, 2);
  rows.clear();
  for (const timing::FigureRange& range : report.ranges) {
    rows.push_back({range.figure, thousands(range.least) + " to " + thousands(range.largest)});
  }
  if (!rows.empty()) out += "\nranges over all operations\n" + table({Align::left, Align::right}, rows, 2);
  out += "\n" + wrap("without figures: ", report.missing.empty() ? "nothing" : kinds(report.missing), width);
  if (!report.partial.empty()) out += wrap("of some forms only: ", kinds(report.partial), width);
  for (const std::string& remark : report.remarks) out += wrap("doubtful: ", remark, width);
  return out;
}

}  // namespace warpspan::app
