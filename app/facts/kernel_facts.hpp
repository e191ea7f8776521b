// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about kernels, checked against the kernels that were read.
#pragma once

#include "app/facts/facts_file.hpp"
#include "app/facts/read_file.hpp"
#include "ir/kernel_code.hpp"

namespace warpspan::app {

// The facts behind those of the launch.
void add_facts(const Facts& facts, ir::Launch& launch);

// Whether some of the facts are for certain code only.
bool has_fingerprint(const Facts& facts);

// An error for each table for the kernel that was written for other code, or for other source lines of it and names
// loops by these: what has changed since.
support::Diagnostics refusal(const Facts& facts, const ir::KernelCode& code);

// A warning, with the first of the files, of each table that names no kernel of theirs.
void check_tables(const Facts& facts, const ReadFiles& files);

// Checks all facts of the launch, with those of files. Errors of loops come last.
void check_facts(const ir::Launch& launch, const ReadFiles& files);

}  // namespace warpspan::app
