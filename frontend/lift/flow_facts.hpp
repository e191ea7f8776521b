// Control-flow facts of a kernel, found by lifting it to LLVM IR and asking LLVM's analyses. No LLVM type crosses this
// header. docs/lifting.md says how the lifting stays sound.
#pragma once

#include <vector>

#include "frontend/ptx/ast.hpp"
#include "ir/flow.hpp"
#include "support/result.hpp"

namespace warpspan::lift {

struct Facts {
  ir::Flow flow;
  // One entry per instruction of the kernel: the most memory lines (128 bytes; global, local, generic, constant,
  // parameter, texture spaces) or bank-conflict ways (shared memory: 32 banks of 4 bytes) that one access of one warp
  // touches, 1..32; 0 for instructions that do not access memory. Local memory lays the lanes' words side by side, so
  // there n words of a lane, at addresses that may differ among the lanes, count 32 n, up to 255.
  std::vector<uint8_t> transactions;
};

// Facts for the kernel `function` of `module`, whose calls are already expanded, and that ptx::lower made `kernel` of.
// Each shared body is a function by itself: its parameters, and what its calls get back, are unknown and may differ
// from lane to lane. Its loops come behind those of the bodies before it, and its blocks behind theirs in flow.order.
// launch.block must be set. Loops whose trip count LLVM cannot bound have none, with the obstacle told; bounds that the
// user gave are not applied here. Errors: arguments that name no parameter or do not fit it, irreducible control flow.
support::Result<Facts> find_facts(const ptx::Module& module, const ptx::Function& function, const ir::Kernel& kernel,
                                  const ir::Launch& launch);

}  // namespace warpspan::lift
