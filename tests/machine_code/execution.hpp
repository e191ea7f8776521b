// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code executed by the program and by the interpreter of these tests, on the same memory: what it leaves there,
// and how often each warp executed each instruction, must be the same.
#pragma once

#include <cstdint>
#include <string>

#include "tests/machine_code/interpreter/interpreter.hpp"

namespace warpspan::machine_code {

struct ExecutionCheck {
  enum class Verdict : uint8_t {
    agrees,
    differs,
    refused,  // by the interpreter
  };
  Verdict verdict = Verdict::agrees;
  std::string reason;
  uint64_t bytes = 0;  // of memory that were compared
  int64_t steps = 0;
};

// Whatever the launch says: lanes that branch go first, and what no thread has set, but global memory, holds 0.
ExecutionCheck check_execution(const std::string& cubin, const std::string& kernel, Launch launch,
                               const reference::Memory& initial);

}  // namespace warpspan::machine_code
