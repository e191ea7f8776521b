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

// Executes one block, by its linear number in the grid; what it stores is there for those after it.
using BlockExecution = std::function<BlockTrace(int64_t)>;

}  // namespace warpspan::ir
