// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel accesses global memory, in words.
#pragma once

#include <cstddef>
#include <string>

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// What the access touches over the whole launch: "dense, 4 MiB, each line once", "gather, 2 MiB (--buffer)",
// "unknown".
std::string touched(const MemoryAccess& access, const KernelReport& kernel);

// How many of the accesses are dense, a table of at most `most` rows, the costliest first: line, instruction (with how
// many of them are alike), object and what it touches; and the arrays whose size --buffer may tell. Empty without
// accesses.
std::string access_table(const KernelReport& kernel, size_t most, size_t width);

}  // namespace warpspan::app
