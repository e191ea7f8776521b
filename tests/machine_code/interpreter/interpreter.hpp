// SPDX-License-Identifier: GPL-3.0-or-later
// Executes machine code as a GPU would, 32 lanes at a time, and writes down what happened. Shares nothing with the
// analyses that it is there to check but the decoder and the reader of cubins. What pieces of accesses and turns of
// loops are, and the memory, are those of the interpreter of PTX (tests/reference).
//
// A kernel is executed block after block; warps of a block wait for each other at barriers. Lanes that part come
// together again where the code says so (BSYNC, WARPSYNC) and nowhere else: convergence.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "support/result.hpp"
#include "tests/machine_code/interpreter/program.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::machine_code {

struct Launch {
  ir::Extent block;
  ir::Extent grid;
  std::vector<ir::Extent> blocks = {{0, 0, 0}};  // the numbers of those to be executed
  std::vector<uint8_t> parameters;               // as they lie in the constant bank, from the first one on
  // Bytes of other constant banks, from their beginning on, instead of those of the cubin.
  std::map<uint32_t, std::vector<uint8_t>> constants;
  reference::Order order = reference::Order::taken_first;
  uint64_t seed = 0;                // of shared and local memory, of unset registers, of choices
  int64_t most_steps = 10'000'000;  // warp instructions, in all
  bool notes_accesses = false;      // Record::accesses
  bool notes_steps = false;         // Record::traces
  bool clears_registers = false;    // unset registers hold 0, as the analysis assumes
  bool clears_own_memory = false;   // shared and local memory hold zeros
  bool own_memory_alike = false;    // local memory holds the same for all lanes of a warp until they write there
  // Instructions that are not known here, such as those of matrices, leave their results as they are instead of ending
  // the run: for kernels in which nothing but numbers depends on them.
  bool passes_unknown = false;
};

enum class Space : uint8_t { global, shared, local };

// A lane's access to memory. Reads of constant banks are not among them, and have no pieces.
struct Access {
  uint32_t instruction = 0;  // its number: its offset is 16 times that
  uint32_t warp = 0;         // counted over all blocks that are executed
  uint32_t block = 0;        // likewise
  uint32_t request = 0;      // of the lanes that access together
  unsigned lane = 0;
  Space space = Space::global;
  uint64_t address = 0;  // in its space
  int bytes = 0;
};

// What a warp did, in order.
struct Step {
  uint32_t instruction = 0;  // its number
  uint16_t pieces = 0;       // of its access to memory
  bool is_executed = false;  // by some lane: its guard held
  bool in_shared = false;    // all of its access is to shared memory
  uint32_t nanoseconds = 0;  // for which it asks to sleep: of its lanes the longest
};
struct WarpTrace {
  // What the warp does behind its first `steps` steps, it does when that barrier of its block has opened. It has come
  // to the barrier when it has issued these steps.
  struct Wait {
    size_t steps = 0;
    uint32_t opening = 0;  // counted over all barriers of the block
  };
  std::vector<Step> steps;
  std::vector<Wait> waits;
};

struct Loop {
  uint32_t header = 0;     // number of the instruction
  int64_t most_turns = 0;  // of its header, for one lane, each time it is entered
};

struct Record {
  std::vector<reference::WarpRecord> warps;  // by number of the instruction: executions, and pieces of all together
  std::vector<int64_t> most_pieces;          // likewise: of one execution
  std::vector<bool> parted;                  // likewise: lanes of one warp went different ways
  std::vector<Loop> loops;
  int64_t steps = 0;
  std::vector<Access> accesses;  // if the launch asks for them
  uint32_t requests = 0;
  std::vector<WarpTrace> traces;  // if the launch asks for them
  // By warp and branch: where its lanes went, as numbers of instructions.
  std::vector<std::map<uint32_t, std::set<uint32_t>>> ways;
  // A group of lanes read a uniform register that others of its warp had changed meanwhile, elsewhere: what results
  // assume not to happen. ptxas lets groups use the same register, so they do not go on in turns at every step, and it
  // takes a register that is read before it is written for the same in all lanes.
  bool loses_uniform = false;
  std::string stopped;  // why it could not be executed to its end; what is there is of the steps before
};

Record run(const Program& program, const Launch& launch, reference::Memory& global);
// Stores go to `global`. Errors, with the instruction: one that is not known here, constants that nobody said, accesses
// that are not aligned, lanes that wait for ever, more steps than allowed.
support::Result<Record> execute(const Program& program, const Launch& launch, reference::Memory& global);

}  // namespace warpspan::machine_code
