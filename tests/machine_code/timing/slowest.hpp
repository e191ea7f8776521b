// SPDX-License-Identifier: GPL-3.0-or-later
// What the program itself executes and times, with the figures of its bounds, against these bounds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "tests/machine_code/timing/kernels.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::machine_code {

// A run that took longer than a bound.
struct Excess {
  std::string rung;  // what is assumed, "nothing"
  int64_t run = 0, bound = 0;
  std::string how;  // the adversary

  double ratio() const { return static_cast<double>(run) / static_cast<double>(bound); }
};

struct SlowestCheck {
  int64_t runs = 0, warp_instructions = 0;  // of the blocks that were executed, once for each rung
  std::vector<Excess> found;                // the slowest run of each rung that has a bound
  std::vector<std::string> contradictions;  // of what was executed and what the analysis says
};

struct NamedRung {
  std::string name;
  timing::AssumptionSet assumed;
};

struct SlowestOptions {
  std::vector<NamedRung> rungs;
  ir::Contents contents;
  int64_t most_steps = 60'000;  // of the warps of a block
  double instructions = 2e5;    // of warps that are followed, about, in each order
};

// The launch is the one that the kernel was analyzed for.
SlowestCheck check_slowest(const frontend::AnalyzedKernel& analyzed, const timing::Machine& machine,
                           const SlowestOptions& options);

// What the analysis is told of a launch of the kernel.
ir::Launch told_launch(const TimedKernel& kernel, bool of_machine_code);

// What came out of many launches.
struct SlowestTally {
  int64_t compiled = 0, refused = 0, compared = 0, runs = 0, warp_instructions = 0, bounds = 0;
  std::map<std::string, int64_t> refusals;
  std::map<std::string, double> nearest;  // by rung: the largest run over its bound
  std::vector<std::string> violations;

  void add(const std::string& name, const SlowestCheck& check);
  std::string text() const;
};

}  // namespace warpspan::machine_code
