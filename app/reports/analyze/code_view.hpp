// SPDX-License-Identifier: GPL-3.0-or-later
// The code of a kernel in full, as pages show it: its lines with what they have of the bound, its blocks, and the files
// that it was compiled from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// What a line has in the headline bound: timing::InstructionCost, of all its instructions.
struct LineCost {
  std::string file;  // the source file, or the file that was read where nothing is known of a source
  int64_t line = 0;
  int64_t executions = 0;  // of the instruction of the line that is executed most
  int64_t own = 0, others = 0;
  std::string resource;
  std::string text;  // of the line, without the blanks around it; empty if its file cannot be read
  std::string path =
      {};  // where `file` is found, from the folder the program runs in if it is below; `file` if it is not

  int64_t cycles() const { return own + others; }
};

// An instruction of machine code, or a line of PTX that has some.
struct ViewedLine {
  int64_t line = 0;   // of the listing, or of the PTX
  std::string place;  // "0x1a0"; of PTX the line
  std::string text;
  std::string source_file;  // as the line tables name it; empty, and line 0, if it is not known
  int64_t source_line = 0;
  int64_t executions = 0;       // by one warp, on the path with the most cycles
  int64_t own = 0, others = 0;  // cycles of the bound, as LineCost; 0 without one
  std::string resource = {};    // with most of `others`

  int64_t cycles() const { return own + others; }
};

struct ViewedBlock {
  std::string label;            // empty if the block has none
  int64_t first = 0, last = 0;  // lines of its instructions; 0 without any
  std::string begins, ends;     // their places
  std::vector<uint32_t> successors;
  ir::LoopId loop = ir::no_loop;  // the innermost
  bool is_executed = true;
  int64_t executions = 0;  // by one warp, of its instruction that is executed most; 0: not on the worst path
  int64_t cycles = 0;      // of the bound
};

struct CodeView {
  bool is_machine_code = false;
  std::vector<ViewedLine> lines;    // in the order of the code
  std::vector<LineCost> costs;      // of lines of the source, the innermost of inlined code
  std::vector<ViewedBlock> blocks;  // as ir::Kernel::blocks
  std::vector<uint32_t> order;      // ir::Flow::order
  struct Source {
    std::string file, path;  // as the line tables name it, and where it was found
    std::shared_ptr<const support::SourceFile> text;
  };
  std::vector<Source> sources;  // those that could be read, by their names
};

}  // namespace warpspan::app
