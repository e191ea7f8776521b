#include "timing/weigh.hpp"

namespace warpspan::timing {

support::Result<Weights> weigh(const ir::Kernel& kernel, const Machine& machine) {
  Weights weights;
  for (const ir::Operation& operation : kernel.operations) weights.push_back(machine.figures(operation));
  support::Diagnostics errors;
  std::vector<bool> told(weights.size(), false);
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (weights[instruction.operation] || told[instruction.operation]) continue;
    told[instruction.operation] = true;
    const ir::Operation& operation = kernel.operation(instruction);
    const std::string kind(name(operation.kind));
    support::Diagnostic error;
    error.location = {kernel.location.file, instruction.line, 1};
    error.message = "machine '" + machine.name + "' has no figures for '" + operation.text + "' (" + kind + ": " +
                    std::string(description(operation.kind)) + ")";
    error.help = "choose another machine with --machine, or give a machine file that has [operation.\"" + kind + "\"]";
    errors.push_back(std::move(error));
  }
  if (!errors.empty()) return errors;
  return weights;
}

}  // namespace warpspan::timing
