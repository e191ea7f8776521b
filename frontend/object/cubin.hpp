// SPDX-License-Identifier: GPL-3.0-or-later
// What a cubin says: its functions, their machine code, and what they need to run.
//
// A cubin is an ELF file (elf.hpp) with a section of code for each function and sections that belong to it by their
// names: .text.K, .nv.info.K, .nv.constant0.K, .nv.shared.K. There is no public description; docs/containers.md tells
// what was observed and how. All views are into the bytes that were read, and offsets in code count from its begin.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/object/architecture.hpp"
#include "frontend/object/attributes.hpp"
#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

// A place in code or constants that is filled in when the module is linked or loaded.
struct Relocation {
  uint64_t offset = 0;
  uint32_t type = 0;  // R_CUDA_*
  std::string_view symbol;
  std::optional<int64_t> addend;   // none: it stands at the place itself
  std::optional<size_t> function;  // in whose section the symbol is; none: in no section of code
  uint64_t value = 0;              // of the symbol: an offset in that section, not checked
  std::optional<size_t> variable;  // of Cubin::global_variables, that the symbol is
};

// Types of relocations: a whole address, in constants; of code the lower and the upper half of an address, as the
// immediate of an instruction, and the target of a call, up to sm_89 and from sm_90 on.
namespace relocation {
inline constexpr uint32_t whole = 2, low_half = 56, high_half = 57, call = 58, late_call = 75;
}

// Code in a function's section that has a symbol of its own and is reached by calls.
struct Subroutine {
  std::string_view name;
  uint64_t begin = 0, end = 0;          // begin <= end <= size of the code
  std::optional<uint32_t> frame_bytes;  // of its stack frame
};

struct Parameter {
  uint32_t ordinal = 0;
  uint32_t offset = 0;  // bytes from where parameters begin
  uint32_t size = 0;    // bytes
};

// Where in constant bank 0 parameters lie.
struct ParameterArea {
  uint32_t offset = 0;  // bytes
  uint32_t size = 0;    // bytes of all parameters, with padding
};

struct IndirectBranch {
  uint32_t offset = 0;            // of the instruction
  std::vector<uint32_t> targets;  // offsets in the code
};

// A figure that the file does not state is empty, never zero.
struct Function {
  std::string_view name;     // as in the file: mangled. Linking may leave several local functions with one name
  uint32_t section = 0;      // index of its section of code
  bool entry = false;        // a kernel; else it can only be called
  std::string_view code;     // of the whole section, with subroutines and padding
  uint64_t code_offset = 0;  // in the cubin
  std::vector<Subroutine> subroutines;      // by begin
  std::optional<uint32_t> registers;        // for each thread
  std::optional<uint32_t> frame_bytes;      // of its own stack frame
  std::optional<uint32_t> min_stack_bytes;  // with those of functions that it calls, each of them once if recursive
  std::optional<uint32_t> barriers;         // highest number of a named barrier and 1; 16 if a register has it
  uint64_t shared_bytes = 0;                // static; from sm_90 on, ptxas counts 1,024 that the system takes
  std::vector<Parameter> parameters;        // by ordinal
  std::optional<ParameterArea> parameter_area;
  std::optional<std::array<uint32_t, 3>> required_threads;  // .reqntid
  std::optional<std::array<uint32_t, 3>> max_threads;       // .maxntid
  std::optional<std::array<uint32_t, 3>> cluster_blocks;    // .reqnctapercluster
  bool explicit_cluster = false;                            // .explicitcluster: it is launched in clusters
  bool blocks_are_clusters = false;                         // .blocksareclusters: the launch counts clusters
  std::vector<uint32_t> exits;                              // offsets of EXIT
  std::vector<IndirectBranch> indirect_branches;
  std::vector<Relocation> relocations;
  std::vector<Attribute> other_attributes;  // whatever is not among the above
};

struct ConstantBank {
  uint32_t bank = 0;
  std::string_view name;           // of the function; empty: the bank is the module's
  std::optional<size_t> function;  // its index; none: of the module, or of no function that there is
  std::string_view bytes;
  std::vector<Relocation> relocations;
};

// A variable of the module in constant memory.
struct ConstantVariable {
  std::string_view name;
  uint32_t bank = 0;
  uint64_t offset = 0, bytes = 0;  // within the bank
};

// One in global memory.
struct GlobalVariable {
  std::string_view name;  // linking may leave several local variables with one name
  uint64_t bytes = 0;     // at least 1
};

struct Cubin {
  Architecture architecture;
  uint8_t abi_version = 0;
  bool relocatable = false;  // not linked yet: calls may lead out of it
  std::vector<Function> functions;
  std::vector<ConstantBank> constants;
  std::vector<ConstantVariable> constant_variables;
  std::vector<GlobalVariable> global_variables;  // those that relocations name
  std::vector<Attribute> other_attributes;       // of the module, those that the functions do not state
};

// Of what the assembler states as static shared memory, in bytes, what is not the system's: from sm_90 on it counts
// 1,024 more, if there is any (docs/containers.md).
int64_t without_reserved(int64_t architecture, int64_t shared_bytes);

// Static shared memory of a block, in bytes, without what ptxas counts for the system.
int64_t own_shared_bytes(const Cubin& cubin, const Function& function);

// All of a cubin but its debug data. Works for any architecture: instructions are not looked at. Attributes that are
// not known are listed. Errors: no cubin; sections, attributes, symbols or relocations that are cut short, reach out of
// their section or name what does not exist; a figure stated twice and differently.
support::Result<Cubin> read_cubin(const Input& input);

}  // namespace warpspan::object
