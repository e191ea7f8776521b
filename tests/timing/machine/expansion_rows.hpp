// SPDX-License-Identifier: GPL-3.0-or-later
// The table of expansions in the program's source, read without the program's reader.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/split.hpp"

namespace warpspan::test {

// The counts of a form on an architecture.
struct ExpansionRow {
  int64_t architecture = 0;
  std::string opcode, types, modifiers, vector;
  std::vector<std::string> counts;  // registers, immediate, guarded: "3/0/1", or "-"
  std::string text;                 // of the row, with the architecture
};

struct ExpansionLines {
  std::vector<int64_t> architectures;
  std::vector<std::vector<std::string>> rows;  // opcode, types, modifiers, vector, then a cell for each architecture
};

inline ExpansionLines expansion_lines(const std::string& name = source_dir() +
                                                                "/timing/machine/data/expansions/ptx.tsv") {
  ExpansionLines lines;
  std::ifstream file(name);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = split(line, '\t');
    if (!lines.architectures.empty()) {
      lines.rows.push_back(cells);
      continue;
    }
    for (size_t i = 4; i < cells.size(); ++i) lines.architectures.push_back(std::stoll(cells[i]));
  }
  return lines;
}

inline std::vector<ExpansionRow> expansion_rows() {
  const ExpansionLines lines = expansion_lines();
  std::vector<ExpansionRow> rows;
  for (const std::vector<std::string>& cells : lines.rows) {
    std::string left = ".";
    for (size_t i = 0; i < lines.architectures.size(); ++i) {
      const std::string& cell = cells.at(4 + i);
      if (cell != "=") left = cell;
      if (left == ".") continue;
      const std::string text = std::to_string(lines.architectures[i]) + " " + cells[0] + " " + cells[1] + " " +
                               cells[2] + " " + cells[3] + " " + left;
      rows.push_back({lines.architectures[i], cells[0], cells[1], cells[2], cells[3], split(left, ' '), text});
    }
  }
  return rows;
}

}  // namespace warpspan::test
