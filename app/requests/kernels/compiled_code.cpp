// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/compiled_code.hpp"

#include <algorithm>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr const char* or_machine_code = "; or bound the machine code itself, without --ptx";

Diagnostic of_kernel(const ir::Kernel& kernel, std::string message, std::string help) {
  Diagnostic error = support::usage_error(std::move(message), std::move(help));
  error.location = kernel.location;
  return error;
}

Diagnostic not_in_log(const CompiledKernels& all, const ir::Kernel& kernel,
                      const std::vector<std::string>& architectures) {
  const std::vector<std::string> others = all.architectures_of(kernel.name);
  const std::string wanted = architectures.empty() ? "an unknown target" : support::alternatives(architectures);
  std::string message =
      "the log of ptxas does not tell of kernel " + support::quoted_symbol(kernel.name) + " for " + wanted;
  if (!others.empty()) message += ": it was compiled for " + support::enumeration(others);
  return of_kernel(kernel, std::move(message),
                   "give --ptxas-log FILE with what 'nvcc -Xptxas -v' printed for this target, or choose kernels with "
                   "--kernel");
}

// Local variables, and calls that are not expanded, lie on the stack.
bool may_use_stack(const ir::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& instruction) {
    const ir::Operation& operation = kernel.operation(instruction);
    return operation.space == ir::MemorySpace::local || operation.kind == ir::OperationKind::call;
  });
}

bool has_calls(const ir::Kernel& kernel) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), ir::is_call);
}

// Frames are whole multiples of it.
constexpr int64_t frame_granularity = 8;

int64_t needed_by(const ir::Frame& frame) {
  return (frame.bytes + frame_granularity - 1) / frame_granularity * frame_granularity;
}

// The spills that the stack of machine code shows; nothing if variables may lie there too.
std::optional<int64_t> spill_in_stack(const CompiledKernel& compiled, const ir::Kernel& kernel) {
  const auto stack = compiled.stack ? compiled.stack : compiled.frame;
  if (!stack || !may_use_stack(kernel)) return stack;
  if (has_calls(kernel) || kernel.frames.empty() || *stack <= needed_by(kernel.frames.front())) return std::nullopt;
  return *stack - needed_by(kernel.frames.front());
}

Result<CompiledKernel> find_for(const std::vector<std::string>& architectures, const CompiledKernels& all,
                                const ir::Kernel& kernel, const ir::Launch& launch) {
  auto compiled = all.find(architectures, kernel.name);
  if (!compiled) return not_in_log(all, kernel, architectures);
  const std::string name = "kernel " + support::quoted_symbol(kernel.name);
  if (launch.registers && compiled->registers && launch.registers != known_registers(*compiled)) {
    return of_kernel(kernel,
                     launch.registers_from + ": " + name + " has " + reported_registers(*compiled) + " registers by " +
                         logs_of(*compiled) + ", not " + std::to_string(*launch.registers),
                     std::string("leave {registers} out: ") +
                         (compiled->is_code ? "the machine code states" : "the log tells") + " them");
  }
  if (compiled->shared &&
      (*compiled->shared < kernel.shared_bytes || *compiled->shared > kernel.shared_bytes + kernel.shared_padding)) {
    return of_kernel(kernel,
                     logs_of(*compiled) + " tells " + std::to_string(*compiled->shared) +
                         " bytes of shared memory of " + name + ", and the file declares " +
                         std::to_string(kernel.shared_bytes),
                     "give the log of the assembler's run on this very file, or on the source of both");
  }
  if (compiled->is_code && !compiled->spill) compiled->spill = spill_in_stack(*compiled, kernel);
  return std::move(*compiled);
}

}  // namespace

std::vector<std::string> architectures_of(const timing::Machine& machine, const std::string& target) {
  return machine.targets.empty() ? std::vector{target} : machine.targets;
}

std::optional<int64_t> known_registers(const CompiledKernel& compiled) {
  return compiled.fewest_registers == compiled.registers ? compiled.registers : std::nullopt;
}

std::string reported_registers(const CompiledKernel& compiled) {
  const std::string most = std::to_string(compiled.registers.value_or(0));
  return known_registers(compiled) || !compiled.fewest_registers
             ? most
             : std::to_string(*compiled.fewest_registers) + " to " + most;
}

std::string logs_of(const CompiledKernel& compiled) {
  return support::enumeration(std::vector<std::string>(compiled.logs.begin(), compiled.logs.end()));
}

