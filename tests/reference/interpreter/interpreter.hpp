// SPDX-License-Identifier: GPL-3.0-or-later
// Executes kernels as a GPU would, 32 lanes at a time, and writes down what happened. Shares nothing with the analyses
// that it is there to check but the parser and the expansion of calls.
//
// Lanes that part reconverge at the immediate post-dominator of the branch, and not before. A kernel is executed block
// after block, or all blocks at once; warps of a block wait for each other at barriers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "tests/reference/interpreter/control_graph.hpp"
#include "tests/reference/interpreter/memory.hpp"
#include "tests/reference/interpreter/program.hpp"

namespace warpspan::reference {

// Which of a warp's parted lanes, and which warp of a block, moves next.
enum class Order : uint8_t {
  taken_first,   // a stack: the lanes that take the branch first
  fall_first,    // a stack: those that do not
  any_at_split,  // any group, and then that one until it parts, joins or waits
  any_at_step,   // any group at every step
  starved,       // one warp moves past an atomic operation only when others have written since its last one
};

inline const std::vector<Order> all_orders = {Order::taken_first, Order::fall_first, Order::any_at_split,
                                              Order::any_at_step};

struct Situation {
  ir::Extent block;
  ir::Extent grid;
  std::vector<ir::Extent> blocks = {{0, 0, 0}};  // the numbers of those to be executed
  std::map<uint32_t, uint64_t> arguments;        // by parameter; others get a value from the seed
  Order order = Order::taken_first;
  uint64_t seed = 0;             // of memory, of unset registers, of choices
  int64_t most_steps = 200'000;  // warp instructions, in all
  bool notes_places = false;     // Record::places
  bool blocks_at_once = false;   // else one after another
};

// A lane's access to global memory.
struct AccessPlace {
  uint32_t step = 0;
  uint32_t warp = 0;     // counted over all blocks that are executed
  uint32_t block = 0;    // likewise
  uint32_t request = 0;  // of the lanes that access together
  uint64_t address = 0;
  int bytes = 0;
  unsigned lane = 0;
};

struct WarpRecord {
  std::vector<int64_t> executed;  // by step
  std::vector<int64_t> pieces;    // by step: of all its executions together
};

struct Record {
  enum class Outcome : uint8_t { finished, faulted, too_long };
  Outcome outcome = Outcome::finished;
  std::vector<WarpRecord> warps;
  std::vector<int64_t> most_pieces;  // by step: of one execution
  std::vector<bool> parted;          // by step: lanes of one warp went different ways
  std::vector<int64_t>
      most_turns;  // by loop of the control graph: of its header, for one lane, each time it is entered
  int64_t steps = 0;
  uint64_t cycles = 0;              // what clocks tell
  std::vector<AccessPlace> places;  // if the situation asks for them
  uint32_t requests = 0;
};

struct Subject {
  const ptx::Module& module;
  const ptx::Function& entry;  // its calls inlined
  const Program& program;
  const ControlGraph& graph;
  const std::vector<uint64_t>& places;  // see lay_out
  std::set<int64_t> hidden = {};        // lines of bodies that the analysis does not see
};

Record execute(const Subject& subject, const Situation& situation);
// On global memory of the caller, which then holds what was stored.
Record execute(const Subject& subject, const Situation& situation, Memory& global);

}  // namespace warpspan::reference
