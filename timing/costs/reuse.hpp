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
#include "support/checked.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Visits that requests are: each of one line, from the first of some requests for it to the last of them.
struct Visits {
  int64_t all = 0;   // at most
  int64_t open = 0;  // that have begun and not ended at a time, at most
};

// Lines of a set that are asked for.
struct Requests {
  std::optional<int64_t> lines;  // different ones, at most; nothing: any
  int64_t all = 0;               // each time that one is asked for, at most
  // The same requests by what makes them, in one manner or several, as far as that is known: each is one of one part.
  // Parts may ask for the same lines.
  std::vector<std::vector<Requests>> partitions = {};
  std::optional<Visits> visits = {};
};

// The most phases of a launch, at least 1, in each of which a cache of that many lines fetches no line again that was
// asked for in it: no line is fetched more often. Nothing if it does not fit 64 bits.
std::optional<int64_t> most_fetches(const std::vector<Requests>& sets, int64_t capacity);

// How often a cache fetches lines of a set.
struct Fetches {
  int64_t times = 0;  // each of them, at most; 0: once for each request
  int64_t all = 0;    // all of them together, at most: no more than `times` for each

  // Where each line goes back once after each fetch.
  Fetches with_write_backs() const;

  friend bool operator==(const Fetches&, const Fetches&) = default;
};

// So many different lines, and how often memory has them: write-backs count as fetches do.
struct FetchedLines {
  int64_t lines = 0;
  Fetches fetches = {};
};
// What memory takes for them beyond the rate of random lines, at most, in ticks of a cycle, where it has
// LineTimes::once: the theorem of lines that are served several times.
support::Integer beyond_rate(std::vector<FetchedLines> all, const LineTimes& memory, int64_t ticks);

// Those of a set. least, most: most_fetches of a cache that has room for DataCache::mostly_persistent, and for
// DataCache::persistent. lost: DataCache::lost. Nothing if the numbers exceed 64 bits.
std::optional<Fetches> fetches_with_losses(const Requests& set, int64_t least, int64_t most, int64_t lost);

// What memory serves at most, where that is less than what is asked for.
struct LineFetches {
  // By object of the flow; those of accesses below are of objects with 0. Empty: nothing is counted here.
  std::vector<Fetches> objects;
  std::map<ir::InstructionId, Fetches> accesses;  // for itself and for the write-backs of what it stores
  Fetches local;                                  // as `objects`, of local memory

  bool empty() const { return objects.empty(); }
  Fetches of(const ir::Access& access) const {
    const auto found = accesses.find(access.instruction);
    return found == accesses.end() ? Fetches() : found->second;
  }

  friend bool operator==(const LineFetches&, const LineFetches&) = default;
};

// What is less, if requests can be counted; any of them may count: where the cache has room for what it keeps without
// losses, and where it has room for what it keeps but for losses if the machine states that and it is not the same; a
// line may be fetched as often as without them then, but not all of them are. is_aligned: what parameters point to
// begins at a multiple of 256 bytes. is_spread: so is what the kernel touches, as random lines. machine_instructions:
// of the kernel's code.
std::vector<LineFetches> fetches_of_lines(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                          const Load& load, const Machine& machine, int64_t machine_instructions,
                                          bool is_aligned, bool is_spread);

// Whether it is known of more than DataCache::persistent how few lines the L2 cache loses.
bool states_losses(const Machine& machine);

}  // namespace warpspan::timing
