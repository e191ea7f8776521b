// SPDX-License-Identifier: GPL-3.0-or-later
// How often the L2 cache fetches a line of an object, where it keeps what was asked for recently: the assumption
// `recent`. The theorem and its proof open reuse.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// LineTimes::once is stated for so many lines, or fewer.
inline constexpr int64_t lines_of_once = 1024;

// Lines of a set that are asked for.
struct Requests {
  std::optional<int64_t> lines;  // different ones, at most; nothing: any
  int64_t all = 0;               // each time that one is asked for, at most
  // The same requests by what makes them, if that is known: each is one of a part. Parts may ask for the same lines.
  std::vector<Requests> parts = {};
};

// The most times that any line is fetched by a cache of that many lines, at least 1. Nothing if it does not fit 64
// bits.
std::optional<int64_t> most_fetches(const std::vector<Requests>& sets, int64_t capacity);

// What memory serves at most, where that is less than what is asked for.
struct LineFetches {
  // By object of the flow: how often each of its lines; 0: once for each request, but for those of accesses below.
  // Empty: nothing is counted here.
  std::vector<int64_t> objects;
  // By access, of objects with 0: how many lines in all, for itself and for the write-backs of what it stores.
  std::map<ir::InstructionId, int64_t> accesses;
  int64_t local = 0;  // as `objects`, of local memory

  bool empty() const { return objects.empty(); }
  // 0: as many as it asks for.
  int64_t lines_of(const ir::Access& access) const {
    const auto found = accesses.find(access.instruction);
    return found == accesses.end() ? 0 : found->second;
  }

  friend bool operator==(const LineFetches&, const LineFetches&) = default;
};

// Empty if requests cannot be counted, or nothing is less. is_aligned: what parameters point to begins at a multiple of
// 256 bytes. is_spread: so is what the kernel touches, as random lines. machine_instructions: of the kernel's code.
LineFetches fetches_of_lines(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                             const Load& load, const Machine& machine, int64_t machine_instructions, bool is_aligned,
                             bool is_spread);

}  // namespace warpspan::timing
