// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's machine code, decoded, and what its file says of it: all that lowering needs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/sass/words/instruction.hpp"
#include "ir/kernel.hpp"
#include "support/source_file.hpp"

namespace warpspan::sass {

// What errors and reports show: one line for each instruction of each kernel of a file, and of what they call.
struct Listing {
  std::shared_ptr<const support::SourceFile> source;
  std::vector<uint32_t> lines;    // by instruction
  std::vector<uint32_t> offsets;  // by instruction, where its line begins
};

struct Code {
  // Where an indirect branch may lead, as the file says.
  struct IndirectBranch {
    uint64_t offset = 0;
    std::vector<uint64_t> targets;
  };
  struct Parameter {
    int64_t offset = 0;  // in constant bank 0
    int64_t bytes = 0;
    std::string name = {};  // empty: as nvcc would make it up
  };
  // A variable in constant memory of which something is given.
  struct Variable {
    std::string name;
    int64_t bank = 0, offset = 0, bytes = 0;
  };
  // A variable in global memory whose address the code reads from a constant bank.
  struct GlobalVariable {
    std::string name;
    int64_t bytes = 0;
  };
  // A function's section of code. They lie one behind the other.
  struct Section {
    std::string name;  // of the function
    uint32_t first = 0, count = 0;
  };
  // What an instruction gets when the file is loaded.
  struct Reference {
    enum class Kind : uint8_t {
      unknown,
      call,  // an absolute call of an instruction
      low_half,
      high_half,  // of its address, as a number
    };
    Kind kind = Kind::unknown;
    uint32_t target = 0;  // instruction
    friend bool operator==(const Reference&, const Reference&) = default;
  };
  // Of the program that it was compiled from, as line tables say.
  struct SourceLine {
    uint16_t file = 0;  // index into source_files
    uint32_t line = 0;  // 0 if unknown
  };

  std::string file;      // that was read, for messages
  std::string name;      // of the kernel, as in the file
  int architecture = 0;  // 80
  // All of the sections, subroutines too. Instruction i is at offset i * word_bytes, counted through all of them, as
  // are targets.
  std::vector<Instruction> instructions;
  std::vector<Section> sections;             // the kernel's, then those of functions that it may call
  std::map<uint32_t, Reference> references;  // by instruction
  // What is not in the file: symbols whose addresses constants get when it is loaded, by bank and offset, and the
  // functions that CALL.ABS calls, by instruction.
  std::map<std::pair<int64_t, int64_t>, std::string> function_addresses;
  std::map<uint32_t, std::string> outside_calls;
  // How long a call of such a function takes, by name; calls of others are refused.
  std::map<std::string, ir::CallTime> call_times;
  // Functions of the kernel's own section whose offsets stand in its constant bank 2: a pointer to a function is a
  // place in that bank. And the calls through registers that are loaded from there, with the first instructions of the
  // functions that they may lead to: of any, unless the PTX tells (frontend/pointer_targets.hpp).
  struct PointedFunction {
    uint32_t first = 0;  // instruction
    std::string name;    // of the PTX; empty: its symbol does not tell
  };
  std::vector<PointedFunction> pointed_functions;
  std::map<uint32_t, std::vector<uint32_t>> pointer_calls;
  std::vector<IndirectBranch> indirect_branches;
  std::vector<Parameter> parameters;  // in order
  std::vector<Variable> variables;
  std::vector<GlobalVariable> global_variables;
  // By bank and offset of 64 bits: which of them gets its address there when the file is loaded.
  std::map<std::pair<int64_t, int64_t>, uint32_t> variable_addresses;
  ir::LaunchBounds launch_bounds;
  int64_t shared_bytes = 0;                        // static, of a block, without what the system takes
  int64_t parameter_bytes = 0;                     // of all parameters with padding
  std::map<int64_t, int64_t> constant_bytes = {};  // by bank of constants: how many there are
  // What is in them, but for bank 0 and what is filled in when the file is loaded.
  std::map<int64_t, std::shared_ptr<const std::string>> constants = {};
  // Words of banks that no one but the compiler fills, by bank and offset, without what is filled in when it is loaded.
  std::map<std::pair<int64_t, int64_t>, uint32_t> own_constants = {};
  int64_t barriers = 0;           // named barriers of a block
  std::vector<SourceLine> lines;  // by instruction; empty if the file has no tables
  std::vector<std::string> source_files;
  Listing listing;

  // Where an instruction stands.
  const Section& section_of(uint32_t instruction) const;
  // Whether it calls the system's report of a failed assertion, which ends the kernel.
  bool reports_failed_assertion(uint32_t instruction) const;
  // How long the call takes of what is not in the file; null for all else, and if that is not known.
  const ir::CallTime* call_time(uint32_t instruction) const;
  // "0x1a0" in the kernel, "function+0x1a0" in what it calls.
  std::string place_of(uint32_t instruction) const;
};

}  // namespace warpspan::sass
