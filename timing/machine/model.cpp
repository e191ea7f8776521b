// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/model.hpp"

#include <algorithm>
#include <limits>

#include "support/glob.hpp"
#include "timing/machine/expansions.hpp"
#include "timing/machine/fields.hpp"

namespace warpspan::timing {

namespace {

// Cycles for a number of transactions are never less than either's.
Occupancy safe_for_both(const Occupancy& a, const Occupancy& b) {
  Occupancy both = a;
  both.first = std::max(a.first, b.first);
  both.per_transaction = a.per_transaction || b.per_transaction;
  both.cycles = std::max(a.cycles, b.cycles);
  return both;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether the warp goes on later than by the stall count of such an instruction.
bool delays_next(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case branch:
    case barrier:
    case warp_barrier:
    case cluster_barrier:
    case matrix_group:
    case fence:
    case sleep:
    case control: return true;
    default: return false;
  }
}

// Where a matrix instruction finds its unit busy, its result is there later than by the stall count of the one before.
bool waits_inside(ir::OperationKind kind) {
  return kind == ir::OperationKind::matrix_multiply || kind == ir::OperationKind::matrix_group;
}

// Leaves one machine instruction of several in the issue slot; what they hold besides stays.
void issue_once(OperationFigures& figures, int64_t issue_occupancy) {
  for (Occupancy& occupancy : figures.occupancies) {
    if (occupancy.resource != 0) continue;
    occupancy.first -= (figures.instructions - 1) * issue_occupancy;
    if (!occupancy.per_transaction) occupancy.cycles = occupancy.first;
  }
  figures.instructions = 1;
}

// For no longer than it has registers to read, one in a cycle that it is issued in at least.
void read_registers(OperationFigures& figures, size_t ports, int64_t registers) {
  const int64_t most = std::max<int64_t>(1, registers);
  for (Occupancy& occupancy : figures.occupancies) {
    if (occupancy.resource != ports || occupancy.per_transaction) continue;
    occupancy.cycles = std::min(occupancy.cycles, most);
    occupancy.first = std::min(occupancy.first, most);
  }
}

// The figures of a form of PTX are valid for each of its machine instructions, which is issued once. The stall count
// says when the next one may issue, and when a result of fixed latency is there.
OperationFigures of_machine_instruction(OperationFigures figures, const ir::Operation& operation,
                                        const Machine& machine) {
  const ir::MachineIssue& issue = *operation.machine;
  if (!issue.takes_most) issue_once(figures, machine.issue_occupancy);
  const auto ports = machine.resource(register_ports);
  if (ports && issue.registers_read) read_registers(figures, *ports, *issue.registers_read);
  figures.sequence.clear();
  figures.typical.reset();
  figures.gap = delays_next(operation.kind) || issue.takes_most ? std::max(figures.gap, issue.stall) : issue.stall;
  if (issue.fixed_latency && waits_inside(operation.kind)) {
    if (figures.latency.worst < issue.stall)
      figures.latency = {figures.latency.best, figures.latency.average, issue.stall};
  } else if (issue.fixed_latency && !delays_next(operation.kind)) {
    figures.gap += figures.later;
    figures.latency = {issue.stall, issue.stall, issue.stall + figures.later};
  }
  return figures;
}

// Of software sequences too, as no one instruction takes more than these.
OperationFigures largest_figures(const std::array<std::optional<OperationFigures>, ir::operation_kinds>& operations) {
  std::optional<OperationFigures> largest;
  for (const std::optional<OperationFigures>& figures : operations) {
    if (figures) largest = largest ? safe_for_both(*largest, *figures) : *figures;
  }
  OperationFigures all = std::move(largest).value_or(OperationFigures{});
  all.evidence = Evidence::assumed;
  all.source.clear();
  return all;
}

bool contains_one_of(const std::vector<std::string>& list, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&list](const std::string& word) { return contains(list, word); });
}

}  // namespace

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::official: return "official";
    case Evidence::measured: return "measured";
    case Evidence::simulator: return "simulator";
    case Evidence::assumed: return "assumed";
  }
  return "assumed";
}

std::string_view to_string(MachineClass machine_class) {
  switch (machine_class) {
    case MachineClass::plain: return "plain";
    case MachineClass::special: return "special";
    case MachineClass::double_precision: return "double";
    case MachineClass::branch: return "branch";
    case MachineClass::memory: return "memory";
    case MachineClass::matrix: return "matrix";
    case MachineClass::shuffle: return "shuffle";
  }
  return "plain";
}

