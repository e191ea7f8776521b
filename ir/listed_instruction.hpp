// A line of a listing of machine code, for reports.
#pragma once

#include <cstdint>
#include <string>

namespace warpspan::ir {

struct ListedInstruction {
  uint32_t line = 0;             // of the listing
  uint64_t offset = 0;           // bytes from the begin of its section
  std::string text;              // "@!P0 BRA 0x1a0"
  std::string control;           // its control fields in words: "4 cycles before the next"
  std::string source_file = {};  // as the line tables name it; empty, and line 0, if it is not known
  uint32_t source_line = 0;
  uint32_t ptx_line = 0;  // of the PTX that it was compiled from, as the line tables say; 0 if they do not
};

}  // namespace warpspan::ir
