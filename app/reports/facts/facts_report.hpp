// What 'warpspan facts' has found: what is known of kernels, and what only their users can know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel_code.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// Of a function without a body.
struct FunctionTime {
  std::string function;
  std::string time;  // of one call of a warp, as it was given; empty if it was not
};

// Of a recursive function.
struct FunctionDepth {
  std::string function;
  std::optional<int64_t> depth;  // as it was given
};

struct KernelFactsReport {
  std::string file;
  ir::KernelCode code;                   // with fingerprint
  std::vector<ir::Argument> arguments;   // that were given for its parameters
  std::vector<ir::Argument> globals;     // likewise for variables
  std::vector<ir::Buffer> buffers;       // likewise
  std::vector<FunctionTime> calls;       // of all functions without a body, in the order of the calls
  std::vector<FunctionDepth> recursion;  // that were given, and that are needed besides, in the order of the calls
};

struct FactsReport {
  std::vector<KernelFactsReport> kernels;  // in the order of the files and of the kernels in them
  support::Diagnostics errors;             // in the order of the files; loops without a bound are none
};

// Loops that one entry of a file of facts is for: those of one source line, or of one label.
struct LoopGroup {
  std::string place;                   // as such a file names them: "kernel.cu:42", "$L__BB0_2", "line:63"
  std::vector<const ir::Loop*> loops;  // in the order of the kernel
  // The bound that was given for all of them that have none proven; 0 if there is none.
  int64_t given = 0;
  bool has_bounds = false;  // each has a proven one: nothing is to be given
  bool may_follow = false;  // each of the others depends on parameters and the grid alone
};

// All loops of the kernel, each in one group; those that were given different bounds are not in one.
std::vector<LoopGroup> loop_groups(const std::vector<ir::Loop>& loops);

}  // namespace warpspan::app
