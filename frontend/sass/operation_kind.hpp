// The kind of operation that timing counts a machine instruction as.
#pragma once

#include <optional>

#include "frontend/sass/instruction.hpp"
#include "ir/kernel.hpp"

namespace warpspan::sass {

// nullopt: no row of operation_kinds.def has it.
std::optional<ir::OperationKind> operation_kind(const Instruction& instruction);

}  // namespace warpspan::sass
