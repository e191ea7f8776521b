// The kind of operation that timing counts a machine instruction as.
#pragma once

#include <optional>
#include <string>

#include "frontend/sass/words/instruction.hpp"
#include "ir/kernel.hpp"

namespace warpspan::sass {

// By which machine files and operation_kinds.def know it: its mnemonic, "BAR.RED" or "MATCH.64".
std::string operation_name(const Instruction& instruction);

// nullopt: no row of operation_kinds.def has it.
std::optional<ir::OperationKind> operation_kind(const Instruction& instruction);

// What an instruction does to texels, where its kind does not tell: of surfaces.
std::optional<ir::AccessClass> texel_access(const Instruction& instruction);

}  // namespace warpspan::sass
