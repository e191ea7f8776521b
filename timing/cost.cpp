#include "timing/cost.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace warpspan::timing {

namespace {

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

// A value that overflows stays the largest there is: the sums that it enters overflow, and a bound is refused.
int64_t cycles_of(int64_t count, const std::optional<LineTimes>& lines, Guarantee guarantee) {
  if (!lines) return count;
  return lines->of(guarantee).cycles_for(count).value().value_or(std::numeric_limits<int64_t>::max());
}

}  // namespace

std::vector<Hold> in_cycles(std::vector<Hold> holds, const Machine& machine, Guarantee guarantee) {
  for (Hold& hold : holds) {
    const auto& lines = machine.resources[hold.resource].lines;
    hold.cycles = cycles_of(hold.cycles, lines, guarantee);
    hold.first = cycles_of(hold.first, lines, guarantee);
  }
  return holds;
}

OperationFigures in_cycles(OperationFigures figures, const Machine& machine, Guarantee guarantee) {
  figures.holds = in_cycles(std::move(figures.holds), machine, guarantee);
  for (const Hold& hold : figures.holds) {
    if (!hold.per_transaction || !machine.resources[hold.resource].lines) continue;
    figures.per_transaction = std::max(figures.per_transaction, hold.cycles);
  }
  return figures;
}

support::Result<Costs> ptx_costs(const ir::Kernel& kernel, const Machine& machine) {
  Costs costs;
  std::vector<bool> missing;
  for (const ir::Operation& operation : kernel.operations) {
    std::optional<OperationFigures> figures = machine.figures(operation);
    missing.push_back(!figures);
    costs.operations.push_back(figures ? in_cycles(std::move(*figures), machine, Guarantee::same_bank)
                                       : OperationFigures{});
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
