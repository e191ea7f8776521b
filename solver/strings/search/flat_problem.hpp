// SPDX-License-Identifier: GPL-3.0-or-later
// A string problem written out.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspan::solver {

struct FlatProblem {
  std::vector<int> symbols;
  int64_t workers = 1;
  std::vector<int64_t> servers;
};

}  // namespace warpspan::solver
