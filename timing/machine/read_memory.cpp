// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/read_memory.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::timing {

using support::Rational;
using support::TableReader;
using support::TomlFile;

namespace {

constexpr TableReader::Range positive = {1, 1'000'000'000};

// The keys that state how long a line takes.
constexpr std::string_view units[] = {"cycles", "ps", "megabytes_per_second", "multiprocessor_cycles"};
constexpr std::string_view unit_help = "write ps, megabytes_per_second, cycles or multiprocessor_cycles";

bool larger(const Rational& a, const Rational& b) {
  return support::Int128(a.numerator) * b.denominator > support::Int128(b.numerator) * a.denominator;
}

std::optional<Rational> cycles_of(TableReader& table, std::string_view unit, const toml::node& value,
                                  const Machine& machine) {
  if (unit == "cycles") return read_fraction(table, unit, value);
  const auto number = table.integer_in(value, positive, "'" + std::string(unit) + "'");
  if (!number) return std::nullopt;
  if (unit == "ps") return support::make_rational(machine.clock_khz * *number, 1'000'000'000);
  if (unit == "multiprocessor_cycles") return support::make_rational(*number, machine.multiprocessors);
  return support::make_rational(machine.clock_khz * ir::memory_line_bytes, *number * 1000);
}

// Where a table is based on another, the nearest one that states how long a line takes counts. 0 after an error.
Rational read_cycles_of_line(TableReader& table, const TableReader::Tables& tables, const Machine& machine) {
  for (const std::string_view unit : units) table.node(unit);
  for (const toml::table* one : tables) {
    std::vector<std::string_view> given;
    for (const std::string_view unit : units) {
      if (one->contains(unit)) given.push_back(unit);
    }
    if (given.empty()) continue;
    const toml::node& value = *one->get(given.front());
    if (given.size() > 1) {
      table.error(one->get(given.back())->source(), "the time of a line is given twice in " + table.title(),
                  "write one of '" + std::string(given.front()) + "' and '" + std::string(given.back()) + "'");
      return {};
    }
    const auto cycles = cycles_of(table, given.front(), value, machine);
    if (cycles && cycles->numerator > 0) return *cycles;
    if (cycles) table.error(value.source(), "a line must take more than 0 cycles", "");
    return {};
  }
  table.error(table.at(), "no key states how long a line takes in " + table.title(), std::string(unit_help));
  return {};
}

LineTime read_line_time(TableReader& table, const TableReader::Tables& tables, const Machine& machine) {
  LineTime time;
  time.cycles = read_cycles_of_line(table, tables, machine);
  time.provenance = read_provenance(table, machine.references);
  table.finish();
  return time;
}

// What a guarantee gives that the file does not mention is what the one before it gives.
LineTimes read_line_times(TomlFile& file, const std::string& name, TableReader& table, const Machine& machine) {
  LineTimes lines;
  const LineTime* before = nullptr;
  for (const Guarantee guarantee : all_guarantees) {
    const std::string key = key_of_guarantee(guarantee);
    LineTime& time = lines.of(guarantee);
    if (before != nullptr && !table.has(key)) {
      time = *before;
    } else {
      const TableReader::Tables found = table.tables(key);
      if (found.empty()) continue;
      TableReader reader(file, found, "[lines." + name + "." + key + "]");
      time = read_line_time(reader, found, machine);
      if (before != nullptr && before->cycles.numerator > 0 && larger(time.cycles, before->cycles)) {
        table.error(found.front()->source(),
                    "a line must not take longer than without the guarantee: " + support::to_string(time.cycles) +
                        " and " + support::to_string(before->cycles) + " cycles",
                    "times fall from same_bank to few to spread to stream");
      }
    }
    before = &time;
  }
  const auto read_longer = [&](const std::string& key, std::optional<LineTime>& longer) {
    const TableReader::Tables found = table.tables(key);
    TableReader reader(file, found, "[lines." + name + "." + key + "]");
    if (!found.empty()) longer = read_line_time(reader, found, machine);
  };
  if (table.has("once")) read_longer("once", lines.once);
  if (table.has("few_once")) {
    read_longer("few_once", lines.few_once);
    if (!lines.once) table.error(table.at("few_once"), "'few_once' is only for what has 'once'", "state 'once' too");
  }
  read_fields(table, machine, lines);
  return lines;
}

DataCache read_data_cache(const std::string& name, TableReader& table, const Machine& machine) {
  DataCache cache;
  cache.name = name;
  read_fields(table, machine, cache);
  if (!table.has("kept_mostly")) {
    cache.mostly_persistent = cache.persistent;
  } else if (larger(cache.persistent, cache.mostly_persistent)) {
    table.error(table.at("kept_mostly"), "'kept_mostly' must be at least 'kept'", "");
  }
  if (const toml::node* hit = table.node("hit")) cache.hit_translation = translation_in(table, *hit, machine);
  cache.provenance = read_provenance(table, machine.references);
  if (cache.bytes < cache.line && table.has("bytes")) {
    table.error(table.at("bytes"), "'bytes' must be at least the " + std::to_string(cache.line) + " of a line", "");
  }
  return cache;
}

}  // namespace

std::string key_of_guarantee(Guarantee guarantee) {
  std::string key(to_string(guarantee));
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

void read_lines(TomlFile& file, TableReader& root, Machine& machine) {
  if (root.node("lines") == nullptr) return;
  for_each_table(file, root.tables("lines"), "lines", [&](const std::string& name, TableReader& table) {
    const auto resource = std::find_if(machine.resources.begin() + 1, machine.resources.end(),
                                       [&name](const ResourceFigures& one) { return one.name == name; });
    if (resource == machine.resources.end()) {
      table.error(table.at(),
                  name == "issue" ? "resource 'issue' has no lines" : "resource '" + name + "' is not declared",
                  name == "issue" ? "" : "add a table [resource." + name + "]");
      return;
    }
    resource->lines = read_line_times(file, name, table, machine);
  });
}

void read_data_caches(TomlFile& file, TableReader& root, Machine& machine) {
  if (root.node("data_cache") == nullptr) return;
  for_each_table(file, root.tables("data_cache"), "data_cache", [&](const std::string& name, TableReader& table) {
    if (table.truth_or("absent", false)) {
      for (const MachineField<DataCache>& field : fields_of<DataCache>()) table.node(field.key);
      for (const char* key : {"standing", "source"}) table.node(key);
      return;
    }
    DataCache cache = read_data_cache(name, table, machine);
    if (!machine.data_caches.empty() && table.has("sharing") && cache.sharing < machine.data_caches.back().sharing) {
      table.error(table.at("sharing"),
                  "data cache '" + name + "' is shared by fewer warps than '" + machine.data_caches.back().name +
                      "', which is nearer",
                  "list the caches nearest first");
    }
    machine.data_caches.push_back(std::move(cache));
  });
}

}  // namespace warpspan::timing
