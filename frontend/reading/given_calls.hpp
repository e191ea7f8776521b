// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of functions of a PTX file that a kernel calls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/recursion.hpp"
#include "frontend/ptx/syntax/ast.hpp"
#include "ir/flow.hpp"
#include "support/result.hpp"

namespace warpspan::frontend {

// By name, of functions without a body: how long a call takes by a kernel's launch, if it says so. Errors, usage: two
// times for one function.
support::Result<std::map<std::string, ir::CallTime>> call_times(const std::vector<std::string>& functions,
                                                                const ir::Launch& launch);

// The same of the module's functions without a body.
support::Result<ptx::CallFacts> call_facts(const ptx::Module& module, const ir::Launch& launch);

// What it says of the depth of functions, recursive or not. Errors, usage: two depths for one function.
support::Result<ptx::Depths> depths_of(const ptx::Module& module, const ir::Launch& launch);

// What a result assumes of recursive functions that the entry reaches.
std::vector<std::string> recursion_assumptions(const ptx::Module& module, const ptx::Function& entry,
                                               const ir::Launch& launch);

// The functions without a body that an expanded kernel calls, in the order of the calls.
std::vector<std::string> outside_functions(const ptx::Module& module, const ptx::Function& expanded);

// What a result assumes of functions without a body.
std::vector<std::string> call_assumptions(const std::vector<std::string>& functions, const ir::Launch& launch);

// What it assumes of its indirect calls, if there are any whose targets nothing lists.
std::optional<std::string> pointer_assumption(const ptx::Module& module, const ptx::Function& expanded);

// Whether it calls a function without a body that was given no time.
bool lacks_times(const ptx::Function& expanded);

}  // namespace warpspan::frontend
