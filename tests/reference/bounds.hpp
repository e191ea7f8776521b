// SPDX-License-Identifier: GPL-3.0-or-later
// What warpspan says about a kernel, in the numbers that an execution can be held against.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::reference {

// Instructions are told apart by their lines in the file: of a function that is called from several places the analysis
// may keep one body, while the interpreter has a copy for each.
struct Bounds {
  std::array<int64_t, ir::unit_classes> of_class{};  // instructions of one warp
  int64_t of_all = 0;
  int64_t of_string = 0;         // the length of the worst string
  int64_t pieces = 0;            // of memory accesses of one warp
  std::vector<int64_t> of_line;  // executions of what stands in a line
};

// Nothing if the totals exceed 64 bits.
std::optional<Bounds> bounds_of(const frontend::AnalyzedKernel& analyzed);

// One sentence for everything in the record that exceeds what is said of the kernel.
std::vector<std::string> violations(const frontend::AnalyzedKernel& analyzed, const Bounds& bounds,
                                    const Subject& subject, const Record& record);

}  // namespace warpspan::reference
