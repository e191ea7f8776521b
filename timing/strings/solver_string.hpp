// SPDX-License-Identifier: GPL-3.0-or-later
// Instruction strings as the solver reads them.
#pragma once

#include "ir/instruction_string.hpp"
#include "solver/makespan/problem.hpp"

namespace warpspan::timing {

// The same string with its repetitions kept; class k is the unit class of that number.
solver::String to_solver_string(const ir::InstructionString& string);

}  // namespace warpspan::timing
