// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated runs of a kernel's machine code, against the bounds of the machine code and of its PTX on each rung.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "tests/machine_code/timing/kernels.hpp"
#include "tests/machine_code/timing/slowest.hpp"
#include "timing/bounds/ladder.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::machine_code {

struct TimedCheck {
  std::string refused;      // why there is no comparison; empty: there is one
  std::string ptx_refused;  // why the PTX has no bound; empty: it has
  int64_t runs = 0, warp_instructions = 0;
  // By rung: the largest run over its bound, of single warps or of blocks of several.
  std::map<std::string, double> nearest, nearest_of_several;
  std::map<std::string, double> nearest_slowest;  // likewise of the program's own slowest runs
  std::vector<std::string> contradictions;        // of what it executed and what its analysis says
  std::optional<Excess> of_machine_code;          // the largest, if there is one
  std::optional<Excess> of_ptx;                   // with nothing assumed, likewise
  double ptx_nearest = 0;
  int64_t unstalled = 0;  // instructions of the code with a stall count of 0
};

// The bounds of the PTX, with their ladder; which need no machine code.
struct PtxBounds {
  std::vector<timing::Rung> ladder;
  std::string refused;
};
PtxBounds ptx_bounds(const TimedKernel& kernel, int architecture);

// Those of the machine code.
support::Result<std::vector<timing::Rung>> machine_code_bounds(const TimedKernel& kernel, const std::string& cubin,
                                                               const timing::Machine& machine);

TimedCheck check_times(const TimedKernel& kernel, const std::string& cubin, int architecture, const PtxBounds& ptx,
                       uint64_t seed);

// What came out of many.
struct TimedTally {
  int64_t compiled = 0, compared = 0, refused = 0, without_ptx = 0, runs = 0, warp_instructions = 0;
  int64_t above_ptx = 0, unstalled = 0;
  std::map<std::string, int64_t> refusals;
  std::map<std::string, double> nearest, nearest_of_several, nearest_slowest;
  double ptx_farthest = 0;  // the largest run over bound
  std::vector<std::string> violations, of_ptx;

  void add(const std::string& name, const TimedCheck& check);
  std::string text() const;
};

}  // namespace warpspan::machine_code
