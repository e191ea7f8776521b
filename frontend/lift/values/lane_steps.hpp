// SPDX-License-Identifier: GPL-3.0-or-later
// How far a value may move from one lane of a warp to the next: what is left of an index that borders clamp or wrap, of
// quotients, remainders and choices. What is known of them step_values.cpp proves.
#pragma once

#include <llvm/IR/Value.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace warpspan::lift {

// Places between lanes of a warp.
struct LaneCuts {
  // What an unknown place depends on: a value, what is asked of it (a divisor, or a kind of question), and the
  // alternative of its steps. Places with the same key are the same.
  using Key = std::tuple<const llvm::Value*, int64_t, size_t>;
  std::vector<uint32_t> known;      // by warp: bit i is between the lanes i - 1 and i; empty: none
  std::map<Key, unsigned> unknown;  // how many, at most

  unsigned runs() const;  // into which the lanes of a warp are cut, at most
  void add(const LaneCuts& other);
};

// The lanes of a warp that execute the value's definition together are cut into runs. Within each there are integers
// that are the value modulo 2^bits, and of two lanes i < j the integers are least * (j - i) - slack to
// most * (j - i) + slack apart.
struct LaneSteps {
  int64_t least = 0, most = 0;
  LaneCuts cuts = {};
  int64_t slack = 0;  // at least 0

  uint64_t widest() const;  // the farther of least and most from 0
};

}  // namespace warpspan::lift
