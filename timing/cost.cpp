#include "timing/cost.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpspan::timing {

namespace {

constexpr std::string_view memory = "memory";  // whatever else serves lines is on the way to it

support::Diagnostic no_figures(const ir::Kernel& kernel, const ir::Instruction& instruction, const Machine& machine) {
  const ir::Operation& operation = kernel.operation(instruction);
  const std::string kind(to_string(operation.kind));
  support::Diagnostic error;
  error.location = {kernel.location.file, instruction.line, 1};
  error.message = "machine '" + machine.name + "' has no figures for '" + operation.text + "' (" + kind + ": " +
                  std::string(description(operation.kind)) + ")";
  error.help = "choose another machine with --machine, or give a machine file that has [operation.\"" + kind + "\"]";
  return error;
}

Guarantee guarantee_of(const ResourceFigures& resource, const Service& service) {
  return resource.name == memory ? service.memory : service.network;
}

// Lines that an operation asks of a resource.
struct Lines {
  int64_t first = 0, further = 0;  // of its first transaction, of each that follows
};

Lines lines_of(const Hold& hold, const ResourceFigures& resource, const Service& service) {
  const bool is_memory = resource.name == memory;
  if (service.kept_nearby || (service.kept_by_device && is_memory)) return {};
  const Lines lines{hold.first, hold.per_transaction ? hold.cycles : 0};
  if (!service.writes_whole_lines || !is_memory) return lines;
  // Lines are written back but not fetched before.
  return {(lines.first + 1) / 2, (lines.further + 1) / 2};
}

int64_t ceil_of(int64_t a, int64_t b) { return (a + b - 1) / b; }

// All multiprocessors fetch the same lines of code, so that they may come from one slice.
std::vector<Costs::CodeMiss> code_misses(const Machine& machine, const Services& services,
                                         const std::vector<int64_t>& ticks) {
  std::vector<Costs::CodeMiss> misses;
  if (!machine.fetch) return misses;
  for (const CodeCache& cache : machine.fetch->caches) {
    Costs::CodeMiss miss{cache.miss, cache.holds};
    for (Hold& hold : miss.holds) {
      const ResourceFigures& resource = machine.resources[hold.resource];
      if (!resource.lines) continue;
      const bool spread = services.fractions && resource.name == memory;
      const int64_t parts = ticks[hold.resource];
      const int64_t line = ticks_of_line(resource, spread ? Guarantee::spread : Guarantee::same_bank, parts);
      hold.cycles = hold.first = hold.cycles * line;
      miss.cycles += ceil_of(line, parts);
    }
    misses.push_back(std::move(miss));
  }
  return misses;
}

}  // namespace

support::Integer Costs::cycles_held(const Hold& hold, int64_t transactions) const {
  return ceil_divide(timing::cycles_held(hold, transactions), ticks[hold.resource]);
}

OperationFigures served(OperationFigures figures, const Service& service, const Machine& machine,
                        const std::vector<int64_t>& ticks) {
  for (Hold& hold : figures.holds) {
    const ResourceFigures& resource = machine.resources[hold.resource];
    if (!resource.lines) continue;
    const int64_t parts = ticks[hold.resource];
    const int64_t line = ticks_of_line(resource, guarantee_of(resource, service), parts);
    const Lines lines = lines_of(hold, resource, service);
    hold.first = lines.first * line;
    hold.cycles = hold.per_transaction ? lines.further * line : hold.first;
    figures.per_transaction = std::max(figures.per_transaction, ceil_of(hold.per_transaction ? hold.cycles : 0, parts));
    if (lines.first > 0) figures.latency.worst += ceil_of(line, parts);
  }
  std::erase_if(figures.holds, [&](const Hold& hold) {
    return machine.resources[hold.resource].lines && hold.first == 0 && hold.cycles == 0;
  });
  if (service.hit) {
    figures.latency.worst = std::min(figures.latency.worst, *service.hit);
    figures.latency.average = std::min(figures.latency.average, figures.latency.worst);
    figures.latency.best = std::min(figures.latency.best, figures.latency.worst);
  }
  return figures;
}

int64_t ticks_of_line(const ResourceFigures& resource, Guarantee guarantee, int64_t ticks) {
  return resource.lines->of(guarantee).cycles_for(ticks).value().value_or(INT64_MAX);
}

support::Result<Costs> ptx_costs(const ir::Kernel& kernel, const Machine& machine, const Services& services) {
  Costs costs;
  for (const ResourceFigures& resource : machine.resources) {
    costs.ticks.push_back(resource.lines && services.fractions ? fine_ticks : 1);
  }
  costs.code_misses = code_misses(machine, services, costs.ticks);
  std::vector<bool> missing;
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    std::optional<OperationFigures> figures = machine.figures(kernel.operations[i]);
    missing.push_back(!figures);
    const Service service = services.operations.empty() ? Service{} : services.operations[i];
    costs.operations.push_back(served(figures.value_or(OperationFigures{}), service, machine, costs.ticks));
  }
  support::Diagnostics errors;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (!missing[instruction.operation]) continue;
    missing[instruction.operation] = false;  // one error each
    errors.push_back(no_figures(kernel, instruction, machine));
  }
  if (!errors.empty()) return errors;
  return costs;
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
