// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch puts into constant bank 0: its dimensions, and the bytes of the parameters, as far as they are known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/sass/execution/memory.hpp"
#include "frontend/sass/execution/program.hpp"
#include "ir/execution/block_execution.hpp"
#include "ir/launch.hpp"
#include "support/result.hpp"

namespace warpspan::execution {

struct PreparedLaunch {
  Banks banks;                                    // all that the code reads
  std::vector<ir::BlockExecution::Array> arrays;  // that parameters point to
};

// What parameters point to gets its contents in `global`. A parameter of 8 bytes that nothing is said of is taken for a
// pointer to memory of its own, and so is what a buffer names; others are 0; of a range the last value is taken.
// `assumed`: sentences of all this. Errors: an argument or contents for no parameter.
support::Result<PreparedLaunch> prepare_launch(const sass::Code& code, const ir::Launch& launch,
                                               const ir::ExecutionOptions& options, Memory& global,
                                               std::vector<std::string>& assumed);

}  // namespace warpspan::execution
