// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel's code lies, as far as PTX tells: how many lines its segments can touch, and how many a warp comes to.
#pragma once

#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"
#include "timing/costs/cost.hpp"

namespace warpspan::timing {

// Lines that so many machine instructions one after another touch at most, wherever they begin.
support::Integer lines_of(support::Integer instructions, int64_t instructions_per_line);

inline constexpr int64_t machine_instruction_bytes = 16;

// Of its code, at least one: each may lie anywhere.
int64_t sections_of(const ir::Kernel& kernel);

// Pages that code of so many bytes may lie on, in so many sections.
support::Integer pages_of_code(support::Integer bytes, int64_t sections, int64_t page_bytes);

// The most that a warp executes.
struct CodePath {
  support::Integer instructions;             // machine instructions
  support::Integer lines;                    // segments of code, by lines: a line counts each time the warp comes to it
  std::vector<support::Integer> persistent;  // the same for each number of lines of `keep`; at most `lines`
  // Of these, at most: where lanes that are apart do not push out the line that others run; and of those the ones that
  // do not follow the line before.
  std::vector<support::Integer> undisturbed, jumps;
  support::Integer occupied;           // cycles for which it occupies resources behind the issue slot, of all added up
  support::Integer longest_occupancy;  // of one instruction, of one of them
};

struct CodeLayout {
  support::Integer instructions;  // machine instructions of the whole kernel
  support::Integer lines;         // that they touch at most
  support::Integer segments;      // of code that is run in one go: other lines follow the line before
  int64_t sections = 1;           // sections_of
  bool waits_for_warps = false;   // it has a barrier, at which a warp waits for others
  bool calls_outside = false;     // it calls functions without a body, whose code is of unknown size
  bool is_exact = false;          // it is machine code: that of PTX may have fewer instructions
  bool is_placed = false;         // and its lines are known
  CodePath path;
};

// keep: a loop whose code has at most so many lines counts each of them once for each time the loop is entered, one
// entry of CodePath::persistent each. Requires trip counts for all loops. Nothing if the kernel never ends.
std::optional<CodeLayout> code_layout(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                      int64_t instructions_per_line, const std::vector<int64_t>& keep);

}  // namespace warpspan::timing
