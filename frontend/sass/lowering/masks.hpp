// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of WARPSYNC that lanes have in registers: whether those of lanes that come jointly may differ.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"

namespace warpspan::sass {

enum class Masks : uint8_t {
  alike,
  // They may differ, and nothing behind them has answers that would tell: that lanes go on jointly is an assumption
  // (ir::masks_do_not_part).
  taken_alike,
  // They may differ, and a vote, reduction or match behind has an answer for each: lanes part.
  part_lanes,
};

Masks find_masks(const Code& code, const std::vector<CodeBlock>& blocks);

}  // namespace warpspan::sass
