// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem (own requests). Let the requests of a warp pass servers 1 to n, in this order and none before an earlier one,
// and let each begin no sooner after the one before than the longest step of that one at a server takes. Then a request
// ends at the last server no later than its own steps after its begin and, for each server but the last, what the
// longest step of any of them takes longer there than its own. Proof. Go back from its end. Its step at a server began
// when that of the request before it ended there, or when its own step at the server before did. So from the begin of
// some request on the time is that of steps along a staircase: one of each request up to this one, and one more at each
// server but the last, where the next one follows. Those of earlier requests, one each, take no longer than from the
// begin of the first to that of this one. What is left is its own step at the last server, and one at each other. QED
// Requests of others that are served in between count for themselves, each once for each server.
//
// Theorem (one rate). Let network and the unit of atomics finish, in any tau cycles in which requests wait for one of
// them, requests whose times add up to at least tau - h, h the longest time; the time of an atomic is H from end to
// end, that of another request as the network has it alone. Then the bound stands with both as one server, at which an
// atomic takes H and the unit nothing. Proof. A request of n cycles that waits tau cycles has it that tau <= n + h and
// the times of others that are finished meanwhile; the first two are in its latency or in what the theorem above adds
// to it, and each of the others is charged once, with all its time. Where within the two a request waits is not asked.
// QED Apart they would each be charged, and no measurement tells them apart.
#include "timing/costs/cost.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/sizes.hpp"
#include "support/floor_divide.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/costs/access_classes.hpp"
#include "timing/costs/outside_calls.hpp"
#include "timing/costs/waits_once.hpp"
#include "timing/machine/expansions.hpp"

