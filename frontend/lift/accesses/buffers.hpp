// SPDX-License-Identifier: GPL-3.0-or-later
// What the user states of the memory that parameters point to.
#pragma once

#include <optional>

#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::lift {

// The size given for an object of a parameter, by its name or, for a whole parameter, its index. Of several the least.
std::optional<int64_t> buffer_bytes(const ir::Launch& launch, const ir::Variable& parameter, int64_t offset);

// Errors: sizes below 1. A buffer that names no pointer of the kernel is no error here; whoever reads it from the user
// reports it, since it may be for another kernel.
support::Diagnostics check_buffers(const ir::Launch& launch);

// Errors: accesses that are sure to leave a buffer of the size given, and loops that are proven to run more often than
// it lets them. None for a program of several bodies.
support::Diagnostics check_against_buffers(const ir::Program& program, const ir::Launch& launch, const ir::Flow& flow);

}  // namespace warpspan::lift
