// SPDX-License-Identifier: GPL-3.0-or-later
// Line number programs of DWARF 2 to 4 (DWARF 4, section 6.2), with the one addition of ptxas.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

struct FileName {
  std::string_view directory;  // may be empty
  std::string_view name;
};

struct LineRow {
  uint64_t offset = 0;  // where the code of this row begins; it ends where that of the next one does
  uint32_t file = 0;    // an index into the files of the table; `no_file`: not known
  uint32_t line = 0;    // from 1; 0: not known
  uint32_t column = 0;  // from 1; 0: not known
  // Where the code was inlined: a row of the same sequence, before this one. From the extended opcode 0x90 of ptxas,
  // whose first operand is the number of that row, from 1, or 0 (observed in output of ptxas 13.0, and held against
  // nvdisasm -gi).
  std::optional<uint32_t> inlined_at;

  static constexpr uint32_t no_file = ~uint32_t{0};
};

// Rows for one stretch of code, with offsets that do not fall.
struct LineSequence {
  std::vector<LineRow> rows;
  uint64_t end = 0;  // of the code of the last row

  // What begins the sequence: where in the section the address stands, which a relocation changes, and its value there.
  uint64_t address_place = 0;
  uint64_t address = 0;
};

struct LineProgram {
  std::vector<FileName> files;
  std::vector<LineSequence> sequences;
};

// All programs of a section, one after the other. Errors: a program that is cut short, of another version of DWARF, or
// whose addresses fall; a row that names a file or place of inlining that does not exist.
support::Result<LineProgram> read_line_programs(const Input& input, std::string_view section);

}  // namespace warpspan::object