namespace warpspan::timing {

namespace {

using support::ceil_divide;

constexpr std::string_view atomic_resource = "atomic";  // what computes in the L2 cache

std::string base_of(const Machine& machine) {
  const std::vector<std::string> known = builtin_machines();
  const bool built_in = std::find(known.begin(), known.end(), machine.name) != known.end();
  return built_in ? "based_on = \"" + machine.name + "\" and " : std::string();
}

// The line of a machine file that gives a kind figures which no device exceeds: a million cycles for which nothing else
// of the scheduler issues, and more lines of memory than a texture, however it is filtered, or a bulk copy needs.
std::string line_of(const ir::Operation& operation, const Machine& machine) {
  const std::string kind(to_string(operation.kind));
  const bool has_lines = std::any_of(machine.resources.begin(), machine.resources.end(), [](const auto& resource) {
    return resource.name == memory_resource && resource.lines.has_value();
  });
  const std::string begin = ir::is_of_mapped_device(operation)
                                ? "operation.mapped = { kinds = [\"" + kind + "\"], modifiers = [\"mmio\"], "
                                : "operation.\"" + kind + "\" = { ";
  return begin + "latency = [10, 1000, 1000000], gap = 1000000, holds = { issue = 1000000" +
         (has_lines ? ", memory = 32768" : "") + " }, standing = \"assumed\", source = \"to be measured\" }";
}

support::Diagnostic no_figures(const ir::Kernel& kernel, const ir::Instruction& instruction, const Machine& machine) {
  const ir::Operation& operation = kernel.operation(instruction);
  const bool of_mapped_device = ir::is_of_mapped_device(operation);
  const std::string what =
      of_mapped_device ? ".mmio is for devices that are mapped into memory, and they answer when they like"
                       : std::string(to_string(operation.kind)) + ": " + std::string(description(operation.kind));
  return error_in_line(kernel, instruction.line,
                       "machine '" + machine.name + "' has no figures for '" + operation.text + "' (" + what + ")",
                       (of_mapped_device ? "leave .mmio out where it is memory of the GPU, as in ld.relaxed.sys; else "
                                         : std::string()) +
                           "give figures of your own: a machine file with " + base_of(machine) + "the line " +
                           line_of(operation, machine) +
                           ", its numbers replaced (docs/machines.md, What has no figures)");
}

support::Diagnostic too_long(const ir::Kernel& kernel, const ir::Instruction& instruction, const Machine& machine) {
  return error_in_line(kernel, instruction.line,
                       "the time that is given for '" + kernel.operation(instruction).text + "' is more than " +
                           std::to_string(longest_call) + " cycles of machine '" + machine.name + "'",
                       "give a smaller {call_cost}");
}

Guarantee guarantee_of(const ResourceFigures& resource, const Service& service) {
  return resource.name == memory_resource ? service.memory : service.network;
}

// Lines that an operation asks of a resource.
struct Lines {
  int64_t first = 0, further = 0;  // of its first transaction, of each that follows
};

Lines lines_of(const Occupancy& occupancy, const ResourceFigures& resource, const Service& service) {
  const bool is_memory = resource.name == memory_resource;
  const bool is_of_device = resource.sharing == ResourceFigures::Sharing::device;
  if (service.places_nearby && is_of_device) return {};
  if (service.cached_nearby || service.in_shared || (service.cached_by_device && is_memory)) return {};
  // The rates of memory are measured from end to end: the slices of the L2 cache are in them, where lines are random
  // ones.
  const bool comes_from_memory = service.memory != Guarantee::same_bank && !service.cached_by_device &&
                                 service.shared_ticks == 0 && service.contended_ticks == 0;
  if (resource.name == network_resource && comes_from_memory && service.network != Guarantee::same_bank) return {};
  const int64_t share = is_memory ? service.memory_share : 1;
  return {ceil_divide(occupancy.first, share), occupancy.per_transaction ? ceil_divide(occupancy.cycles, share) : 0};
}

// For accesses of `bytes` bytes of a lane. A further transaction brings at most a line, 4 bytes for each lane.
void by_width(Occupancy& occupancy, int64_t bytes, int64_t lane_bytes) {
  constexpr int64_t of_line = ir::memory_line_bytes / ir::warp_lanes;
  occupancy.first = ceil_divide(occupancy.first * std::min(bytes, lane_bytes), lane_bytes);
  occupancy.cycles = occupancy.per_transaction ? ceil_divide(occupancy.cycles * std::min(bytes, of_line), lane_bytes)
                                               : occupancy.first;
}

}  // namespace

support::Integer Costs::occupied_cycles(const Occupancy& occupancy, int64_t transactions) const {
  return ceil_divide(timing::occupied_cycles(occupancy, transactions), ticks[occupancy.resource]);
}

OperationFigures in_ticks(OperationFigures figures, int64_t bytes, const Service& service, const Machine& machine,
                          const std::vector<int64_t>& ticks) {
  for (Occupancy& occupancy : figures.occupancies) {
    const ResourceFigures& resource = machine.resources[occupancy.resource];
    if (resource.lane_bytes > 0 && bytes > 0) by_width(occupancy, bytes, resource.lane_bytes);
    if (!resource.lines) continue;
    const int64_t parts = ticks[occupancy.resource];
    int64_t line = ticks_of_line(resource, guarantee_of(resource, service), parts);
    const int64_t least = std::max(service.shared_ticks, service.contended_ticks);
    if (resource.name == network_resource) line = std::max(line, ceil_divide(least * parts, fine_ticks));
    if (service.places_nearby) line = std::max(line, service.place * parts);
    const Lines lines = lines_of(occupancy, resource, service);
    occupancy.first = lines.first * line;
    occupancy.cycles = occupancy.per_transaction ? lines.further * line : occupancy.first;
    figures.per_transaction =
        std::max(figures.per_transaction, ceil_divide(occupancy.per_transaction ? occupancy.cycles : 0, parts));
    if (lines.first > 0) figures.latency.worst += ceil_divide(line, parts);
  }
  std::erase_if(figures.occupancies, [&](const Occupancy& occupancy) {
    return machine.resources[occupancy.resource].lines && occupancy.first == 0 && occupancy.cycles == 0;
  });
  return figures;
}

namespace {

// A read of a cached constant takes as many machine instructions as its form, one where PTX shows none; the time for
// which a miss occupies the scheduler is left out.
void without_miss(OperationFigures& figures, const ir::Operation& operation, const Service& service,
                  const Machine& machine) {
  const auto is_at_issue = [&](const Occupancy& occupancy) {
    return occupancy.resource == 0 || machine.resources[occupancy.resource].at_issue;
  };
  if (service.as_operand)
    std::erase_if(figures.occupancies, [&](const Occupancy& occupancy) { return !is_at_issue(occupancy); });
  int64_t needed = 1;
  if (machine.sequence && !operation.key.opcode.empty()) {
    const auto expansion = expansion_of(machine, operation);
    needed = expansion ? std::max<int64_t>(1, expansion->total) + operation.moves : figures.instructions;
  }
  if (needed >= figures.instructions) return;
  for (Occupancy& occupancy : figures.occupancies) {
    if (!is_at_issue(occupancy)) continue;
    occupancy.first = ceil_divide(occupancy.first * needed, figures.instructions);
    occupancy.cycles = ceil_divide(occupancy.cycles * needed, figures.instructions);
  }
  figures.instructions = needed;
  figures.sequence.clear();
}

// Makes the figures of one copy those of a warp that asks for so many, one after another.
void repeat(OperationFigures& figures, int64_t times) {
  figures.latency.worst *= times;
  figures.latency.translation *= times;
  figures.latency.refresh *= times;
  figures.gap *= times;
  figures.of_others *= times;
  figures.instructions *= times;
  figures.per_transaction *= times;
  for (Occupancy& occupancy : figures.occupancies) {
    occupancy.first *= times;
    occupancy.cycles *= times;
  }
  for (MachineInstructions& group : figures.sequence) group.times *= times;
}

// The same access, with a word that tells where it goes.
ir::Operation with_space(const ir::Operation& operation, const std::string& space) {
  ir::Operation other = operation;
  const size_t end_of_opcode = std::min(operation.text.find('.'), operation.text.size());
  other.text.insert(end_of_opcode, "." + space);
  auto& words = other.key.modifiers;
  const auto at = std::lower_bound(words.begin(), words.end(), space);
  if (at == words.end() || *at != space) words.insert(at, space);
  return other;
}

// The same access, to the shared memory of any block of the cluster by the word.
ir::Operation of_cluster(const ir::Operation& operation) {
  using enum ir::OperationKind;
  ir::Operation other = with_space(operation, "shared::cluster");
  if (operation.kind == load_generic) other.kind = load_shared;
  if (operation.kind == store_generic) other.kind = store_shared;
  if (operation.kind == atomic_generic) other.kind = atomic_shared;
  other.space = ir::MemorySpace::shared;
  return other;
}

// The atomic by generic addresses as one on memory of one space, by the word.
ir::Operation of_space(const ir::Operation& operation, ir::MemorySpace space) {
  using enum ir::OperationKind;
  const bool shared = space == ir::MemorySpace::shared;
  ir::Operation other = with_space(operation, shared ? "shared" : "global");
  other.kind = shared                                                      ? atomic_shared
               : ir::access_class(operation) == ir::AccessClass::reduction ? reduce_global
                                                                           : atomic_global;
  other.space = space;
  return other;
}

// Figures of an atomic by generic addresses all of which are in one space. Its machine code tests where each address
// goes, and it never comes to what it occupies for the sake of the other space, nor to retries of a loop there. Where
// nothing is left that is a loop, it takes no longer than the instruction of the word with .global among all machine
// instructions of the generic one.
OperationFigures in_one_space(OperationFigures generic, const ir::Operation& operation, ir::MemorySpace space,
                              const Machine& machine) {
  if (operation.machine) return generic;
  const ir::Operation other = of_space(operation, space);
  const auto own = machine.figures(other);
  if (!own) return generic;
  const auto is_left = [&own](size_t resource) {
    return std::any_of(own->occupancies.begin(), own->occupancies.end(),
                       [&](const Occupancy& occupancy) { return occupancy.resource == resource; });
  };
  std::erase_if(generic.retries, [&](const Retries& rounds) { return !is_left(rounds.resource); });
  std::erase_if(generic.occupancies, [&](const Occupancy& occupancy) {
    const ResourceFigures& resource = machine.resources[occupancy.resource];
    return occupancy.resource != 0 && !resource.at_issue && !is_left(occupancy.resource);
  });
  auto expansion = expansion_of(machine, operation);
  const bool is_loop = !generic.retries.empty() || !own->retries.empty();
  if (is_loop || !expansion || space == ir::MemorySpace::shared) return generic;
  expansion->loop = false;
  const OperationFigures all =
      with_moves(machine, with_expansion(machine, *machine.stated(other), *expansion), operation.moves);
  if (all.latency.worst < generic.latency.worst) {
    generic.latency = {generic.latency.best, generic.latency.average, all.latency.worst, all.latency.translation,
                       all.latency.refresh};
  }
  generic.latency.average = std::min(generic.latency.average, generic.latency.worst);
  generic.gap = std::min(generic.gap, all.gap);
  return generic;
}

// The theorem of one rate, above: what the machine states for the unit is of unit and network together, and its longest
// step is one of the network.
void join_unit_to_network(OperationFigures& figures, const Machine& machine, const std::vector<int64_t>& ticks) {
  const auto unit = machine.resource(atomic_resource), network = machine.resource(network_resource);
  for (Occupancy& occupancy : figures.occupancies) {
    if (occupancy.resource != unit || !network) continue;
    figures.latency.worst += occupancy.first;
    occupancy = {*network, occupancy.first * ticks[*network], false, occupancy.first * ticks[*network]};
  }
}

}  // namespace

std::optional<OperationFigures> figures_with_service(const ir::Operation& operation, const Service& service,
                                                     const Machine& machine, const std::vector<int64_t>& ticks) {
  // They have figures of their own then.
  const bool as_few = is_integer_atomic(operation) && service.network == Guarantee::few;
  auto figures = machine.figures(as_few ? as_one_of_few(operation) : operation);
  if (!figures) return std::nullopt;
  if (ir::is_bulk_copy(operation)) repeat(*figures, service.lanes);
  if (operation.kind == ir::OperationKind::atomic_generic && (service.in_global || service.in_shared)) {
    const auto space = service.in_global ? ir::MemorySpace::global : ir::MemorySpace::shared;
    figures = in_one_space(std::move(*figures), operation, space, machine);
  }
  if (service.may_leave_block) {
    const auto far = machine.figures(of_cluster(operation));
    if (!far) return std::nullopt;
    figures = safe_for_both(*figures, *far);
  }
  Service at = service;
  if (as_few) at.network = Guarantee::same_bank;  // of the port nothing else was measured
  if (figures->spread) at.memory = Guarantee::same_bank, at.network = Guarantee::spread;
  figures = in_ticks(std::move(*figures), operation.bytes, at, machine, ticks);
  if (as_few) join_unit_to_network(*figures, machine, ticks);
  if (operation.call_time) add_call(*figures, *operation.call_time, machine);
  if (service.cached_nearby) without_miss(*figures, operation, service, machine);
  // What its machine instructions for addresses and the like take comes on top of a hit too.
  Latency& latency = figures->latency;
  if (service.hit) {
    const OperationFigures* stated = machine.stated(operation);
    const Latency miss = stated == nullptr ? latency : stated->latency;
    if (*service.hit < miss.worst) {
      latency.worst -= miss.worst - *service.hit;
      latency.translation = latency.refresh = 0;  // what a hit has of them is in its figure
    }
    latency.average = std::min(latency.average, latency.worst);
    latency.best = std::min(latency.best, latency.worst);
  }
  latency = with_waits_once(latency, service);
  return figures;
}

int64_t ticks_of_line(const ResourceFigures& resource, Guarantee guarantee, int64_t ticks) {
  return resource.lines->of(guarantee).cycles_for(ticks).value().value_or(INT64_MAX);
}

namespace {

// In cycles; 0: it does not ask it for lines, or it is the last one.
int64_t step_at(size_t resource, const OperationFigures& figures, const std::vector<int64_t>& ticks,
                const Machine& machine) {
  if (!machine.resources[resource].lines || machine.resources[resource].name == memory_resource) return 0;
  int64_t longest = 0;
  for (const Occupancy& occupancy : figures.occupancies) {
    if (occupancy.resource != resource) continue;
    longest = std::max({longest, occupancy.first, occupancy.per_transaction ? occupancy.cycles : 0});
  }
  return ceil_divide(longest, ticks[resource]);
}

bool asks_for_lines(const OperationFigures& figures, const Machine& machine) {
  return std::any_of(figures.occupancies.begin(), figures.occupancies.end(), [&machine](const Occupancy& occupancy) {
    return machine.resources[occupancy.resource].lines.has_value();
  });
}

// Nothing of its warp is under way when a bulk copy begins, nor when what follows it does.
std::vector<int64_t> longest_steps(const ir::Kernel& kernel, const Costs& costs, const Machine& machine) {
  std::vector<int64_t> longest(machine.resources.size());
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    if (ir::is_bulk_copy(kernel.operations[i])) continue;
    for (size_t r = 0; r < longest.size(); ++r) {
      longest[r] = std::max(longest[r], step_at(r, costs.operations[i], costs.ticks, machine));
    }
  }
  return longest;
}

}  // namespace

