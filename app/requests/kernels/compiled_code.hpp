// SPDX-License-Identifier: GPL-3.0-or-later
// What logs of the assembler state of one kernel, compared with its file and its launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/requests/kernels/compiled_kernels.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// Those whose code the machine runs: its targets, or of a machine without any the file's.
std::vector<std::string> architectures_of(const timing::Machine& machine, const std::string& target);

// Where logs tell several numbers, any may be the one of the run, and more need not take longer: then nothing.
std::optional<int64_t> known_registers(const CompiledKernel& compiled);
// "32 to 40": where they tell several.
std::string reported_registers(const CompiledKernel& compiled);
// "a.log and b.log"
std::string logs_of(const CompiledKernel& compiled);

// The error if it spills, which no bound has in it.
std::optional<support::Diagnostic> spill_in_log(const CompiledKernel& compiled, const std::string& kernel,
                                                const support::Location& at);

// The error if a function that the kernel calls by name has a larger stack frame than its variables need: it follows
// the calling convention, and saves registers, which the PTX does not show.
std::optional<support::Diagnostic> saves_in_code(const CompiledKernel& compiled, const ir::Kernel& kernel);

// The error if machine code is none of which the bound of its PTX holds: not optimized, or of more instructions than
// the bound counts for the whole kernel, which ptxas has then repeated or made more of.
std::optional<support::Diagnostic> other_code(const CompiledKernel& compiled, int64_t counted,
                                              const std::string& kernel, const support::Location& at);

// What logs, or machine code, tell of the kernel for the machine. A stack that the PTX has no need of, or beyond what
// its variables need where it calls nothing, is for spills.
// Usage errors where they do not belong to it: they are not about the kernel or about other architectures, tell other
// registers than the launch has, or other shared memory than the file declares.
support::Result<CompiledKernel> find_compiled(const CompiledKernels& all, const ir::Kernel& kernel,
                                              const ir::Launch& launch, const timing::Machine& machine);

// The same of logs, or, where there are none, of the machine code that devices of the machine run, if it has the
// kernel.
support::Result<std::optional<CompiledKernel>> find_compiled(const CompiledKernels& logs,
                                                             const CompiledKernels& machine_code,
                                                             const ir::Kernel& kernel, const ir::Launch& launch,
                                                             const timing::Machine& machine);

// The launch of that code.
void take_over(const CompiledKernel& compiled, ir::Launch& launch);

// The sentence that a result carries which rests on it.
std::string trust_in(const CompiledKernel& compiled);

}  // namespace warpspan::app