std::string_view to_string(Guarantee guarantee) {
  switch (guarantee) {
    case Guarantee::same_bank: return "same-bank";
    case Guarantee::few: return "few";
    case Guarantee::spread: return "spread";
    case Guarantee::stream: return "stream";
  }
  return "?";
}

std::string_view to_string(ResourceFigures::Sharing sharing) {
  switch (sharing) {
    case ResourceFigures::Sharing::scheduler: return "scheduler";
    case ResourceFigures::Sharing::multiprocessor: return "multiprocessor";
    case ResourceFigures::Sharing::device: return "device";
  }
  return "device";
}

support::Integer LineTime::cycles_for(int64_t lines) const {
  const auto whole =
      ceil_divide(support::WideInteger(lines) * support::WideInteger(cycles.numerator), cycles.denominator).value();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return whole && *whole <= most ? support::Integer(static_cast<int64_t>(*whole)) : support::Integer(most) + 1;
}

// Theorem. Let n different lines, each served once, take A for each c of them that are begun beyond what n lines take
// at a rate. Where each of some lines is served r times at most, m times in all, they take (m + r (c - 1)) / c times A
// beyond it, the quotient rounded down. Proof. The i-th time that each of them is served, i from 1 to r, is of n_i
// different lines, the sum of all n_i is m, and of n_i lines at most (n_i + c - 1) / c times c are begun. QED
support::Integer LineTimes::beyond_spread(support::Integer lines, int64_t most, int64_t ticks) const {
  const auto in_groups = [&](const LineTime& longer, int64_t of) {
    return floor_divide(lines + support::Integer(most) * (of - 1), of) * longer.cycles_for(ticks);
  };
  const support::Integer all = in_groups(*once, lines_of_once);
  return few_once ? min(all, in_groups(*few_once, lines_of_few_once)) : all;
}

support::Integer occupied_cycles(const Occupancy& occupancy, int64_t transactions) {
  if (!occupancy.per_transaction) return occupancy.cycles;
  const int64_t further = std::max<int64_t>(0, transactions - 1);
  return support::Integer(occupancy.first) + support::Integer(occupancy.cycles) * further;
}

void for_each_provenance(const Machine& machine, const std::function<void(Evidence, const std::string&)>& visit) {
  for (const MachineSection& section : machine_sections()) {
    if (section.is_known != nullptr && !section.is_known(machine)) continue;
    const Provenance& provenance = section.provenance.of_const(machine);
    visit(provenance.evidence, provenance.source);
  }
  for (size_t r = 1; r < machine.resources.size(); ++r) {
    visit(machine.resources[r].evidence, machine.resources[r].source);
    if (!machine.resources[r].lines) continue;
    for (const Guarantee guarantee : all_guarantees) {
      const LineTime& time = machine.resources[r].lines->of(guarantee);
      if (machine.resources[r].lines->is_stated(guarantee)) visit(time.provenance.evidence, time.provenance.source);
    }
    for (const auto& longer : {machine.resources[r].lines->once, machine.resources[r].lines->few_once}) {
      if (longer) visit(longer->provenance.evidence, longer->provenance.source);
    }
  }
  for (const DataCache& cache : machine.data_caches) visit(cache.provenance.evidence, cache.provenance.source);
  for (const auto& figures : machine.otherwise) {
    if (figures) visit(figures->evidence, figures->source);
  }
  for (const Machine::FormFigures& some : machine.form_figures) visit(some.figures.evidence, some.figures.source);
  if (machine.sequence) visit(machine.sequence->provenance.evidence, machine.sequence->provenance.source);
  if (!machine.fetch) return;
  visit(machine.fetch->provenance.evidence, machine.fetch->provenance.source);
  for (const CodeCache& cache : machine.fetch->caches) visit(cache.evidence, cache.source);
}