void wait_for_earlier(OperationFigures& figures, const Costs& costs, const Machine& machine) {
  if (!asks_for_lines(figures, machine)) return;
  if (costs.shares) figures.latency.worst += costs.shares->before;
  for (size_t r = 0; r < costs.longest_steps.size(); ++r) {
    figures.latency.worst += std::max<int64_t>(0, costs.longest_steps[r] - step_at(r, figures, costs.ticks, machine));
  }
}

support::Result<Costs> costs_of(const ir::Kernel& kernel, const Machine& machine, const Services& services) {
  Costs costs;
  for (const ResourceFigures& resource : machine.resources) {
    costs.ticks.push_back(resource.lines && services.fractions ? fine_ticks : 1);
  }
  std::vector<bool> missing;
  std::vector<bool> long_calls;
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    const auto& time = kernel.operations[i].call_time;
    long_calls.push_back(time && !cycles_of(*time, machine.clock_khz));
    const Service service = services.operations.empty() ? Service{} : services.operations[i];
    auto figures = figures_with_service(kernel.operations[i], service, machine, costs.ticks);
    missing.push_back(!figures);
    costs.operations.push_back(std::move(figures).value_or(OperationFigures{}));
  }
  support::Diagnostics errors;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (long_calls[instruction.operation]) {
      long_calls[instruction.operation] = false;
      errors.push_back(too_long(kernel, instruction, machine));
    }
    if (!missing[instruction.operation]) continue;
    missing[instruction.operation] = false;  // one error each
    errors.push_back(no_figures(kernel, instruction, machine));
  }
  if (!errors.empty()) return errors;
  costs.longest_steps = longest_steps(kernel, costs, machine);
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    if (!ir::is_bulk_copy(kernel.operations[i])) wait_for_earlier(costs.operations[i], costs, machine);
  }
  costs.calls = machine.resource(calls_resource);
  if (machine.operand_read) costs.operands_read = machine.operand_read->latency;
  return costs;
}

