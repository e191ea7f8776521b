// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two parsed modules say the same, wherever it stands in their files.
#pragma once

#include <string>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::test {

// The first thing in which they differ, in words; empty if there is none. Compared are all nodes but offsets in the
// file, positions that no instruction has, and names that only blocks tell apart (see FunctionNames).
std::string difference(const ptx::Module& a, const ptx::Module& b);

// What printing a module and reading that again changes, or what else is wrong with it; empty if nothing is. Printed
// again, the text has to be the same.
std::string changed_by_printing(const ptx::Module& module);

}  // namespace warpspan::test
