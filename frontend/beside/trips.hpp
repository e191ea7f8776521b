// SPDX-License-Identifier: GPL-3.0-or-later
// How often loops of machine code run, from the loops of the PTX that it was made of.
#pragma once

#include <optional>
#include <vector>

#include "frontend/beside/places.hpp"

namespace warpspan::beside {

struct LoopMatch {
  ir::LoopId loop = ir::no_loop;  // of the machine code
  ir::LoopId ptx = ir::no_loop;   // the loop of the PTX that it runs within one execution of
  uint32_t line = 0;              // of the PTX, of the branch that both are left by
  std::optional<int64_t> trips;   // as ir::Loop::trip_count, of the loop of the machine code; nothing: not known
  bool is_open = false;  // the loop of the PTX has no proven trip count; one that a user gives would tell `trips`
};
// By loop of the machine code.
using LoopMatches = std::vector<std::optional<LoopMatch>>;

// `code` is the machine code by lines of the PTX.
LoopMatches match_loops(const Places& code, const Places& ptx);

struct CarriedTrips {
  std::vector<LoopMatch> carried;       // that now count
  std::vector<LoopMatch> contradicted;  // below what the machine code is proven to run
};

// Gives loops of the machine code the trip counts of the PTX where these are smaller.
CarriedTrips carry_trips(const LoopMatches& matches, const ir::Flow& ptx, ir::Flow& flow);

// Says of blocks of the machine code that no warp executes them, where they have more accesses of one line than the
// loops of the PTX around it run iterations. Returns how many blocks.
size_t carry_unreached(const Places& code, const Places& ptx, const LoopMatches& matches, ir::Flow& flow);

}  // namespace warpspan::beside
