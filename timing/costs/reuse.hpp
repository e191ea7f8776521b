// How often the L2 cache fetches a line of an object, where it keeps what was asked for recently: the assumption
// `recent`. The theorem and its proof open reuse.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Lines of a set that are asked for.
struct Requests {
  std::optional<int64_t> lines;  // different ones, at most; nothing: any
  int64_t all = 0;               // each time that one is asked for, at most
};

// The most times that any line is fetched by a cache of that many lines, at least 1. Nothing if it does not fit 64
// bits.
std::optional<int64_t> most_fetches(const std::vector<Requests>& sets, int64_t capacity);

// By object of the flow: how often memory serves each of its lines at most, where that is less than the kernel's
// requests for all of them; else 0. Empty if that is so for none, or requests cannot be counted. machine_instructions:
// of the kernel's code.
std::vector<int64_t> fetches_of_lines(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      const Load& load, const Machine& machine, int64_t machine_instructions);

}  // namespace warpspan::timing