std::optional<Diagnostic> spill_in_log(const CompiledKernel& compiled, const std::string& kernel,
                                       const support::Location& at) {
  if (compiled.spill.value_or(0) == 0) return std::nullopt;
  Diagnostic error;  // the input's mistake, not the user's
  error.location = at;
  error.message = "kernel '" + kernel + "' spills registers: " + std::to_string(*compiled.spill) +
                  (compiled.is_code ? " bytes of stack in " : " bytes of spill stores and loads by ") +
                  logs_of(compiled);
  error.help = "compile it for more registers per thread: what is spilled is not in the PTX" +
               std::string(compiled.is_code ? or_machine_code : ", and no bound has it");
  return error;
}

std::optional<Diagnostic> saves_in_code(const CompiledKernel& compiled, const ir::Kernel& kernel) {
  for (size_t i = 1; i < kernel.frames.size(); ++i) {
    const ir::Frame& frame = kernel.frames[i];
    const auto known = compiled.frames.find(frame.name);
    if (known == compiled.frames.end() || known->second <= needed_by(frame)) continue;
    Diagnostic error;
    error.location = kernel.location;
    error.message = "function " + support::quoted_symbol(frame.name) + ", which kernel " +
                    support::quoted_symbol(kernel.name) + " calls, saves registers: its stack frame has " +
                    std::to_string(known->second) + " bytes by " + logs_of(compiled) + ", and its variables have " +
                    std::to_string(frame.bytes);
    error.help = "compile the program as a whole, without -rdc, -dc and -c: what is saved is not in the PTX" +
                 std::string(compiled.is_code ? or_machine_code : "");
    return error;
  }
  return std::nullopt;
}

std::optional<Diagnostic> other_code(const CompiledKernel& compiled, int64_t counted, const std::string& kernel,
                                     const support::Location& at) {
  Diagnostic error;
  error.location = at;
  if (!compiled.optimized) {
    error.message = "the machine code of kernel '" + kernel + "' in " + logs_of(compiled) + " was made with -O0 or -G";
    error.help = "compile it with optimization: no bound of PTX holds for other code" + std::string(or_machine_code);
    return error;
  }
  if (compiled.instructions.value_or(0) <= counted) return std::nullopt;
  error.message = "the machine code of kernel '" + kernel + "' in " + logs_of(compiled) + " has " +
                  std::to_string(*compiled.instructions) + " instructions, and its PTX is bounded as " +
                  std::to_string(counted) + ": ptxas has unrolled a loop or repeated code";
  error.help = "compile it with -Xptxas -O1, which does not, or put '#pragma unroll 1' before the loop" +
               std::string(or_machine_code);
  return error;
}

Result<CompiledKernel> find_compiled(const CompiledKernels& all, const ir::Kernel& kernel, const ir::Launch& launch,
                                     const timing::Machine& machine) {
  return find_for(architectures_of(machine, kernel.target), all, kernel, launch);
}

Result<std::optional<CompiledKernel>> find_compiled(const CompiledKernels& logs, const CompiledKernels& machine_code,
                                                    const ir::Kernel& kernel, const ir::Launch& launch,
                                                    const timing::Machine& machine) {
  const std::vector<std::string> beside = machine_code.architectures_of(kernel.name);
  if (logs.empty() && beside.empty()) return std::optional<CompiledKernel>();
  auto found =
      logs.empty() ? find_for(beside, machine_code, kernel, launch) : find_compiled(logs, kernel, launch, machine);
  if (!found) return found.errors();
  return std::optional(std::move(*found));
}

void take_over(const CompiledKernel& compiled, ir::Launch& launch) {
  launch.static_shared = compiled.shared;
  if (!known_registers(compiled)) return;
  launch.registers = known_registers(compiled);
  launch.registers_from = logs_of(compiled);
  launch.registers_of_code = compiled.is_code;
}

std::string trust_in(const CompiledKernel& compiled) {
  std::string what = compiled.registers ? "registers (" + reported_registers(compiled) + ")" : "";
  if (compiled.spill) what += std::string(what.empty() ? "" : " and ") + "spills (none)";
  return "The code that runs is the one whose " + what + " " + logs_of(compiled) +
         (compiled.is_code ? " states." : " tells (--ptxas-log).");
}

}  // namespace warpspan::app
