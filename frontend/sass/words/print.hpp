// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions as text for reports. The style is ours, near to that of NVIDIA's tools: "@!P0 BRA 0x1a0", "IADD3.X R1,
// R2, ~R3, RZ, P0, !PT".
#pragma once

#include <string>

#include "frontend/sass/words/instruction.hpp"

namespace warpspan::sass {

// One line without its end; "opcode 0x0fff" of one that is not known. Predicates that an instruction has no use for are
// left out: results that go to PT, and sources that are PT or !PT.
std::string to_string(const Instruction& instruction);

// "waits for scoreboards 0 2, then 4 cycles before the next; sets scoreboard 1 until written"; never empty.
std::string control_text(const Instruction& instruction);

// The same in few words and without the stall count: "wait 0 2, write 1, read 0, yield, reuse a b"; a, b and c are the
// sources by their places in the word. May be empty.
std::string wait_text(const Instruction& instruction);

// "TID.X", or "47" if the number has no name here.
std::string special_register_name(int64_t number);

}  // namespace warpspan::sass
