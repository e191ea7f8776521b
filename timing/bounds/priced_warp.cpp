// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/priced_warp.hpp"

#include <algorithm>
#include <utility>

#include "timing/assumptions/errors.hpp"
#include "timing/costs/sleep.hpp"
#include "timing/warp/waits.hpp"

namespace warpspan::timing {

using support::Integer;
using support::Result;

namespace {

constexpr const char* banks_are_aligned = "Constant banks begin at multiples of 64 bytes.";
constexpr const char* sleeps_at_most =
    "A sleep lasts at most twice the time that is asked for, which is 1 ms at most (PTX ISA 9.7.19.2).";
constexpr const char* launched_alone =
    "Neither the kernel nor what is launched behind it is launched with programmatic stream serialization: "
    "griddepcontrol.wait (ACQBULK) returns at once, and no other kernel runs beside it.";
constexpr const char* counted_from_global =
    "Generic addresses that are counted from what a parameter points to, or from a variable in global memory, are none "
    "of shared memory: the host has no address of it, and what is added stays in the object (CUDA C++ Programming "
    "Guide, variable memory space specifiers).";
constexpr const char* asks_apart =
    "Where addresses do not tell it, the warps of many blocks do not ask for the same line at the same time (--assume "
    "spread).";
constexpr const char* fetched_for_all =
    "A line that several warps ask for at the same time is fetched from memory for all of them (--assume spread).";
constexpr const char* memory_once =
    "Of different lines that it serves once each, however few, memory has no more in one bank than of random ones "
    "(--assume spread).";

// Waiting for a line that has been asked for ends when the line is there: a cycle of it belongs to the one line,
// whoever asked for it. asks: by instruction of the kernel that the code is made of, those that ask for the lines.
int64_t longest_miss(const PricedWarp& warp, const Machine& machine, const std::vector<bool>& asks) {
  int64_t longest = 0;
  for (ir::InstructionId id = 0; id < warp.origins.size(); ++id) {
    const uint32_t operation = warp.code.kernel.instructions[id].operation;
    if (!asks[warp.origins[id]] || !warp.code.services.operations[operation].hit) continue;
    const int64_t hit = warp.costs.operations[operation].latency.worst;
    longest = std::max(longest, missed_figures(warp, operation, machine).latency.worst - hit);
  }
  return longest;
}

Integer first_misses_of(const PricedWarp& warp, const ir::Kernel& kernel, const Footprint& footprint,
                        const Machine& machine, ir::ObjectId object) {
  std::vector<bool> asks(kernel.instructions.size());
  for (const ir::Access& access : warp.code.flow.accesses) {
    if (access.object == object) asks[access.instruction] = true;
  }
  const auto lines = lines_analysed(kernel, warp.code.flow, footprint, object);
  return Integer(lines.value_or(0)) * warp.scenario.cached.fetches_of(object) * longest_miss(warp, machine, asks);
}

Integer first_misses_of_local(const PricedWarp& warp, const ir::Kernel& kernel, const Footprint& footprint,
                              const Machine& machine) {
  std::vector<bool> asks(kernel.instructions.size());
  for (size_t id = 0; id < asks.size(); ++id) {
    asks[id] = kernel.operation(kernel.instructions[id]).kind == ir::OperationKind::load_local;
  }
  return Integer(local_lines_analysed(kernel, footprint)) * warp.scenario.cached.fetches_of_local() *
         longest_miss(warp, machine, asks);
}

// Whether what was made of the same code is what the scenario makes of it, where both join the same parts.
bool is_alike(const std::shared_ptr<const PricedWarp>& last, const Scenario& scenario, const MemoryService& code) {
  return last != nullptr && last->scenario.order == scenario.order && last->scenario.cached == scenario.cached &&
         same_service(code, last->code);
}

}  // namespace

OperationFigures missed_figures(const PricedWarp& warp, size_t operation, const Machine& machine) {
  Service service = warp.code.services.operations[operation];
  service.cached_nearby = service.cached_by_device = service.as_operand = false;
  service.hit.reset();
  const ir::Operation& missed = warp.code.kernel.operations[operation];
  auto figures = figures_with_service(missed, service, machine, warp.costs.ticks).value_or(OperationFigures{});
  wait_for_earlier(figures, warp.costs, machine);
  return figures;
}

Result<std::shared_ptr<const PricedWarp>> price_warp(const ir::Kernel& kernel, const ConstantReads& code,
                                                     const Footprint& footprint, const Machine& machine,
                                                     const Scenario& scenario, std::shared_ptr<const PricedWarp> last) {
  if (last != nullptr && last->scenario == scenario) return last;
  PricedWarp warp{
      scenario, memory_service(code, footprint, machine, scenario.accesses, scenario.cached), {}, code.origins};
  if (is_alike(last, scenario, warp.code)) return last;
  auto costs = costs_of(warp.code.kernel, machine, warp.code.services);
  if (!costs) return costs.errors();
  warp.costs = std::move(*costs);
  const auto worst = one_warp_time(warp.costed(machine), Case::worst, scenario.order);
  if (!worst) return worst.errors();
  warp.worst = *worst;
  Integer first_misses;
  for (const ir::ObjectId object : scenario.cached.by_warps) {
    first_misses += first_misses_of(warp, kernel, footprint, machine, object);
  }
  if (scenario.cached.local_by_warps) first_misses += first_misses_of_local(warp, kernel, footprint, machine);
  if (!first_misses.value()) return exceeds_64_bits(kernel, "what its caches keep");
  warp.first_misses = *first_misses.value();
  return std::make_shared<const PricedWarp>(std::move(warp));
}

Result<std::shared_ptr<const PricedWarp>> join_parts(const PricedWarp& warp, Joined joined, const Footprint& footprint,
                                                     const Machine& machine, std::shared_ptr<const PricedWarp> last) {
  if (is_alike(last, warp.scenario, warp.code)) return last;
  PricedWarp result = warp;
  result.scenario.joined = joined;
  charge_slowest_part(result.costs, result.code.kernel, result.code.flow, machine, joined,
                      std::min(machine.multiprocessors, footprint.all_blocks));
  const auto worst = one_warp_time(result.costed(machine), Case::worst, warp.scenario.order);
  if (!worst) return worst.errors();
  result.worst = *worst;
  return std::make_shared<const PricedWarp>(std::move(result));
}

std::vector<std::string> assumptions_of(const PricedWarp& warp, const ConstantReads& code) {
  std::vector<std::string> list = {code.assumption};
  const auto add = [&list](Assumption assumption, bool helps) {
    std::string text(sentence(assumption));
    if (helps && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  };
  const Scenario& scenario = warp.scenario;
  const bool has_constants = scenario.cached.constants || scenario.cached.tables;
  add(Assumption::ptx_order, !code.kernel.is_machine_code() && scenario.order == Order::given);
  add(Assumption::keeps_constants, has_constants);
  add(Assumption::warm_parameters, warp.code.reads_parameters);
  add(Assumption::fair_share, warp.costs.shares.has_value());
  for (const Assumption one : assumptions_about(Subject::accesses)) add(one, warp.code.relied.has(one));
  add(scenario.cached.fetches.empty() ? Assumption::keeps : Assumption::recent, scenario.cached.data);
  const auto is_plain = [](const OperationFigures& figures) { return figures.plain_textures; };
  const auto& figures = warp.costs.operations;
  add(Assumption::plain_textures, std::any_of(figures.begin(), figures.end(), is_plain));
  if (warp.code.counts_from_global) list.emplace_back(counted_from_global);
  if (warp.code.shares_lines) list.emplace_back(fetched_for_all);
  if (warp.code.serves_once) list.emplace_back(memory_once);
  if (warp.code.spreads_unseen) list.emplace_back(asks_apart);
  if (has_constants && code.kernel.constant_places) list.emplace_back(banks_are_aligned);
  if (has_sleeps(warp.code.kernel)) list.emplace_back(sleeps_at_most);
  if (depends_on_launches(warp.code.kernel)) list.emplace_back(launched_alone);
  return list;
}

}  // namespace warpspan::timing
