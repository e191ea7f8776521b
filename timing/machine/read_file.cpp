// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the format of docs/machines.md.
#include <algorithm>
#include <list>

#include "support/checked.hpp"
#include "support/nearest.hpp"
#include "timing/machine/based_on.hpp"
#include "timing/machine/read_fetch.hpp"
#include "timing/machine/read_memory.hpp"
#include "timing/machine/read_operations.hpp"

namespace warpspan::timing {

using support::TableReader;
using support::Text;
using support::TomlFile;

namespace {

constexpr TableReader::Range natural = {0, 1'000'000'000};

class MachineFile {
 public:
  MachineFile(const std::string& name, std::string_view text) : file_(name, text) {
    file_.help_for_missing = "docs/machines.md describes all keys";
  }

  support::Result<Machine> read() {
    std::optional<toml::table> own = file_.parse();
    if (own) {
      roots_.push_back(std::move(*own));
      if (read_bases()) read_root();
    }
    if (support::Diagnostics errors = file_.errors(); !errors.empty()) return errors;
    return std::move(machine_);
  }
  NamedCycles times() const { return {file_.numbers.begin(), file_.numbers.end()}; }

 private:
  bool read_bases();
  void read_root();
  void read_head(TableReader& root);
  void read_usual(TableReader& root);
  void read_sources(TableReader::Tables tables);
  void read_times(TableReader& root);
  void read_time(TableReader& times, const std::string& key, const std::string& number);
  void refuse_unused_times(TableReader& root);
  void forget_uncited(const TableReader& root);
  void read_section(TableReader& root, const MachineSection& section);
  void check_number(TableReader& table, int64_t cycles, const std::string& number);
  void read_resources(const TableReader::Tables& tables);

  TomlFile file_;
  std::list<toml::table> roots_;  // of the file, then of what it is based on; tables are pointed to
  Machine machine_;
};

// The chain of files that the file is based on. False after an error.
bool MachineFile::read_bases() {
  std::vector<std::string> names;
  for (const toml::node* name = roots_.back().get("based_on"); name != nullptr; name = roots_.back().get("based_on")) {
    const auto* text = name->as_string();
    if (text == nullptr) {
      file_.error(name->source(), "'based_on' must be a text, not " + std::string(support::type_name(*name)),
                  "write based_on = \"...\"");
      return false;
    }
    const std::optional<BaseFile> base = builtin_base(text->get());
    if (!base) {
      file_.error(name->source(), "no machine or generation is called '" + text->get() + "'",
                  "known are " + support::alternatives(builtin_bases()));
      return false;
    }
    if (std::find(names.begin(), names.end(), text->get()) != names.end()) {
      file_.error(name->source(), "'" + text->get() + "' is based on itself", "");
      return false;
    }
    names.push_back(text->get());
    std::optional<toml::table> table = file_.parse_base(base->name, base->text);
    if (!table) return false;
    roots_.push_back(std::move(*table));
  }
  return true;
}

void MachineFile::read_root() {
  TableReader::Tables tables;
  for (const toml::table& table : roots_) tables.push_back(&table);
  TableReader root(file_, tables, "the file");
  refuse_control_characters(file_, roots_.front());
  read_head(root);
  read_usual(root);
  read_sources(root.tables("sources"));
  const auto sections = machine_sections();
  read_section(root, sections.front());  // [board], whose clock the times are turned into cycles of
  if (root.node("times") != nullptr) read_times(root);
  for (const MachineSection& section : sections.subspan(1)) read_section(root, section);
  machine_.resources.push_back(
      {"issue", 1, ResourceFigures::Sharing::scheduler, machine_.issue.evidence, machine_.issue.source, true});
  if (root.has("resource")) read_resources(root.tables("resource"));
  read_lines(file_, root, machine_);
  read_data_caches(file_, root, machine_);
  read_fetch(file_, root, machine_);
  if (root.node("sequence") != nullptr) {
    if (TableReader::Tables found = root.tables("sequence"); !found.empty()) {
      TableReader sequence(file_, std::move(found), "[sequence]");
      read_sequence(sequence, machine_);
      sequence.finish();
    }
  }
  read_operations(file_, root.tables("operation"), machine_);
  if (roots_.size() > 1) forget_uncited(root);
  root.finish();
  if (file_.errors().empty()) refuse_unused_times(root);
}

// The key without its unit, if it has this one.
std::optional<std::string> name_without(std::string_view unit, const std::string& key) {
  if (key.size() <= unit.size() || key.compare(key.size() - unit.size(), unit.size(), unit) != 0) return std::nullopt;
  return key.substr(0, key.size() - unit.size());
}

// Which number a key of [times] states.
std::string number_of(const std::string& key) {
  for (const std::string_view unit : {"_ns", "_ps", "_bytes_per_second"}) {
    if (const auto name = name_without(unit, key)) return *name;
  }
  return key;
}

// Names of numbers that other tables use: cycles, or a time or rate of the board, whose cycles are rounded up.
void MachineFile::read_times(TableReader& root) {
  const TableReader::Tables tables = root.tables("times");
  if (tables.empty()) return;
  TableReader times(file_, tables, "[times]");
  // What is based on the others comes last here: it may state in cycles what they state in ns.
  std::vector<std::string> keys;
  for (const std::string& key : support::keys_in_order(tables)) {
    if (!times.has_own(key)) keys.push_back(key);
  }
  for (const std::string& key : support::keys_in_order({tables.front()})) keys.push_back(key);
  std::map<std::string, std::string> last;
  for (const std::string& key : keys) last[number_of(key)] = key;
  // Sums behind the numbers that they may name.
  for (const bool is_sum : {false, true}) {
    for (const std::string& key : keys) {
      const toml::node& value = *times.node(key);
      if (value.is_string() == is_sum && last[number_of(key)] == key) read_time(times, key, number_of(key));
    }
  }
  times.finish();
}

void MachineFile::read_time(TableReader& times, const std::string& key, const std::string& number) {
  using support::Integer;
  const Integer clock = machine_.clock_khz;
  Integer cycles;
  if (name_without("_ns", key)) {
    cycles = ceil_divide(clock * times.integer(key, natural), 1'000'000);
  } else if (name_without("_ps", key)) {
    cycles = ceil_divide(clock * times.integer(key, natural), 1'000'000'000);
  } else if (name_without("_bytes_per_second", key)) {
    cycles = ceil_divide(clock * 1000 * ir::memory_line_bytes,
                         times.integer(key, {ir::memory_line_bytes, 1'000'000'000'000'000}));
  } else {
    cycles = times.integer(key, natural);
    file_.sums[number] = times.names_in(*times.node(key));
  }
  if (!cycles.value() || *cycles.value() > natural.most) {
    times.error(times.at(key), "'" + key + "' is more than " + std::to_string(natural.most) + " cycles", "");
    return;
  }
  file_.numbers[number] = *cycles.value();
}

// A number of the board that no figure names would be passed over in silence.
void MachineFile::refuse_unused_times(TableReader& root) {
  if (!root.has_own("times")) return;
  for (auto&& [node, value] : *root.raw().get("times")->as_table()) {
    const std::string key(node.str());
    const std::string number = number_of(key);
    if (file_.numbers_named.contains(number)) continue;
    file_.error(node.source(), "no figure names the number '" + number + "'",
                "docs/machines.md lists the names of the built-in files; rates of memory stand in [lines.memory.NAME]");
  }
}

// A machine has those sources of its bases that its figures cite.
void MachineFile::forget_uncited(const TableReader& root) {
  const toml::node* own = root.raw().get("sources");
  std::vector<std::string> needed;
  for_each_provenance(machine_, [&needed](Evidence, const std::string& source) {
    for (std::string& key : citations(source)) needed.push_back(std::move(key));
  });
  std::erase_if(machine_.references, [&](const Reference& reference) {
    const bool declared = own != nullptr && own->is_table() && own->as_table()->contains(reference.key);
    return !declared && std::find(needed.begin(), needed.end(), reference.key) == needed.end();
  });
}

// Those of bases are not of the file.
std::vector<Text> no_targets(TableReader& root) {
  root.node("targets");
  return {};
}

void MachineFile::read_head(TableReader& root) {
  root.node("based_on");
  machine_.name = root.text("name").text;
  machine_.description = root.text("description").text;
  // Of the file itself: each target has one machine.
  for (const Text& target : root.has_own("targets") ? root.texts_or_none("targets") : no_targets(root)) {
    if (target.text.rfind("sm_", 0) != 0) {
      root.error(target.at, "unknown target '" + target.text + "'",
                 "a target is written as in .target, such as \"sm_80\"");
    }
    machine_.targets.push_back(target.text);
  }
  for (const Text& sentence : root.texts("assumptions")) machine_.assumptions.push_back(sentence.text);
  if (root.node("ptx_assumptions") != nullptr) {
    for (const Text& sentence : root.texts("ptx_assumptions")) machine_.ptx_assumptions.push_back(sentence.text);
  }
}

// Of the file itself: what was held against runs of one board was not held against those of another.
void MachineFile::read_usual(TableReader& root) {
  if (root.node("usual") == nullptr || !root.has_own("usual")) return;
  const toml::table* own = root.table("usual");
  if (own == nullptr) return;
  TableReader usual(file_, *own, "[usual]");
  for (const std::string_view name : assumption_names()) {
    if (usual.node(name) == nullptr) continue;
    const Text evidence = usual.text(name);
    if (evidence.text.empty()) {
      usual.error(evidence.at, "what backs '" + std::string(name) + "' is not stated",
                  "write which runs of this board it was held against, or leave the key out");
    }
    machine_.usual.push_back({*assumption_named(name), evidence.text});
  }
  usual.finish();
}

void MachineFile::read_sources(TableReader::Tables tables) {
  if (tables.empty()) return;
  std::set<std::string> keys;
  for (const std::string& key : support::keys_in_order(tables)) keys.insert(key);
  TableReader sources(file_, std::move(tables), "[sources]");
  for (const std::string& key : keys) machine_.references.push_back({key, sources.text(key).text});
}

void MachineFile::read_section(TableReader& root, const MachineSection& section) {
  if (section.is_known != nullptr) {
    if (root.node(section.key) == nullptr) return;
    section.add(machine_);
  }
  TableReader::Tables tables = root.tables(section.key);
  if (tables.empty()) return;
  TableReader reader(file_, std::move(tables), "[" + std::string(section.key) + "]");
  read_fields(reader, section.fields, machine_, machine_);
  section.provenance.of(machine_) = read_provenance(reader, machine_.references);
  reader.finish();
  if (section.key == "translation") check_number(reader, machine_.translation->cycles, "translation");
  if (section.key != "refresh") return;
  check_number(reader, machine_.refresh->cycles, "refresh");
  if (machine_.refresh->interval > machine_.refresh->cycles || !reader.has("interval")) return;
  reader.error(reader.at("interval"),
               "'interval' must be more than the " + std::to_string(machine_.refresh->cycles) + " cycles of a refresh",
               "");
}

// What of a latency is such a wait is told by the number's name.
void MachineFile::check_number(TableReader& table, int64_t cycles, const std::string& number) {
  const auto known = file_.numbers.find(number);
  if (!table.has("cycles") || (known != file_.numbers.end() && known->second == cycles)) return;
  table.error(table.at("cycles"), "'cycles' of " + table.title() + " must be the number '" + number + "' of [times]",
              "write cycles = \"" + number + "\", and the number into [times]");
}

void MachineFile::read_resources(const TableReader::Tables& tables) {
  for_each_table(file_, tables, "resource", [this](const std::string& name, TableReader& reader) {
    if (name == "issue")
      reader.error(reader.at(), "resource 'issue' is given by [issue]", "leave [resource.issue] out");
    ResourceFigures resource;
    resource.name = name;
    read_fields(reader, machine_, resource);
    const Provenance provenance = read_provenance(reader, machine_.references);
    resource.evidence = provenance.evidence;
    resource.source = provenance.source;
    machine_.resources.push_back(std::move(resource));
  });
}

}  // namespace

support::Result<Machine> parse_machine(const std::string& name, std::string_view text) {
  return MachineFile(name, text).read();
}

support::Result<NamedCycles> parse_times(const std::string& name, std::string_view text) {
  MachineFile file(name, text);
  if (const auto machine = file.read(); !machine) return machine.errors();
  return file.times();
}

}  // namespace warpspan::timing
