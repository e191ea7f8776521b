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

MachineClass read_class(TableReader& operation) {
  if (!operation.has("class")) return MachineClass::plain;
  const Text text = operation.text("class");
  for (int c = 0; c < machine_classes; ++c) {
    if (text.text == to_string(static_cast<MachineClass>(c))) return static_cast<MachineClass>(c);
  }
  operation.error(text.at, "unknown class '" + text.text + "'",
                  "write plain, special, double, branch, memory, matrix or shuffle");
  return MachineClass::plain;
}

std::vector<Hold> read_holds_of_each(TableReader& sequence, std::string_view key, const Machine& machine) {
  std::vector<Hold> holds;
  for (const auto& [resource, count] : read_cycles(sequence, key, machine, nullptr)) {
    holds.push_back({resource, count, false, count});
  }
  return holds;
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
  FormRule read_rule(TableReader& operation);
  std::vector<std::string> read_list(TableReader& operation, std::string_view key);
  OperationFigures read_figures(TableReader& operation);
  void read_gap(TableReader& operation, OperationFigures& figures);
  void read_holds(TableReader& operation, OperationFigures& figures);
  void read_rounds(TableReader& operation, OperationFigures& figures);

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

// selection: the table without those it is based on; which forms it is for, they do not tell.
void OperationReader::read_operation(const std::string& label, TableReader& selection, TableReader& operation) {
  for (const char* key : {"kinds", "forms", "opcodes", "types", "modifiers", "loop", "absent", "based_on"})
    operation.node(key);
  const std::vector<Text> kinds = read_kinds(label, selection);
  const FormRule rule = read_rule(selection);
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

FormRule OperationReader::read_rule(TableReader& operation) {
  return {read_list(operation, "forms"), read_list(operation, "opcodes"), read_list(operation, "types"),
          read_list(operation, "modifiers"), operation.truth_or("loop", false)};
}

std::vector<std::string> OperationReader::read_list(TableReader& operation, std::string_view key) {
  std::vector<std::string> list;
  if (!operation.has(key)) return list;
  const std::string name = "'" + std::string(key) + "'";
  for (const Text& word : operation.texts(key)) {
    if (word.text.empty()) {
      operation.error(word.at, key == "forms" ? "a form must not be empty" : name + " must not hold an empty text",
                      key == "forms" ? "write a pattern such as \"setp.*\"" : "");
    }
    list.push_back(word.text);
  }
  if (list.empty() && operation.node(key)->is_array()) {
    operation.error(operation.at(key), name + " must not be empty", "leave it out for all forms");
  }
  return list;
}

// A kind's own figures hold for whatever its form tables leave over; those of the kind as a whole must be safe for
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
    operation.error(operation.at("kinds"), "'kinds' of " + operation.title() + " does not hold '" + label + "'",
                    "add it, or name the table otherwise");
  } else if (kinds.empty() && operation.node("kinds")->is_array()) {
    operation.error(operation.at("kinds"), "'kinds' must not be empty", "");
  }
  return kinds;
}