OperationFigures safe_for_both(const OperationFigures& a, const OperationFigures& b) {
  OperationFigures both = a;
  both.latency = {std::min(a.latency.best, b.latency.best), std::max(a.latency.average, b.latency.average),
                  std::max(a.latency.worst, b.latency.worst), std::min(a.latency.translation, b.latency.translation),
                  std::min(a.latency.refresh, b.latency.refresh)};
  both.gap = std::max(a.gap, b.gap);
  both.instructions = std::max(a.instructions, b.instructions);
  both.per_transaction = std::max(a.per_transaction, b.per_transaction);
  for (const Occupancy& occupancy : b.occupancies) {
    const auto at = std::lower_bound(both.occupancies.begin(), both.occupancies.end(), occupancy,
                                     [](const Occupancy& x, const Occupancy& y) { return x.resource < y.resource; });
    if (at == both.occupancies.end() || at->resource != occupancy.resource) {
      both.occupancies.insert(at, occupancy);
    } else {
      *at = safe_for_both(*at, occupancy);
    }
  }
  for (const Retries& retries : b.retries) {
    const auto at = std::lower_bound(both.retries.begin(), both.retries.end(), retries,
                                     [](const Retries& x, const Retries& y) { return x.resource < y.resource; });
    if (at == both.retries.end() || at->resource != retries.resource) {
      both.retries.insert(at, retries);
    } else {
      at->cycles = std::max(at->cycles, retries.cycles);
    }
  }
  both.sequence.clear();
  both.spread = a.spread && b.spread;
  both.later = std::max(a.later, b.later);
  both.evidence = std::max(a.evidence, b.evidence);
  if (a.source != b.source) both.source += "; " + b.source;
  return both;
}

bool FormRule::fits(const ir::Operation& operation) const {
  const auto matched = [&operation](const std::string& form) { return support::matches(form, operation.text); };
  return (forms.empty() || std::any_of(forms.begin(), forms.end(), matched)) &&
         (opcodes.empty() || contains(opcodes, operation.key.opcode)) &&
         (types.empty() || contains_one_of(types, operation.key.types)) &&
         (modifiers.empty() || contains_one_of(modifiers, operation.key.modifiers) ||
          contains(modifiers, "v" + std::to_string(operation.key.vector_size)));
}

std::optional<size_t> Machine::resource(std::string_view wanted) const {
  const auto named = [wanted](const ResourceFigures& one) { return one.name == wanted; };
  const auto found = std::find_if(resources.begin(), resources.end(), named);
  return found == resources.end() ? std::nullopt : std::optional(static_cast<size_t>(found - resources.begin()));
}

const LineTimes* Machine::lines_once() const {
  for (const ResourceFigures& one : resources) {
    if (one.name == memory_resource && one.lines && one.lines->once) return &*one.lines;
  }
  return nullptr;
}

int64_t Machine::reach() const {
  int64_t least = 0;
  for (const ResourceFigures& resource : resources) {
    if (!resource.lines || resource.lines->reach == 0) continue;
    least = least == 0 ? resource.lines->reach : std::min(least, resource.lines->reach);
  }
  return least;
}

AssumptionSet Machine::usual_assumptions() const {
  AssumptionSet set;
  for (const Backing& backing : usual) set.assume(backing.assumption);
  return set;
}

const DataCache* Machine::data_cache(std::string_view wanted) const {
  const auto named = [wanted](const DataCache& cache) { return cache.name == wanted; };
  const auto found = std::find_if(data_caches.begin(), data_caches.end(), named);
  return found == data_caches.end() ? nullptr : &*found;
}

// Figures of memory are none of what other devices have mapped there.
const OperationFigures* Machine::stated(const ir::Operation& operation) const {
  const bool of_mapped_device = ir::is_of_mapped_device(operation);
  for (const FormFigures& some : form_figures) {
    if (some.kind != operation.kind || !some.rule.fits(operation)) continue;
    if (of_mapped_device && !contains(some.rule.modifiers, "mmio")) continue;
    if (!some.rule.loop) return &some.figures;
    const std::optional<Expansion> expansion = expansion_of(*this, operation);
    if (expansion && expansion->loop) return &some.figures;
  }
  const auto& other = otherwise[static_cast<size_t>(operation.kind)];
  return other && !of_mapped_device ? &*other : nullptr;
}

std::optional<OperationFigures> Machine::figures(const ir::Operation& operation) const {
  if (operation.machine && operation.machine->takes_most) {
    return of_machine_instruction(largest_figures(operations), operation, *this);
  }
  const OperationFigures* own = stated(operation);
  if (own == nullptr) return std::nullopt;
  if (operation.machine) return of_machine_instruction(*own, operation, *this);
  std::optional<Expansion> expansion = expansion_of(*this, operation);
  if (expansion && ir::is_bulk_copy(operation)) expansion->loop = false;
  // How many machine instructions a form takes that is in no table is unknown.
  if (!expansion && own->expanded) return std::nullopt;
  OperationFigures whole = expansion ? with_expansion(*this, *own, *expansion) : *own;
  if (!sequence) return whole;
  return with_moves(*this, std::move(whole), operation.moves);
}

}  // namespace warpspan::timing
