// A kernel's machine code, decoded, and what its file says of it: all that lowering needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/sass/instruction.hpp"
#include "ir/kernel.hpp"
#include "support/source_file.hpp"

namespace warpspan::sass {

// What errors and reports show: one line for each instruction of each kernel of a file.
struct Listing {
  std::shared_ptr<const support::SourceFile> source;
  uint32_t first_line = 1;        // of the kernel
  std::vector<uint32_t> offsets;  // by instruction, where its line begins
};

struct Code {
  // Where an indirect branch may lead, as the file says: offsets in the section.
  struct IndirectBranch {
    uint64_t offset = 0;
    std::vector<uint64_t> targets;
  };
  struct Parameter {
    int64_t offset = 0;  // in constant bank 0
    int64_t bytes = 0;
  };
  // Of the program that it was compiled from, as line tables say.
  struct SourceLine {
    uint16_t file = 0;  // index into source_files
    uint32_t line = 0;  // 0 if unknown
  };

  std::string file;      // that was read, for messages
  std::string name;      // of the kernel, as in the file
  int architecture = 0;  // 80
  // All of the section, subroutines too: instruction i is at offset i * word_bytes.
  std::vector<Instruction> instructions;
  std::vector<IndirectBranch> indirect_branches;
  std::vector<Parameter> parameters;  // in order
  ir::LaunchBounds launch_bounds;
  int64_t shared_bytes = 0;       // static, of a block, without what the system takes
  int64_t parameter_bytes = 0;    // of all parameters with padding
  int64_t barriers = 0;           // named barriers of a block
  std::vector<SourceLine> lines;  // by instruction; empty if the file has no tables
  std::vector<std::string> source_files;
  Listing listing;
};

}  // namespace warpspan::sass