OperationFigures OperationReader::read_figures(TableReader& operation) {
  OperationFigures figures;
  figures.latency = read_latency(operation, "latency", cycles);
  figures.instructions = operation.integer_or("instructions", {1, 1'000'000}, 1);
  read_gap(operation, figures);
  read_rounds(operation, figures);
  read_holds(operation, figures);
  figures.expanded = operation.truth_or("expanded", false);
  figures.machine_class = read_class(operation);
  figures.plain_textures = operation.truth_or("plain_textures", false);
  if (operation.has("typical")) figures.typical = read_span(operation, "typical", cycles);
  if (figures.expanded && !machine_.sequence) {
    operation.error(operation.at("expanded"), "there are no figures of sequences", "add a table [sequence]");
  }
  if (figures.expanded && !figures.rounds.empty()) {
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

void OperationReader::read_holds(TableReader& operation, OperationFigures& figures) {
  std::map<size_t, int64_t> first = read_cycles(operation, "holds", machine_, nullptr);
  const std::map<size_t, int64_t> further = read_cycles(operation, "transaction", machine_, &figures.per_transaction);
  first[0] += figures.instructions * machine_.issue_hold;
  for (const Rounds& rounds : figures.rounds) first[rounds.resource] += rounds.cycles;
  for (const auto& [resource, count] : further) {
    first.emplace(resource, 0);
    if (count >= first[resource] || count == 0) continue;
    const std::string& name = machine_.resources[resource].name;
    operation.error(operation.at("transaction"),
                    "a further transaction must hold '" + name + "' for at least the " +
                        std::to_string(first[resource]) + " cycles of the first, or not at all",
                    "");
  }
  for (const auto& [resource, count] : first) {
    const auto more = further.find(resource);
    const bool per_transaction = more != further.end() && more->second > 0;
    figures.holds.push_back({resource, per_transaction ? more->second : count, per_transaction, count});
  }
}

// Each success of a warp is charged to the resource for every warp that it makes a round of fail: with several servers
// the charge would be divided, and a scheduler's warps are not all that share its memory.
void OperationReader::read_rounds(TableReader& operation, OperationFigures& figures) {
  for (const auto& [resource, count] : read_cycles(operation, "rounds", machine_, nullptr)) {
    const ResourceFigures& of = machine_.resources[resource];
    if (of.servers != 1 || of.sharing == ResourceFigures::Sharing::scheduler || of.lines) {
      operation.error(operation.at("rounds"),
                      "rounds need a resource of a multiprocessor or the device with one server that is held for "
                      "cycles, and '" +
                          of.name + "' is none",
                      "declare one for them");
    }
    figures.rounds.push_back({resource, count});
  }
}

}  // namespace

std::map<size_t, int64_t> read_cycles(TableReader& reader, std::string_view key, const Machine& machine,
                                      int64_t* latency) {
  std::map<size_t, int64_t> held;
  if (!reader.has(key)) return held;
  const toml::table* table = reader.table(key);
  if (table == nullptr) return held;
  for (auto&& [entry, value] : *table) {
    const std::string name(entry.str());
    const std::string what = "'" + name + "' of '" + std::string(key) + "'";
    const int64_t count = reader.integer_in(value, cycles, what).value_or(0);
    const auto resource = machine.resource(name);
    if (latency != nullptr && name == "latency") {
      *latency = count;
    } else if (resource) {
      held[*resource] = count;
    } else {
      reader.error(entry.source(), "resource '" + name + "' is not declared", "add a table [resource." + name + "]");
    }
  }
  return held;
}

void read_sequence(TableReader& sequence, Machine& machine) {
  SequenceFigures& figures = machine.sequence.emplace();
  if (const toml::node* list = sequence.node("architectures"); list != nullptr && list->is_array()) {
    for (const toml::node& one : *list->as_array()) {
      figures.architectures.push_back(sequence.integer_in(one, {1, 10'000}, "'architectures'").value_or(1));
    }
  } else {
    sequence.error(list == nullptr ? sequence.at() : list->source(), "'architectures' must be an array of integers",
                   "write architectures = [80]");
  }
  figures.latency = sequence.integer("latency", cycles);
  figures.average = sequence.integer("average", cycles);
  figures.more[static_cast<size_t>(MachineClass::special)] = sequence.integer("special", cycles);
  figures.more[static_cast<size_t>(MachineClass::double_precision)] = sequence.integer("double", cycles);
  figures.more[static_cast<size_t>(MachineClass::branch)] = sequence.integer("branch", cycles);
  figures.more[static_cast<size_t>(MachineClass::shuffle)] = sequence.integer("shuffle", cycles);
  figures.predicate = sequence.integer("predicate", cycles);
  figures.rounds = sequence.integer("rounds", {1, 1'000'000});
  figures.holds = read_holds_of_each(sequence, "holds", machine);
  figures.special_holds = read_holds_of_each(sequence, "special_holds", machine);
  figures.double_holds = read_holds_of_each(sequence, "double_holds", machine);
  figures.shuffle_holds = read_holds_of_each(sequence, "shuffle_holds", machine);
  figures.provenance = read_provenance(sequence, machine.references);
}

void read_operations(TomlFile& file, const TableReader::Tables& tables, Machine& machine) {
  OperationReader reader(file, machine);
  reader.read_operations(tables);
  reader.merge_forms();
}

}  // namespace warpspan::timing
