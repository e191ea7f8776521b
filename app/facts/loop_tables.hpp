// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in a file of facts: [[kernel.loop]], with iterations, a time to wait, or both.
#pragma once

#include <string>

#include "app/facts/facts_table.hpp"
#include "ir/kernel_code.hpp"

namespace warpspan::app {

void read_loop_tables(FactsTable& table, ir::Launch& launch);

// All loops of the kernel: those without a bound to be filled in, the others in comments. What was given stands with
// the loops.
std::string write_loop_tables(const ir::KernelCode& code, const ir::Launch& given);

}  // namespace warpspan::app
