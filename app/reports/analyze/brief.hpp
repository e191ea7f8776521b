// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that are shown in short only: of thousands of kernels nobody keeps, and no run writes, what no format shows.
#pragma once

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// Takes away what no format shows without --explain, and no page: sentences of assumptions, costs of instructions,
// accesses, listing, PTX beside machine code, code, and all lines but the costliest and the first of each file.
void make_brief(KernelReport& kernel);

// Takes away what a gate does not show of a kernel whose budget holds, too: bound, expected time and machine stay.
void keep_headlines(KernelReport& kernel);

Assumed assumed_of(const KernelReport& kernel);

// What is shown is machine code, not PTX.
bool is_machine_code(const KernelReport& kernel);

}  // namespace warpspan::app
