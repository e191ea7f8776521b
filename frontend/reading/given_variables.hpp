// SPDX-License-Identifier: GPL-3.0-or-later
// What the user states of variables of a PTX file, compared with the file.
#pragma once

#include "frontend/ptx/syntax/ast.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace warpspan::frontend {

// Gives the launch's globals the names that their variables have in the file: a user may also write them demangled.
// Errors: a name that no variable in global or constant memory has, or several; a variable that the file stores to.
support::Diagnostics name_globals(const ptx::Module& module, ir::Launch& launch);

// The initial bytes of those variables of a program that the file never stores to.
void add_initial_bytes(const ptx::Module& module, ir::Program& program);

}  // namespace warpspan::frontend
