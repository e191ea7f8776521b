// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of local memory in which a kernel stores what it has no registers for.
//
// Where R1 is set once, before all else, and then only addresses local memory, a number away, and where nothing else
// does or knows where the frame is, the words of it are like registers: each is what was stored there last. That is
// true of code that stays inside of its arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"

namespace warpspan::sass {

inline constexpr uint8_t stack_pointer = 1;  // R1

struct Frame {
  int64_t first = 0;  // byte that is accessed, from where R1 points
  int64_t bytes = 0;
};

// Nothing if the kernel accesses no local memory, or not as above.
std::optional<Frame> find_frame(const Code& code, const std::vector<CodeBlock>& blocks);

}  // namespace warpspan::sass
