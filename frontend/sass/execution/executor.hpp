// SPDX-License-Identifier: GPL-3.0-or-later
// Executes machine code, 32 lanes at a time, and tells what its warps did: ir/execution/trace.hpp. The traces are timed
// for an estimate; no bound rests on anything here.
//
// Blocks are executed when they are asked for, one after the other, each to its end; all share global memory. So a
// block that waits for one that was not executed before it never ends, and is given up after so many steps. What an
// instruction does that is not known here is to write zeros, which the trace says. Lanes that diverge execute one group
// after the other and become one where the code says so (convergence.hpp).
#pragma once

#include <memory>
#include <vector>

#include "frontend/sass/execution/launch_values.hpp"
#include "frontend/sass/execution/memory.hpp"
#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/program.hpp"
#include "frontend/sass/words/code.hpp"
#include "ir/execution/block_execution.hpp"
#include "ir/launch.hpp"
#include "support/result.hpp"

namespace warpspan::execution {

class Executor {
 public:
  // ids: by instruction of the code, that of the kernel which traces name; ir::no_instruction: it has none. The launch
  // has a block; without a grid there is one block. Errors: as of prepare_launch.
  static support::Result<std::unique_ptr<Executor>> make(std::shared_ptr<const sass::Code> code,
                                                         const std::vector<ir::InstructionId>& ids,
                                                         const ir::Launch& launch, const ir::ExecutionOptions& options);

  ir::BlockTrace run(int64_t block);

  // Global memory, with what was stored so far.
  Memory& memory() { return global_; }
  const Banks& banks() const { return launch_.banks; }
  const std::vector<ir::BlockExecution::Array>& arrays() const { return launch_.arrays; }

 private:
  Executor() = default;

  std::shared_ptr<const sass::Code> code_;
  ir::Extent block_, grid_;
  int64_t most_steps_ = 0, steps_ = 0;
  std::vector<std::string> assumed_;
  Memory global_;
  PreparedLaunch launch_;
  std::unique_ptr<Program> program_;
  std::vector<std::unique_ptr<Registers>> registers_;  // by warp of a block
};

}  // namespace warpspan::execution
