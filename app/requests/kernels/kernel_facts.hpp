// Facts about kernels, held against the kernels that were read.
#pragma once

#include <vector>

#include "app/requests/kernels/facts_file.hpp"
#include "app/requests/kernels/kernel_files.hpp"
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
void judge_facts(const Facts& facts, std::vector<KernelFile>& files);

}  // namespace warpspan::app
