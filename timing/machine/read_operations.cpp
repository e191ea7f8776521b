// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/read_operations.hpp"

#include <algorithm>
#include <map>

#include "support/nearest.hpp"

namespace warpspan::timing {

using support::TableReader;
using support::Text;
using support::TomlFile;

namespace {

constexpr TableReader::Range cycles = {0, 1'000'000'000};

std::optional<ir::OperationKind> kind_named(std::string_view word) {
  for (int k = 0; k < ir::operation_kinds; ++k) {
    if (ir::to_string(static_cast<ir::OperationKind>(k)) == word) return static_cast<ir::OperationKind>(k);
  }
  return std::nullopt;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (int k = 0; k < ir::operation_kinds; ++k) names.emplace_back(ir::to_string(static_cast<ir::OperationKind>(k)));
  return names;
}

// Reads into a machine whose head, resources and sources are known.
class OperationReader {
 public:
  OperationReader(TomlFile& file, Machine& machine) : file_(file), machine_(machine) {}
  void read_operations(const TableReader::Tables& tables);
  void merge_forms();

 private:
  void read_operation(const std::string& label, TableReader& selection, TableReader& operation);
  void add_bases(const TableReader::Tables& tables, TableReader::Tables& found, std::vector<std::string> labels);
  std::vector<Text> read_kinds(const std::string& label, TableReader& operation);
  OperationFigures read_figures(TableReader& operation);
  void read_gap(TableReader& operation, OperationFigures& figures);
  void read_occupancies(TableReader& operation, OperationFigures& figures);
  void read_retries(TableReader& operation, OperationFigures& figures);

  TomlFile& file_;
  Machine& machine_;
  std::map<ir::OperationKind, int64_t> kind_lines_;  // where the figures of each kind were given
};

void OperationReader::read_operations(const TableReader::Tables& tables) {
  for (const std::string& label : support::keys_in_order(tables)) {
    TableReader::Tables found = support::tables_named(file_, tables, "operation", label);
    if (found.empty()) continue;
    TableReader selection(file_, found, support::title_of("operation", label));
    if (selection.truth_or("absent", false)) continue;
    add_bases(tables, found, {label});
    TableReader figures(file_, std::move(found), selection.title());
    read_operation(label, selection, figures);
    figures.finish();
  }
}

// The tables that a table is based on: its key 'based_on' names another operation of the file.
void OperationReader::add_bases(const TableReader::Tables& tables, TableReader::Tables& found,
                                std::vector<std::string> labels) {
  TableReader reader(file_, found, support::title_of("operation", labels.back()));
  if (!reader.has("based_on")) return;
  const Text base = reader.text("based_on");
  if (std::find(labels.begin(), labels.end(), base.text) != labels.end()) {
    reader.error(base.at, "'" + base.text + "' is based on itself", "");
    return;
  }
  TableReader::Tables more = support::tables_named(file_, tables, "operation", base.text);
  if (more.empty()) {
    reader.error(base.at, "no operation table is called '" + base.text + "'", "");
    return;
  }
  labels.push_back(base.text);
  add_bases(tables, more, std::move(labels));
  found.insert(found.end(), more.begin(), more.end());
}

// selection: the table without those it is based on, which do not decide which forms it is for.
void OperationReader::read_operation(const std::string& label, TableReader& selection, TableReader& operation) {
  for (const char* key : {"kinds", "absent", "based_on"}) operation.node(key);
  for (const MachineField<FormRule>& field : fields_of<FormRule>()) operation.node(field.key);
  const std::vector<Text> kinds = read_kinds(label, selection);
  FormRule rule;
  read_fields(selection, machine_, rule);
  const OperationFigures figures = read_figures(operation);
  for (const Text& word : kinds) {
    const auto kind = kind_named(word.text);
    if (!kind) {
      const auto meant = support::nearest(word.text, kind_names(), 2);
      operation.error(
          word.at, "unknown operation kind '" + word.text + "'",
          !meant.empty() ? "did you mean '" + std::string(meant) + "'?" : "docs/machines.md lists the kinds");
      continue;
    }
    if (!rule.all()) {
      machine_.form_figures.push_back({*kind, rule, figures});
      continue;
    }
    const auto [known, fresh] = kind_lines_.emplace(*kind, word.at.begin.line);
    if (!fresh) {
      operation.error(word.at, "operation kind '" + word.text + "' is given twice",
                      "it was first given in line " + std::to_string(known->second));
      continue;
    }
    machine_.otherwise[static_cast<size_t>(*kind)] = figures;
  }
}

// A kind's own figures are for whatever its form tables leave over; those of the kind as a whole must be safe for
// both.
void OperationReader::merge_forms() {
  machine_.operations = machine_.otherwise;
  for (const Machine::FormFigures& some : machine_.form_figures) {
    auto& all = machine_.operations[static_cast<size_t>(some.kind)];
    if (all) all = safe_for_both(*all, some.figures);
  }
}

std::vector<Text> OperationReader::read_kinds(const std::string& label, TableReader& operation) {
  if (!operation.has("kinds")) return {{label, operation.at()}};
  std::vector<Text> kinds = operation.texts("kinds");
  const bool listed = std::any_of(kinds.begin(), kinds.end(), [&](const Text& kind) { return kind.text == label; });
  if (kind_named(label) && !listed) {
    operation.error(operation.at("kinds"), "'kinds' of " + operation.title() + " does not contain '" + label + "'",
                    "add it, or name the table otherwise");
  } else if (kinds.empty() && operation.node("kinds")->is_array()) {
    operation.error(operation.at("kinds"), "'kinds' must not be empty", "");
  }
  return kinds;
}

OperationFigures OperationReader::read_figures(TableReader& operation) {
  OperationFigures figures;
  figures.latency = read_latency(operation, "latency", cycles, machine_);
  figures.instructions = operation.integer_or("instructions", {1, 1'000'000}, 1);
  read_gap(operation, figures);
  read_retries(operation, figures);
  read_occupancies(operation, figures);
  timing::read_fields(operation, machine_, figures);
  if (figures.expanded && !machine_.sequence) {
    operation.error(operation.at("expanded"), "there are no figures of sequences", "add a table [sequence]");
  }
  if (figures.expanded && !figures.retries.empty()) {
    operation.error(operation.at("rounds"),
                    "'rounds' are of the whole loop, and the figures of one machine instruction",
                    "leave 'expanded' out");
  }
  const Provenance provenance = read_provenance(operation, machine_.references);
  figures.evidence = provenance.evidence;
  figures.source = provenance.source;
  return figures;
}

void OperationReader::read_gap(TableReader& operation, OperationFigures& figures) {
  const int64_t least = figures.instructions * machine_.issue_gap;
  figures.gap = operation.integer_or("gap", cycles, least);
  if (figures.gap >= least) return;
  const std::string count = std::to_string(figures.instructions);
  operation.error(operation.has("gap") ? operation.at("gap") : operation.at(),
                  "'gap' must be at least " + std::to_string(least) + ": " + count + " machine instruction" +
                      (figures.instructions == 1 ? "" : "s") + ", each " + std::to_string(machine_.issue_gap) +
                      " after the one before",
                  "");
}

void OperationReader::read_occupancies(TableReader& operation, OperationFigures& figures) {
  std::map<size_t, int64_t> first = read_cycles(operation, "holds", machine_, nullptr);
  const std::map<size_t, int64_t> further = read_cycles(operation, "transaction", machine_, &figures.per_transaction);
  first[0] += figures.instructions * machine_.issue_occupancy;
  for (const Retries& retries : figures.retries) first[retries.resource] += retries.cycles;
  for (const auto& [resource, count] : further) {
    first.emplace(resource, 0);
    if (count >= first[resource] || count == 0) continue;
    const std::string& name = machine_.resources[resource].name;
    operation.error(operation.at("transaction"),
                    "a further transaction must occupy '" + name + "' for at least the " +
                        std::to_string(first[resource]) + " cycles of the first, or not at all",
                    "");
  }
  for (const auto& [resource, count] : first) {
    const auto more = further.find(resource);
    const bool per_transaction = more != further.end() && more->second > 0;
    figures.occupancies.push_back({resource, per_transaction ? more->second : count, per_transaction, count});
  }
}

// Each success of a warp is charged to the resource for every warp whose attempt it makes fail: with several servers
// the charge would be divided, and a scheduler's warps are not all that share its memory.
void OperationReader::read_retries(TableReader& operation, OperationFigures& figures) {
  for (const auto& [resource, count] : read_cycles(operation, "rounds", machine_, nullptr)) {
    const ResourceFigures& of = machine_.resources[resource];
    if (of.servers != 1 || of.sharing == ResourceFigures::Sharing::scheduler || of.lines) {
      operation.error(operation.at("rounds"),
                      "rounds need a resource of a multiprocessor or the device with one server that is occupied for "
                      "cycles, and '" +
                          of.name + "' is none",
                      "declare one for them");
    }
    figures.retries.push_back({resource, count});
  }
}

}  // namespace

void read_sequence(TableReader& sequence, Machine& machine) {
  SequenceFigures& figures = machine.sequence.emplace();
  read_fields(sequence, machine, figures);
  figures.provenance = read_provenance(sequence, machine.references);
}

void read_operations(TomlFile& file, const TableReader::Tables& tables, Machine& machine) {
  OperationReader reader(file, machine);
  reader.read_operations(tables);
  reader.merge_forms();
}

}  // namespace warpspan::timing
