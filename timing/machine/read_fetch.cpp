// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/read_fetch.hpp"

#include <algorithm>

namespace warpspan::timing {

using support::TableReader;
using support::TomlFile;

namespace {

using Sharing = ResourceFigures::Sharing;

void read_line(TableReader& table, const Machine& machine, FetchFigures& fetch) {
  read_fields(table, machine, fetch);
  fetch.provenance = read_provenance(table, machine.references);
  table.finish();
}

int64_t cycles_of(const CodeCache& cache, size_t resource) {
  int64_t cycles = 0;
  for (const Occupancy& occupancy : cache.occupancies) cycles += occupancy.resource == resource ? occupancy.cycles : 0;
  return cycles;
}

CodeCache read_cache(const std::string& name, TableReader& table, const Machine& machine, const FetchFigures& fetch) {
  CodeCache cache;
  cache.name = name;
  read_fields(table, machine, cache);
  if (const toml::node* miss = table.node("miss")) {
    // A line lies on one page, and its bank refreshes itself once meanwhile.
    if (machine.translation)
      cache.translation = std::min(translation_in(table, *miss, machine), machine.translation->cycles);
    if (machine.refresh) cache.refresh = std::min(refresh_in(table, *miss, machine), machine.refresh->cycles);
  }
  if (cache.bytes < fetch.line && table.has("bytes")) {
    table.error(table.at("bytes"), "'bytes' must be at least the " + std::to_string(fetch.line) + " of a line", "");
  }
  for (const Occupancy& occupancy : cache.occupancies) {
    const ResourceFigures& resource = machine.resources[occupancy.resource];
    const auto cycles = resource.lines ? resource.lines->of(Guarantee::same_bank).cycles_for(occupancy.cycles).value()
                                       : std::optional(occupancy.cycles);
    // Caches that a line misses one after another may occupy it for as long as all of them take.
    int64_t room = 0;
    for (const CodeCache& nearer : fetch.caches) {
      room = std::max<int64_t>(0, room + nearer.miss - (resource.lines ? 0 : cycles_of(nearer, occupancy.resource)));
    }
    room += cache.miss;
    if (cycles && *cycles <= room) continue;
    table.error(table.at("holds"),
                "a miss must occupy '" + resource.name + "' for at most its " + std::to_string(room) + " cycles",
                "make 'miss' the time until the line is there and all that it occupies is free again");
  }
  const Provenance provenance = read_provenance(table, machine.references);
  cache.evidence = provenance.evidence;
  cache.source = provenance.source;
  return cache;
}

}  // namespace

void read_fetch(TomlFile& file, TableReader& root, Machine& machine) {
  const bool line_given = root.node("fetch") != nullptr;
  const bool caches_given = root.node("code_cache") != nullptr;
  if (!line_given && !caches_given) return;
  TableReader::Tables line = root.tables("fetch");
  const TableReader::Tables caches = root.tables("code_cache");
  if (line.empty() || caches.empty()) return;
  FetchFigures fetch;
  TableReader reader(file, std::move(line), "[fetch]");
  read_line(reader, machine, fetch);
  for_each_table(file, caches, "code_cache", [&](const std::string& name, TableReader& table) {
    CodeCache cache = read_cache(name, table, machine, fetch);
    if (!fetch.caches.empty() && table.has("sharing") && cache.sharing < fetch.caches.back().sharing) {
      table.error(
          table.at("sharing"),
          "code cache '" + name + "' is shared by fewer warps than '" + fetch.caches.back().name + "', which is nearer",
          "list the caches nearest first");
    }
    fetch.caches.push_back(std::move(cache));
  });
  if (fetch.caches.empty() || fetch.caches.back().sharing != Sharing::device) {
    file.error(caches.front()->source(), "the last code cache must be shared by the device",
               "add the L2 cache, whose misses go to memory");
  }
  machine.fetch = std::move(fetch);
}

}  // namespace warpspan::timing
