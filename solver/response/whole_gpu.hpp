// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that never run at the same time as others: each takes the whole GPU.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/response/workload.hpp"

namespace warpspan::solver::response_times {

// The most that a kernel takes alone on the GPU, from its start on: with g blocks of at most C each, of which G run at
// once at most, ceil(g/G) * C. Nothing if that exceeds 2^63 - 1. `need` is at most the capacity.
//
// Number the blocks from 0 in the order in which they are dispatched; block j has started by floor(j/G) * C. For j < G
// there is room at once: alone on the GPU, blocks wait only while G of them run, since G = multiprocessors * (blocks
// that fit on an empty one) and a multiprocessor without room for one more has that many. For j >= G, all blocks up to
// j - G have started by (floor(j/G) - 1) * C, so they have ended by floor(j/G) * C. Of those before j at most G - 1 are
// left that may still run then, and all of them have started by then, so block j finds room by then, too. The last
// block, g - 1, therefore ends by floor((g-1)/G) * C + C = ceil(g/G) * C, however much shorter than C blocks are.
std::optional<int64_t> time_alone(const Gpu& gpu, const Kernel& kernel);

// The GPU as one multiprocessor which any kernel, of one block, takes whole.
void take_whole_gpu(Workload& workload);

}  // namespace warpspan::solver::response_times
