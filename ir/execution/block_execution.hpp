// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel is executed on, for an estimate of its time: nothing here has a part in a bound.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/execution/contents.hpp"
#include "ir/execution/trace.hpp"

namespace warpspan::ir {

struct ExecutionOptions {
  struct Pointed {
    std::string parameter;  // as Buffer::parameter
    Contents contents;
  };
  Contents contents;               // of memory that parameters point to
  std::vector<Pointed> pointed;    // of memory that some point to instead
  int64_t most_steps = 4'000'000;  // of a block
};

// A launch that is executed block by block, in any order.
struct BlockExecution {
  struct Array {
    std::string parameter;  // as MemoryObject::name
    uint64_t address = 0;
  };
  // Executes one block, by its linear number in the grid; what it stores is there for those after it.
  std::function<BlockTrace(int64_t)> run;
  // So many bytes of global memory from an address on, as they are by now.
  std::function<std::string(uint64_t, int64_t)> memory = {};
  std::vector<Array> arrays = {};  // that parameters point to, by ascending addresses unless these were given

  BlockTrace operator()(int64_t block) const { return run(block); }
};

}  // namespace warpspan::ir
