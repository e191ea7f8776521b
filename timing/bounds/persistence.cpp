// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/persistence.hpp"

#include <algorithm>
#include <vector>

#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

// A line comes from memory to the L2 cache once, whoever waits for it, unless it is there at first, and from there to
// each multiprocessor.
Integer waits_for_constants(const PricedWarp& warp, const Machine& machine, int64_t multiprocessors) {
  int64_t miss = 0, slots = 0;
  for (size_t i = 0; i < warp.code.kernel.operations.size(); ++i) {
    if (!warp.code.services.operations[i].cached_nearby) continue;
    const OperationFigures figures = missed_figures(warp, i, machine);
    // It occupies the issue slot.
    const int64_t slot = figures.instructions * machine.issue_occupancy;
    slots = std::max(slots, slot);
    miss = std::max(miss, figures.latency.worst + slot);
  }
  const DataCache* constant = machine.data_cache(constant_cache);
  const DataCache* second = machine.data_cache(l2_cache);
  const int64_t before = warp.costs.shares ? warp.costs.shares->before : 0;
  const int64_t hit = second == nullptr ? miss : std::min(miss, second->hit + constant->hit + slots + before);
  const FirstMisses& lines = warp.code.first_misses;
  Integer waits = (Integer(miss) + Integer(hit) * (multiprocessors - 1)) * (lines.constant_lines - lines.launch_lines);
  if (lines.launch_lines > 0)
    waits +=
        Integer(std::min(miss, hit_of_parameters(machine) + slots + before)) * multiprocessors * lines.launch_lines;
  return waits;
}

// Cycles in which others' lines occupy what serves them.
Integer device_cycles(const std::vector<Integer>& ticks, const Costs& costs, const Machine& machine) {
  Integer sum;
  for (size_t r = 0; r < ticks.size(); ++r) {
    sum += ceil_divide(ticks[r], machine.resources[r].servers * costs.ticks[r]);
  }
  return sum;
}

// Multiprocessors that read through a resource: what they share is asked by all that have blocks, memory once. Where
// each has its share, a line of an analysed one counts for all that have.
int64_t readers_of(size_t r, const PricedWarp& warp, const Load& load, const Machine& machine,
                   int64_t multiprocessors) {
  const ResourceFigures& resource = machine.resources[r];
  if (warp.costs.shares && warp.costs.shares->times[r] > 0) return multiprocessors * warp.costs.shares->times[r];
  if (resource.sharing != ResourceFigures::Sharing::device) return multiprocessors;
  return resource.name == memory_resource ? 1 : std::min(machine.multiprocessors, load.device_blocks);
}

// Each multiprocessor reads the lines, the first one from memory but for those that are in the L2 cache at first;
// analysed warps wait for their own.
Integer constants_once(const PricedWarp& warp, const Load& load, const Machine& machine, int64_t multiprocessors) {
  const FirstMisses& misses = warp.code.first_misses;
  std::vector<Integer> ticks;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const int64_t readers = readers_of(r, warp, load, machine, multiprocessors);
    const bool is_memory = machine.resources[r].name == memory_resource;
    const int64_t lines = misses.constant_lines - (is_memory ? misses.launch_lines : 0);
    ticks.push_back(Integer(misses.constant_line[r]) * lines * readers);
  }
  return waits_for_constants(warp, machine, multiprocessors) + device_cycles(ticks, warp.costs, machine);
}

// Memory serves each line of tables once. What it brings to the multiprocessors counts for each read, or where the
// cache behind that of constants keeps them, once for each multiprocessor; whoever waits for a line has a read of its
// own.
Integer tables_once(const PricedWarp& warp, const Load& load, const Machine& machine, int64_t multiprocessors) {
  const FirstMisses& misses = warp.code.first_misses;
  std::vector<Integer> ticks;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& resource = machine.resources[r];
    const bool serves = resource.name == memory_resource;
    const int64_t lines = serves ? misses.table_lines : misses.lines_behind;
    ticks.push_back(Integer(misses.constant_line[r]) * lines * readers_of(r, warp, load, machine, multiprocessors));
  }
  return device_cycles(ticks, warp.costs, machine);
}

Integer data_once(const PricedWarp& warp, const Machine& machine) {
  const std::vector<Integer> ticks(warp.code.first_misses.data.begin(), warp.code.first_misses.data.end());
  return device_cycles(ticks, warp.costs, machine);
}

bool add_term(Demand& demand, solver::Part::Kind kind, Integer each, Integer once) {
  const auto of_each = each.value(), cycles = once.value();
  return of_each && cycles && demand.add_term({kind, *of_each, *cycles});
}

// The pages of constants for each multiprocessor, but for those whose translations are there at first. For each object
// its pages for each multiprocessor, or those of each analysed block: a page for each line; and the same of the frames
// of local memory. Either is right; blocks: how many are analysed, about.
bool add_translations(Demand& demand, const ir::Kernel& kernel, const PricedWarp& warp, const Footprint& footprint,
                      const Machine& machine, int64_t multiprocessors, int64_t blocks) {
  const int64_t cycles = machine.translation->cycles;
  const int64_t translated = warp.scenario.cached.parameters ? footprint.launch_pages : 0;
  Integer each, once = Integer(footprint.constant_pages - translated) * multiprocessors * cycles;
  const auto add = [&](std::optional<int64_t> own, Integer pages) {
    const Integer all = pages * multiprocessors;
    const auto most = all.value();
    // With fair shares a warp may wait for pages of others.
    if (!warp.costs.shares && own && most && !(Integer(*own) * blocks).is_at_least(*most)) {
      each += Integer(*own) * cycles;
    } else {
      once += all * cycles;
    }
  };
  for (ir::ObjectId object = 0; object < footprint.objects.size(); ++object) {
    add(lines_analysed(kernel, warp.code.flow, footprint, object), footprint.objects[object]->pages);
  }
  if (footprint.local_pages_of_warp > 0) {
    add(local_pages_analysed(kernel, footprint),
        Integer(footprint.all_blocks) * footprint.warps * footprint.local_pages_of_warp);
  }
  return add_term(demand, solver::Part::Kind::translations, each, once);
}

}  // namespace

Result<Demand> add_persistence(const ir::Kernel& kernel, Demand demand, const PricedWarp& warp,
                               const Footprint& footprint, const Load& load, const Machine& machine,
                               int64_t multiprocessors) {
  using Kind = solver::Part::Kind;
  const Persistence& cached = warp.scenario.cached;
  Integer constants;
  if (cached.constants) constants += constants_once(warp, load, machine, multiprocessors);
  if (cached.tables) constants += tables_once(warp, load, machine, multiprocessors);
  const bool fits = ((!cached.constants && !cached.tables) || add_term(demand, Kind::constants, 0, constants)) &&
                    (!cached.data || add_term(demand, Kind::data, warp.first_misses, data_once(warp, machine)));
  if (!fits) return exceeds_64_bits(kernel, "what its caches keep");
  const int64_t blocks = (load.device_blocks - 1) / machine.multiprocessors / load.residency.blocks.least + 2;
  const bool fit = !warp.code.relied.has(Assumption::keeps_pages) ||
                   add_translations(demand, kernel, warp, footprint, machine, multiprocessors, blocks);
  if (!fit) return exceeds_64_bits(kernel, "waits for translations");
  return demand;
}

}  // namespace warpspan::timing
