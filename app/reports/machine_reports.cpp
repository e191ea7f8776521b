#include "app/reports/machine_reports.hpp"

#include <fmt/format.h>

#include "app/reports/json.hpp"
#include "app/reports/readable.hpp"
#include "timing/machine/check.hpp"
#include "timing/machine/conditions.hpp"
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

Json span(const timing::Span& span) { return {span.least, span.most}; }

// {"memory": {"first": 61, "further": 61}}; further: of each transaction after the first.
Json holds(const Machine& machine, const std::vector<timing::Hold>& all) {
  Json object = Json::object();
  for (const timing::Hold& hold : all) {
    object[machine.resources[hold.resource].name] = {{"first", hold.first},
                                                     {"further", hold.per_transaction ? hold.cycles : 0}};
  }
  return object;
}

Json general(const Machine& m) {
  Json document;
  document["schema"] = "warpspan.machine/1";
  document["name"] = m.name;
  document["description"] = m.description;
  document["targets"] = m.targets;
  document["assumptions"] = timing::assumptions_of(m);
  document["ptx_assumptions"] = m.ptx_assumptions;
  document["sources"] = Json::object();
  for (const timing::Reference& reference : m.references) document["sources"][reference.key] = reference.text;
  document["board"] = with_provenance(
      {{"multiprocessors", m.multiprocessors}, {"clock_khz", m.clock_khz}, {"integrated", m.integrated}}, m.board);
  document["issue"] = with_provenance(
      {{"warp_size", timing::warp_size}, {"schedulers", m.schedulers}, {"gap", m.issue_gap}, {"hold", m.issue_hold}},
      m.issue);
  document["limits"] = with_provenance({{"warps", m.max_warps},
                                        {"blocks", span(m.max_blocks)},
                                        {"threads_per_block", m.max_threads_per_block},
                                        {"shared_bytes", span(m.shared_bytes)},
                                        {"shared_bytes_per_block", m.shared_bytes_per_block},
                                        {"shared_granularity", m.shared_granularity},
                                        {"shared_reserved_per_block", m.shared_reserved_per_block},
                                        {"registers", m.registers},
                                        {"registers_per_block", m.registers_per_block},
                                        {"registers_per_thread", m.registers_per_thread},
                                        {"register_granularity", span(m.register_granularity)},
                                        {"barriers", span(m.barriers)},
                                        {"launch_partitions", m.launch_partitions}},
                                       m.limits);
  if (m.dispatch) {
    document["dispatch"] =
        with_provenance({{"latency", m.dispatch->latency}, {"interval", m.dispatch->interval}}, m.dispatch->provenance);
  }
  if (m.operand_read) {
    document["operand_read"] = with_provenance({{"latency", m.operand_read->latency}}, m.operand_read->provenance);
  }
  const auto lanes = [&m](size_t unit) {
    return m.unit_width[unit].numerator * timing::warp_size / m.unit_width[unit].denominator;
  };
  document["lanes"] = with_provenance({{"load_store", lanes(0)}, {"core", lanes(1)}, {"special", lanes(2)}}, m.units);
  return document;
}

// {"same_bank": {"cycles": "9447/100"}}; exact.
Json lines(const timing::LineTimes& times) {
  Json object = {{"reach", times.reach}};
  for (const auto guarantee : {timing::Guarantee::same_bank, timing::Guarantee::spread, timing::Guarantee::stream}) {
    const timing::LineTime& time = times.of(guarantee);
    object[timing::key_of_guarantee(guarantee)] =
        with_provenance({{"cycles", support::to_string(time.cycles)}}, time.provenance);
  }
  return object;
}

Json resources(const Machine& machine) {
  Json all = Json::array();
  for (const timing::ResourceFigures& resource : machine.resources) {
    Json object = {{"name", resource.name}, {"servers", resource.servers}, {"sharing", to_string(resource.sharing)}};
    add_provenance(object, resource.evidence, resource.source);
    object["at_issue"] = resource.at_issue;
    if (resource.lane_bytes > 0) object["lane_bytes"] = resource.lane_bytes;
    if (resource.lines) object["lines"] = lines(*resource.lines);
    all.push_back(std::move(object));
  }
  return all;
}

Json data_caches(const Machine& machine) {
  Json all = Json::array();
  for (const timing::DataCache& cache : machine.data_caches) {
    all.push_back(with_provenance({{"name", cache.name},
                                   {"sharing", to_string(cache.sharing)},
                                   {"bytes", cache.bytes},
                                   {"line", cache.line},
                                   {"kept", support::to_string(cache.kept)},
                                   {"as_operands", cache.as_operands},
                                   {"hit", cache.hit}},
                                  cache.provenance));
  }
  return all;
}

Json fetch(const Machine& machine) {
  if (!machine.fetch) return nullptr;
  Json object = with_provenance({{"line", machine.fetch->line}, {"instructions", machine.fetch->instructions}},
                                machine.fetch->provenance);
  object["caches"] = Json::array();
  for (const timing::CodeCache& cache : machine.fetch->caches) {
    Json entry = {{"name", cache.name},
                  {"sharing", to_string(cache.sharing)},
                  {"bytes", cache.bytes},
                  {"miss", cache.miss},
                  {"holds", holds(machine, cache.holds)}};
    entry["shared"] = cache.shared > 0 ? Json(cache.shared) : Json(nullptr);
    add_provenance(entry, cache.evidence, cache.source);
    object["caches"].push_back(std::move(entry));
  }
  return object;
}

Json sequence(const Machine& machine) {
  if (!machine.sequence) return nullptr;
  const timing::SequenceFigures& figures = *machine.sequence;
  Json object = {{"architectures", figures.architectures}, {"latency", figures.latency}, {"average", figures.average}};
  for (const auto one : {timing::MachineClass::special, timing::MachineClass::double_precision,
                         timing::MachineClass::branch, timing::MachineClass::shuffle}) {
    object[std::string(to_string(one))] = figures.more[static_cast<size_t>(one)];
  }
  object["predicate"] = figures.predicate;
  object["rounds"] = figures.rounds;
  object["holds"] = holds(machine, figures.holds);
  object["special_holds"] = holds(machine, figures.special_holds);
  object["double_holds"] = holds(machine, figures.double_holds);
  object["shuffle_holds"] = holds(machine, figures.shuffle_holds);
  return with_provenance(std::move(object), figures.provenance);
}

Json operation(const Machine& machine, ir::OperationKind kind, const timing::FormRule& rule,
               const timing::OperationFigures& figures) {
  Json object;
  object["kind"] = ir::to_string(kind);
  const auto add = [&object](const char* key, const std::vector<std::string>& words) {
    if (!words.empty()) object[key] = words;
  };
  add("forms", rule.forms);
  add("opcodes", rule.opcodes);
  add("types", rule.types);
  add("modifiers", rule.modifiers);
  if (rule.loop) object["loop"] = true;
  object["latency"] = {figures.latency.best, figures.latency.average, figures.latency.worst};
  object["latency_per_transaction"] = figures.per_transaction;
  object["gap"] = figures.gap;
  object["instructions"] = figures.instructions;
  object["holds"] = holds(machine, figures.holds);
  for (const timing::Rounds& rounds : figures.rounds) {
    object["rounds"][machine.resources[rounds.resource].name] = rounds.cycles;
  }
  object["expanded"] = figures.expanded;
  object["class"] = to_string(figures.machine_class);
  if (figures.typical) object["typical"] = span(*figures.typical);
  if (figures.plain_textures) object["plain_textures"] = true;
  add_provenance(object, figures.evidence, figures.source);
  return object;
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
