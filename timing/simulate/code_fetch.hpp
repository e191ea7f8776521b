// SPDX-License-Identifier: GPL-3.0-or-later
// How machine instructions, and the constants that they read as operands, come to the warps of a multiprocessor: lines
// of code from a cache of the scheduler, one of the multiprocessor and the L2, with those behind them; lines of
// constants from two caches.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/simulate/figures.hpp"
#include "timing/simulate/recent.hpp"

namespace warpspan::timing {

class CodeFetch {
 public:
  // lines: of the code.
  CodeFetch(const SimulatedMachine& machine, size_t lines);

  // When a line is there for the warps of a scheduler.
  double fetch(double now, size_t scheduler, uint64_t line);
  // When a line of constants is there.
  double constant(double now, int64_t line);

 private:
  const CodeFigures<double>& figures_;
  std::vector<RecentlyUsed<double>> near_;  // by scheduler: line -> when it is there
  RecentlyUsed<double> lines_;
  RecentlyUsed<double> constants_, more_constants_;
  std::vector<bool> seen_;   // lines that were asked for before
  double last_arrival_ = 0;  // of lines that come from the L2
};

}  // namespace warpspan::timing
