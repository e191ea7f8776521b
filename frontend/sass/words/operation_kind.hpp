// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of operation that timing counts a machine instruction as.
#pragma once

#include <optional>
#include <string>

#include "frontend/sass/words/instruction.hpp"
#include "ir/kernel.hpp"

namespace warpspan::sass {

// By which machine files and operation_kinds.def know it: its mnemonic, and what tells forms of it apart that cost
// differently: "BAR.RED", "MATCH.64", "CCTL.ALL", "UBLKCP.S.G", "TEX.2D", which cubes are counted as.
std::string operation_name(const Instruction& instruction);

// Of what a warp group multiplies, as the word says; 0 for other instructions.
uint64_t columns_multiplied(const Instruction& instruction);

// nullopt: no row of operation_kinds.def has it.
std::optional<ir::OperationKind> operation_kind(const Instruction& instruction);

// What an instruction does besides what its kind tells.
ir::OperationFacts operation_facts(const Instruction& instruction);

// Of a load or a copy: the L2 cache fetches 256 bytes where it does not have them.
bool fetches_two_lines(const Instruction& instruction, int architecture);

// An atomic or a reduction on floating-point numbers.
bool is_atomic_on_floats(const Instruction& instruction);

// Of CCTL: no line is named.
bool is_of_whole_cache(const Instruction& instruction);

// Of SYNCS.ARRIVE: it returns no state, and so may be at a barrier object of another block of the cluster.
bool may_arrive_elsewhere(const Instruction& instruction);

}  // namespace warpspan::sass
