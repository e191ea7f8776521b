// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that was bounded, as pages show it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// Lines of the code of all kernels that a page has room for.
inline constexpr size_t most_code_of_page = 100'000;
// What stands in place of the code of the others.
std::string code_left_out();

// Its launch and headlines; the ladder; what the bound is made of; advice, code with the worst path through it, loops,
// accesses of memory, and all that it assumes. prefix: of names in the page, of its own for each kernel.
std::string kernel_sections(const KernelReport& kernel, const std::string& prefix, bool with_code = true);

// The code beside what it was compiled from, with what each line has of the bound; empty where the report has no code.
std::string code_section(const KernelReport& kernel, const std::string& prefix);

// Blocks as a graph, with the worst path marked; empty where the report has no code, or but one block.
std::string flow_section(const KernelReport& kernel, const std::string& prefix);

// Sentences with their identifiers, what the named ones mean, and what backs them.
std::string assumption_table(const std::vector<std::string>& sentences, const MachineSummary& machine);

}  // namespace warpspan::app
