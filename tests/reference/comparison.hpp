// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel executed, and what warpspan says about it: no execution may exceed a bound.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::reference {

struct Experiment {
  std::string text;                              // a PTX file
  std::string kernel;                            // its name
  ir::Launch launch;                             // with a block; arguments are decimal integers
  std::vector<ir::Extent> blocks = {{0, 0, 0}};  // the numbers of the blocks to be executed
  int64_t most_steps = 200'000;                  // see Situation
  bool blocks_at_once = false;                   // likewise; then also in the order that starves a warp
  // What warpspan is told beside: of small arguments ranges that hold them, in place of their values; what variables
  // hold that nothing stores to, some of it as ranges.
  bool tells_ranges = false;
  bool tells_variables = false;
  std::string bodies = {};  // the same file with the bodies that it lacks, line by line; empty: it lacks none
};

struct Comparison {
  enum class Verdict : uint8_t {
    compared,
    refused,     // by warpspan: fine
    unreadable,  // warpspan found errors in the text itself
    unknown,     // the interpreter does not know an instruction
    faulted,     // an access was not aligned: compared up to there
    too_long,    // more steps than allowed: compared up to there
  };
  Verdict verdict = Verdict::compared;
  std::string reason;                   // of a verdict other than compared
  std::vector<std::string> violations;  // where an execution exceeded a bound
  // Bounds of one warp over the most that one executed: of all instructions, and of the pieces of all accesses.
  double looseness = 0;
  double looseness_of_pieces = 0;
  std::map<ir::TripCountSource, int> loops = {};  // how many loops are bounded by what
};

// What an experiment fixes, in terms of the interpreter.
Situation situation_of(const ptx::Module& module, const ptx::Function& entry, const Experiment& experiment);

// Executes the kernel in each of the orders, with data from the seed.
Comparison compare(const Experiment& experiment, uint64_t seed, const std::vector<Order>& orders);

}  // namespace warpspan::reference
