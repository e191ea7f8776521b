// SPDX-License-Identifier: GPL-3.0-or-later
// A line of a listing of machine code, for reports.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/digits.hpp"

namespace warpspan::ir {

// A line of the program that code was compiled from, as line tables name it.
struct SourceLine {
  std::string file;
  uint32_t line = 0;

  bool operator==(const SourceLine&) const = default;
};

struct ListedInstruction {
  uint32_t line = 0;               // of the listing
  std::string function;            // whose section it is in
  uint64_t offset = 0;             // bytes from the begin of its section
  std::array<uint64_t, 2> word{};  // as it stands in the file, its first 8 bytes first
  std::string text;                // "@!P0 BRA 0x1a0"
  std::string control;             // its control fields in words: "4 cycles before the next"
  std::string waits;        // the same in few words, without the stall count: "wait 0 2, write 1, yield, reuse a"
  std::string source_file;  // as the line tables name it; empty, and line 0, if it is not known
  uint32_t source_line = 0;
  std::vector<SourceLine> calls = {};  // that its code was inlined for, the innermost first
  uint32_t ptx_line = 0;               // of the PTX that it was compiled from, as the line tables say; 0 if they do not
};

// "0x1a0"; of what lies in another section than the kernel's, "f+0x1a0".
inline std::string place_of(const ListedInstruction& listed, const std::string& kernel) {
  const std::string offset = "0x" + support::hexadecimal(listed.offset);
  return listed.function == kernel ? offset : listed.function + "+" + offset;
}

}  // namespace warpspan::ir
