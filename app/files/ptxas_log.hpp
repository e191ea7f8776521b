// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas prints of the kernels that it compiles: 'nvcc -Xptxas -v' and 'ptxas -v'.
//
//   ptxas info    : Compiling entry function 'k' for 'sm_80'
//   ptxas info    : Function properties for k
//       8 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem, 376 bytes cmem[0]
//
// What nvlink prints of code that it links, and the driver of code that it compiles (the "info" log of
// cuModuleLoadDataEx):
//
//   nvlink info    : Function properties for 'k':
//   nvlink info    : used 24 registers, used 0 barriers, 0 stack, 0 bytes smem, 364 bytes cmem[0], 0 bytes lmem
//
// These are the figures of the code that runs: they replace those that ptxas printed of k. They state no architecture
// and no spills; code without a stack has none. And what 'cuobjdump -res-usage' prints:
//
//   arch = sm_80
//    Function k:
//     REG:8 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:364 TEXTURE:0 SURFACE:0 SAMPLER:0
//
// Older versions write "48+0 bytes smem", where the sum counts, and lmem, which is taken as stack. What stands before
// "ptxas info" in a line, as log viewers add it, does not matter, nor do lines of other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/reports/run_record.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The kernels of the log; spills and the largest stack of functions that kernels may call, which the log does not
// assign to one, count for each kernel. Errors, as wrong use: a log without a kernel, one that is
// cut off or in which lines of several compilers are mixed, so that no one knows whose a line is, and figures that
// cannot be read.
support::Result<CompiledKernels> parse_ptxas_log(const std::string& name, std::string_view text);

// The kernels of all logs, which become inputs of the run; machine code instead of a log tells the same of its kernels.
// Errors of those that cannot be read are added.
CompiledKernels read_ptxas_logs(const std::vector<std::string>& paths, RunRecord& run, support::Diagnostics& errors);

}  // namespace warpspan::app
