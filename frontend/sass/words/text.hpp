// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code from the text that NVIDIA's disassemblers print with encodings: `nvdisasm -c -hex` and `cuobjdump
// -sass`. Only names, the architecture and the encodings are read, and the targets of indirect branches; the rest is
// decoded from the words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sass/words/instruction.hpp"
#include "support/result.hpp"

namespace warpspan::sass {

// Where an indirect branch may lead, by the comment of nvdisasm.
struct IndirectTargets {
  uint64_t offset = 0;            // of the branch
  std::vector<uint64_t> targets;  // byte offsets in the section, ordered
};

struct FunctionText {
  std::string name;      // mangled
  int architecture = 0;  // 80 of "sm_80", 90 of "sm_90a"
  std::vector<Word> words;
  std::vector<IndirectTargets> indirect_targets;
  int64_t line = 0;  // of the file, where it begins
};

// Whether a text looks like one of the two formats.
bool is_disassembly(std::string_view text);

// The functions in their order. Errors, with lines: no function; instructions without encodings, with what to run
// instead; offsets that do not go up by 16; no architecture; targets that are no label.
support::Result<std::vector<FunctionText>> read_disassembly(std::string_view text, const std::string& file);

}  // namespace warpspan::sass
