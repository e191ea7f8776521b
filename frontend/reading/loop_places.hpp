// SPDX-License-Identifier: GPL-3.0-or-later
// Where the loops of a kernel stand, in the file that was read and in the program it was compiled from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::frontend {

// Gives each loop its place in the program that the kernel was compiled from, and says whether it tests last.
//
// A compiler gives the branch that decides on another iteration the line of the loop's statement, `for` or `while`, and
// the other branches those of the statements inside. So a loop has the line of
// - a branch back to its header that may leave the loop, if there is one (optimized code tests last);
// - else the branch at the end of the header, if it may leave the loop (code for debuggers tests first).
// A loop that is only left in its middle has no line: those of its header and of the branch back may be of another
// loop, which was inlined or unrolled there. Of several branches it is the smallest line. Line 0, which compilers write
// for code of no line, counts as none.
void find_source_places(const ir::Kernel& kernel, ir::Flow& flow);

// Where a function is called.
struct CallPlace {
  uint32_t line = 0;  // in the file that was read
  std::string source_file;
  uint32_t source_line = 0;  // 0 if it is not known
};

// Of a call in the body that is at an offset in its file; position: of its instruction.
CallPlace place_of_call(const ptx::Module& module, const ptx::Function& body, uint32_t offset, uint32_t position);

// Where the header of a loop stands in the file that was read.
struct HeaderPlace {
  uint32_t first_line = 0, last_line = 0;  // from its first label to its first instruction
  uint32_t offset = 0;                     // of its first instruction; of the kernel's name if it has none
  std::vector<std::string_view> labels;    // all that stand there
  std::vector<CallPlace> calls;            // that the code there was copied for, the innermost first
};

// By loop, and gives each loop a label that stands there and the calls that its function was copied for. `function` is
// an expanded kernel of the module; the instructions of the kernel are its own and, behind them, those of the bodies
// that it shares.
std::vector<HeaderPlace> find_header_places(const ptx::Module& module, const ptx::Function& function,
                                            const ir::Kernel& kernel, ir::Flow& flow);

// Whether the place of a bound is one of the loop.
bool names_loop(const ir::LoopBound& bound, const ir::Loop& loop, const HeaderPlace& header);

}  // namespace warpspan::frontend