support::Diagnostics unknown_samplers(const ir::Kernel& kernel, const Costs& costs) {
  support::Diagnostics errors;
  std::vector<bool> is_reported(kernel.operations.size());
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (!costs.of(instruction).plain_textures || is_reported[instruction.operation]) continue;
    is_reported[instruction.operation] = true;
    errors.push_back(error_in_line(
        kernel, instruction.line,
        "how many texels '" + kernel.operation(instruction).text +
            "' reads depends on the sampler, which the code does not show",
        "if its texture is sampled without mipmaps and without anisotropy, say so ({assume} plain-textures); else give "
        "figures of your own in a machine file (docs/machines.md, What has no figures)"));
  }
  return errors;
}

support::Integer machine_instructions(const ir::Kernel& kernel, const Costs& costs) {
  support::Integer instructions;
  for (const ir::Instruction& instruction : kernel.instructions) instructions += costs.of(instruction).instructions;
  return instructions;
}

int64_t worst_latency(const OperationFigures& cost, int64_t transactions) {
  return cost.latency.worst + cost.per_transaction * std::max<int64_t>(0, transactions - 1);
}

std::vector<std::string> operations_with_assumed_costs(const ir::Kernel& kernel, const Costs& costs) {
  std::vector<std::string> words;
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    if (costs.operations[i].evidence == Evidence::assumed) words.push_back(kernel.operations[i].text);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace warpspan::timing
