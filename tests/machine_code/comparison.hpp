// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel as PTX and as machine code, executed by both interpreters with the same launch on the same memory: what it
// leaves in memory must be the same.
#pragma once

#include <cstdint>
#include <string>

#include "tests/machine_code/arguments.hpp"

namespace warpspan::machine_code {

struct Comparison {
  enum class Verdict : uint8_t {
    agrees,
    differs,
    refused,     // by the interpreter of machine code
    unreadable,  // the PTX or the cubin could not be prepared, or the PTX not be executed
  };
  Verdict verdict = Verdict::agrees;
  std::string reason;
  uint64_t bytes = 0;  // of memory that were compared
  Record record;       // of the machine code
  reference::Record of_ptx;
};

Comparison compare(const std::string& ptx, const std::string& cubin, const Case& which, reference::Order order);

}  // namespace warpspan::machine_code
