// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks of a kernel are resident on a multiprocessor at a time.
//
// Sources: NVIDIA, CUDA C++ Programming Guide, compute capabilities, and the formulas of cuda_occupancy.h. What a
// launch leaves open (registers that ptxas chooses, shared memory that only the launch knows) is a span, and so is the
// result.
#pragma once

#include <array>
#include <string>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What one block takes of its multiprocessor.
struct BlockNeeds {
  int64_t warps = 1;
  Span registers = {1, 1};      // of a thread, 32 bits each
  std::string registers_from;   // where the most is from: the launch's registers_from, ".maxnreg", ...
  Span shared_bytes = {0, 0};   // without what the machine reserves; the least cannot be wrong by alignment
  bool shared_unknown = false;  // the launch gives it memory of an unknown size
  Span barriers = {1, 1};       // named barriers
};

// How many blocks one resource of the multiprocessor has room for.
struct ResidencyLimit {
  const char* name;  // "warps", "blocks", "registers", "shared memory" or "barriers"
  Span blocks;       // by the most and the least that a block may take
  bool limits() const { return blocks.least < INT64_MAX; }  // if not, blocks take nothing of it
};
inline constexpr size_t residency_limits = 5;

struct Residency {
  Span blocks = {1, 1};                // at least 1
  std::string least_limit = "blocks";  // what allows no more: one of ResidencyLimit::name
  std::string most_limit = "blocks";
  // The least rests on the multiprocessor having all the shared memory that it can be set to.
  bool needs_shared_setting = false;
  std::array<ResidencyLimit, residency_limits> limits{};
};

// What a block of the launch takes. warps: of a block. Registers: of the launch (--registers); else at most .maxnreg;
// else as many as let .minnctapersm blocks, or one, of the file's largest block fit; else the most that the machine has
// for a thread; never more than let one block fit. A kernel without a name stands for any. Errors: registers of the
// launch that a thread cannot have; a block that does not fit, for its shared memory or its registers.
support::Result<BlockNeeds> block_needs(const ir::Kernel& kernel, const ir::Launch& launch, int64_t warps,
                                        const Machine& machine);

// The least number assumes the most that a block may take, and conversely. A block that may not fit with the
// most counts as one that does, because it is launched.
Residency residency(const BlockNeeds& needs, const Machine& machine);

}  // namespace warpspan::timing
