// SPDX-License-Identifier: GPL-3.0-or-later
// What fetching a kernel's code costs: waiting of the analysed warps, and use of what all warps share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/costed_kernel.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// How many warps run the kernel, and how many of them a bound analyses.
struct FetchLoad {
  int64_t warps = 1;                     // of the device, over the whole run
  int64_t multiprocessor_warps = 1;      // of one multiprocessor, over the whole run
  int64_t warps_per_block = 1;           // all blocks have as many
  int64_t analysed = 1;                  // warps analysed one after another, at most
  int64_t analysed_multiprocessors = 1;  // on so many multiprocessors, at most
};

// The misses of one cache that the analysed warps wait for.
struct FetchLevel {
  std::string cache;  // "L1"
  bool fits = false;  // the whole code fits it
  int64_t once = 0;   // over the whole run
  int64_t each = 0;   // of each analysed warp
};

struct FetchCost {
  int64_t bytes = 0, lines = 0;    // of the kernel's code
  std::vector<FetchLevel> levels;  // nearest first
  int64_t each = 0;                // cycles by which each analysed warp's path is longer
  int64_t once = 0;                // cycles to add to the bound, whatever it is
  std::vector<int64_t> demand;     // server-cycles of each warp, by Machine::resources
  std::vector<std::string> assumptions;
  AssumptionSet relied;  // of these

  support::Integer cycles(int64_t analysed) const { return support::Integer(each) * analysed + once; }
};

// Where the code lies, by the machine's caches of code. Requires trip counts for all loops and a machine with figures
// of fetch. Nothing if the kernel never ends.
std::optional<CodeLayout> fetched_layout(const CostedKernel& costed);

// layout: fetched_layout of the kernel with these costs. Nothing if a total exceeds 64 bits. An assumption is
// reported only where it changed the cost. Where that is even-refresh, no cycles contain waits for refreshes, and
// whoever assumes keeps-pages knows that the launch touches no more pages than are kept.
std::optional<FetchCost> fetch_cost(const CodeLayout& layout, const Costs& costs, const Machine& machine,
                                    const FetchLoad& load, const AssumptionSet& assumed);

}  // namespace warpspan::timing
