// SPDX-License-Identifier: GPL-3.0-or-later
// A function of a cubin made ready to be executed: its instructions and those of functions that it calls, where they
// may lead, its loops and its constants.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/object/cubin.hpp"
#include "frontend/sass/words/instruction.hpp"
#include "tests/reference/interpreter/control_graph.hpp"

namespace warpspan::machine_code {

// Bytes of a constant bank; those that are filled in by a loader, or that nothing is known about, have no value.
struct Bank {
  std::vector<uint8_t> bytes;
  std::vector<bool> known;

  void put(uint64_t offset, uint64_t value, unsigned size);
  void put(uint64_t offset, const std::vector<uint8_t>& values);
  // 1 to 8 bytes, the first the lowest; nothing if one of them is not known.
  std::optional<uint64_t> load(uint64_t offset, unsigned size) const;
};

// Where a launch finds its way into constant bank 0. Observed in code of ptxas 13.0.
struct BankLayout {
  uint32_t block = 0;       // three words
  uint32_t grid = 0;        // three words
  uint32_t stack = 0;       // the first value of the stack pointer
  uint32_t descriptor = 0;  // of global memory, 8 bytes; 0: none
  uint32_t local = 0;       // the generic address of local memory, 8 bytes
  uint32_t shared = 0;      // of shared memory; 0: a special register says it
  uint32_t parameters = 0;
};

struct Program {
  int architecture = 0;
  // Of whole sections, one behind the other as a loader might put them, filled in: number i at address 16 i. The
  // function's first, then those that relocations name, in the order in which they do.
  std::vector<sass::Instruction> instructions;
  std::set<uint32_t> unresolved;                      // numbers of those that are not filled in
  std::map<uint32_t, std::vector<uint32_t>> targets;  // of indirect branches, by number
  reference::ControlGraph graph;                      // of their numbers; calls come back behind them
  std::map<uint32_t, Bank> constants;                 // without bank 0
  BankLayout layout;

  // The number of the instruction at an address; nothing if there is none.
  std::optional<uint32_t> at(uint64_t offset) const;
};

// Errors: no such function, code that cannot be decoded, branches that leave it.
support::Result<Program> prepare(const object::Cubin& cubin, std::string_view function);

}  // namespace warpspan::machine_code
