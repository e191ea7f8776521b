// SPDX-License-Identifier: GPL-3.0-or-later
// What a calibration compares its measurements with: figures of a built-in machine, each by a name of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

struct BaseFigure {
  std::string name;   // "latency.fp64.worst", "code.L1.miss"
  int64_t value = 0;  // in cycles or bytes, or a count; where the name ends so, in milli (thousandths of a cycle) or ps
  std::string text = {};  // of "code.*.holds": what a miss occupies besides "fetch", as in a machine file; else empty
};

// Of a machine of compute capability 7.5 or later, whose files have all these figures; by name, each once. What the
// names mean stands in app/calibrate/program/machine_file.h, which uses all of them. times: of [times], in cycles.
std::vector<BaseFigure> base_figures(const timing::Machine& machine, const timing::NamedCycles& times);

}  // namespace warpspan::app
