// What a kernel is executed on, for an estimate of its time: nothing here has a part in a bound.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/execution/trace.hpp"

namespace warpspan::ir {

// What memory holds before a kernel is executed.
struct Contents {
  enum class Kind : uint8_t {
    zeros,
    integers,  // of 32 bits, drawn from 0 to `below` - 1; 0: from all
    reals,     // single-precision numbers, drawn from 0 to 1
    ramp,      // 0, 1, 2, ... as 32-bit words
    bytes,     // and zeros behind them
  };
  Kind kind = Kind::zeros;
  uint64_t seed = 0;  // of what is drawn
  uint32_t below = 0;
  std::shared_ptr<const std::string> bytes = nullptr;
};

struct ExecutionOptions {
  struct Pointed {
    std::string parameter;  // as Buffer::parameter
    Contents contents;
  };
  Contents contents;               // of memory that parameters point to
  std::vector<Pointed> pointed;    // what some point to instead
  int64_t most_steps = 4'000'000;  // of a block
};

// Executes one block, by its linear number in the grid; what it stores is there for those after it.
using BlockExecution = std::function<BlockTrace(int64_t)>;

}  // namespace warpspan::ir
