// SPDX-License-Identifier: GPL-3.0-or-later
// What happens when given jobs run: which block starts where and when, by the rules found on real GPUs (Amert et al.,
// GPU scheduling on the NVIDIA TX2, RTSS 2017: G1-G4, X1, R1-R3 and the same for registers, C1-C4, A1-A2, N1-N2).
//
// The rules leave open what happens at one and the same time; here what ends at a time ends first, in the order in
// which it began, then jobs of this time are released, and then blocks and copies are assigned. N1 and N2 speak of
// kernels; here copies obey them too.
#pragma once

#include <functional>

#include "solver/response/workload.hpp"
#include "support/result.hpp"

namespace warpspan::solver::response_times {

// A job of a task, launched at `time`.
struct Release {
  size_t task = 0;
  int64_t time = 0;  // from 0
};

// Which multiprocessor takes a block if several have room: the first; that with room for most such blocks; the next one
// after the last that took one; any.
enum class Placement : uint8_t { first_fit, most_free, round_robin, random };

// A block of a kernel, or a copy (then `block` is 0), of a job.
struct Piece {
  size_t job = 0;
  size_t operation = 0;  // of its task
  int64_t block = 0;
};

struct RunOptions {
  Placement placement = Placement::first_fit;
  uint32_t seed = 1;  // of Placement::random
  // How long a piece takes: 1 to its most. Nothing: its most.
  std::function<int64_t(const Piece&)> time = nullptr;
  bool keep_blocks = false;  // fill Run::blocks
};

struct BlockRun {
  Piece piece;
  int64_t multiprocessor = 0;  // or the copy engine
  int64_t start = 0;
  int64_t end = 0;
};

struct OperationRun {
  int64_t enqueued = 0;  // on the queue of kernels of its priority, or of its copy engine
  int64_t start = 0;     // of its first block
  int64_t end = 0;       // of its last block
};

struct Run {
  std::vector<OperationRun> operations;  // of all jobs, one job after another
  std::vector<size_t> first_operation;   // by job: where its operations begin
  std::vector<int64_t> finish;           // by job
  std::vector<BlockRun> blocks;          // in the order in which they started
};

// All jobs released before `end`: each task's from its offset on, a period apart. In the order of time, those of one
// time in the order of the tasks. Error: more than `most` jobs.
support::Result<std::vector<Release>> periodic_releases(const Workload& workload, int64_t end, int64_t most);

// `releases` in the order of their launch, by which times do not fall. Takes about a logarithm for each event, and
// looks at each multiprocessor for each block. Errors: the workload's, releases out of range, times out of range,
// overflow.
support::Result<Run> simulate(const Workload& workload, const std::vector<Release>& releases,
                              const RunOptions& options = {});

}  // namespace warpspan::solver::response_times
