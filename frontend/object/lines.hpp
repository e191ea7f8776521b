// SPDX-License-Identifier: GPL-3.0-or-later
// Where in the sources an instruction comes from: lines of the program and of the PTX that it was compiled to.
//
// With -lineinfo or -G, a cubin holds .debug_line, a line table of DWARF 2 for the sources, .nv_debug_line_sass, a
// table of the same format for the PTX, and that PTX in .nv_debug_ptx_txt, with a number behind it in linked cubins.
// Observed in output of ptxas and nvlink 13.0, and held against nvdisasm -gi and -gp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "frontend/object/line_program.hpp"
#include "support/result.hpp"

namespace warpspan::object {

// Rows for code of one function, with offsets from the begin of its section.
struct FunctionLines {
  std::string_view function;
  uint32_t section = 0;         // index of its section of code: a name may be that of several
  uint64_t begin = 0, end = 0;  // of the code
  std::vector<LineRow> rows;

  // The row that an instruction belongs to: of several for one offset, the last; null if the offset is in none.
  const LineRow* row_at(uint64_t offset) const;
};

struct LineTable {
  std::vector<FileName> files;
  std::vector<FunctionLines> functions;  // by section, then begin; one function may have several
  uint64_t without_function = 0;         // sequences left out, since nothing says what code they are for

  // The lines that an instruction belongs to, by the section of its function; null if the table has none. Takes
  // logarithmic time.
  const FunctionLines* find(uint32_t section, uint64_t offset) const;
};

struct PtxText {
  std::string_view name;  // of its section
  std::vector<std::string_view> lines;
};

struct Lines {
  LineTable source;
  LineTable ptx;  // its files are the names of `texts`
  std::vector<PtxText> texts;

  // The line of PTX that a row of `ptx` names; empty if there is none.
  std::string_view ptx_line(const LineRow& row) const;
};

// The tables of a cubin; empty if it has none. Errors: those of read_line_programs; relocations of the tables that are
// malformed or lead out of the code.
support::Result<Lines> read_lines(const Input& cubin);

}  // namespace warpspan::object
