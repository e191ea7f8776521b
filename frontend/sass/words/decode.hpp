// SPDX-License-Identifier: GPL-3.0-or-later
// From machine words to instructions, for sm_70 and later. What a word means is in the tables of opcodes/; the layout
// that all instructions share (guard, control fields) was published with Mesa's compiler NAK and is checked against
// NVIDIA's disassembler by scripts/check-decoder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/sass/words/instruction.hpp"
#include "support/result.hpp"

namespace warpspan::sass {

// What becomes of a word that no row has, be it for its opcode or for a bit that nothing explains: an error, or an
// instruction that is not known() and must be taken to read and write everything.
enum class UnknownOpcodes : uint8_t { are_errors, are_kept };

// The instructions of a function's code that begins at `offset` of its section. Errors: an architecture that is not
// supported, words that no row explains whole (the first 20, each opcode once for each set of such bits, with its first
// word, the offset of that, its key and these bits).
support::Result<std::vector<Instruction>> decode(std::span<const Word> words, int architecture,
                                                 UnknownOpcodes unknown = UnknownOpcodes::are_errors,
                                                 uint64_t offset = 0);

// The same of bytes, little endian. Errors besides: a number of bytes that is no multiple of 16.
support::Result<std::vector<Instruction>> decode_bytes(std::span<const uint8_t> bytes, int architecture,
                                                       UnknownOpcodes unknown = UnknownOpcodes::are_errors,
                                                       uint64_t offset = 0);

// One instruction; not known() if no row has the word. The architecture is a supported one.
Instruction decode_word(const Word& word, int architecture, uint64_t offset);

}  // namespace warpspan::sass
