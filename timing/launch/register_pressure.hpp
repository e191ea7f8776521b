// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a kernel's values fit the registers that its threads may have. How much code the assembler spills to local
// memory, and into which loops, cannot be known from PTX: a kernel that may spill is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct RegisterLimit {
  int64_t registers = 0;  // of a thread, 32 bits each
  std::string reason;     // ".maxnreg"
};

// The registers that the assembler gives a thread: the least of what the machine can address, what the launch is
// declared to have (ir::Launch::registers: code that has them cannot use more), .maxnreg, and what is left when as many
// blocks as .minnctapersm (1 if absent) of as many threads as .reqntid or .maxntid have their warps on the schedulers
// of a multiprocessor. Bounds that the machine has no room for are not kept by the assembler either, and left out.
RegisterLimit register_limit(const ir::LaunchBounds& bounds, const ir::Launch& launch, const Machine& machine);

struct RegisterNeed {
  int64_t registers = 0;  // of a thread
  uint32_t line = 0;      // in the file that was read: of the instruction where they are needed
};

// An estimate, on the safe side for all but a few kernels (docs/machines.md, "Registers"). Requires an instruction.
RegisterNeed register_need(const ir::Kernel& kernel, const ir::Launch& launch);

// The error if a kernel needs more than the limit.
std::optional<support::Diagnostic> spill_error(const ir::Kernel& kernel, const ir::Launch& launch,
                                               const Machine& machine);

// The sentence that a result rests on, as far as registers go. assumed: Assumption::no_spills. Errors: spill_error,
// unless assumed.
support::Result<std::string> spill_assumption(const ir::Kernel& kernel, const ir::Launch& launch,
                                              const Machine& machine, bool assumed);

}  // namespace warpspan::timing
