// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions as nvdisasm spells them, for listings and messages. docs/sass.md tells what is spelled otherwise.
#pragma once

#include <string>

#include "frontend/sass/words/instruction.hpp"

namespace warpspan::sass {

// One line without its end: "@!P0 BRA 0x1a0", "ISETP.GE.AND P0, PT, R0, c[0x0][0x17c], PT"; "opcode 0x0fff" of one that
// is not known. Targets are offsets, as cuobjdump has them.
std::string spelled(const Instruction& instruction, int architecture);

}  // namespace warpspan::sass
