// What the operations of a kernel cost on a machine. A language that kernels are read from has one function here that
// says so; whatever comes after it asks for nothing but Costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct Costs {
  std::vector<OperationFigures> operations;  // by Kernel::operations

  const OperationFigures& of(const ir::Instruction& instruction) const { return operations[instruction.operation]; }
};

// Figures of a machine with cycles instead of lines, under what is granted of where lines lie: a hold of a resource
// that serves lines is the time of so many, rounded up. Each further transaction of an instruction adds to its latency
// what the file says or, if that is more, what it holds such a resource for: requests pass the servers on their way one
// after another, and of n requests that pass several in a row the last is through after the steps of the first and n -
// 1 further steps, each at one of the servers. Errors: a time that exceeds 64 bits is the largest there is.
OperationFigures in_cycles(OperationFigures figures, const Machine& machine, Guarantee guarantee);
std::vector<Hold> in_cycles(std::vector<Hold> holds, const Machine& machine, Guarantee guarantee);

// The costs of PTX: what the machine file says of the machine code that each operation becomes. Errors: one for each
// operation that the machine has no figures for, at its first instruction; unknown is never zero.
support::Result<Costs> ptx_costs(const ir::Kernel& kernel, const Machine& machine);

// Cycles until the result is there, every latency at its largest. transactions: as for cycles_held.
int64_t worst_latency(const OperationFigures& cost, int64_t transactions);

// The operations, in words, whose costs nobody measured; ascending. costs: of these operations, and of others behind
// them maybe.
std::vector<std::string> operations_with_assumed_costs(const ir::Kernel& kernel, const Costs& costs);

}  // namespace warpspan::timing
