// SPDX-License-Identifier: GPL-3.0-or-later
// One multiprocessor, cycle by cycle: its schedulers issue instructions of the warps of its blocks, in the order of
// their traces, as soon as control fields, scoreboards, code, constants and units allow. Cycles in which none can issue
// are skipped. Floating point decides an estimate here, and never a bound.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ir/execution/trace.hpp"
#include "timing/simulate/code_fetch.hpp"
#include "timing/simulate/memory_system.hpp"
#include "timing/simulate/scheduler.hpp"
#include "timing/simulate/timeline.hpp"

namespace warpspan::timing {

struct BlocksToRun {
  int64_t blocks = 1;    // of the multiprocessor
  int64_t resident = 1;  // at a time
  double l1_bytes = 0;
  // The trace of one, by its number among these, asked for in ascending order; nothing: no more are simulated.
  std::function<std::optional<ir::BlockTrace>(int64_t)> trace;
  size_t timeline_rows = 0;  // that are followed
};

struct MultiprocessorRun {
  double cycles = 0;                              // until the last block that was followed has ended
  bool is_stuck = false;                          // warps wait for a barrier that nobody opens
  double resident = 0;                            // warps that it had, added up over the cycles
  double issued = 0;                              // instructions
  std::vector<double> ends;                       // when blocks ended, ascending
  std::array<double, units_of_scheduler> busy{};  // cycles that the schedulers' units were held, added up
  MemoryTraffic traffic;
  std::vector<InstructionStalls> stalls;  // by instruction of the kernel
  Timeline timeline;
};

// Of 32 bits, that a lane of the request has.
inline double words_of(const ir::TracedRequest& request) {
  constexpr double bytes_of_word = 4;
  return std::max(1.0, request.bytes / bytes_of_word);
}

class Multiprocessor {
 public:
  Multiprocessor(const std::vector<SimulatedCost>& costs, const SimulatedMachine& machine, const SectorSharing& sharing,
                 const BlocksToRun& work, SchedulingPolicy policy);

  MultiprocessorRun run();

 private:
  void begin_block(int64_t number, double from);
  void end_block(SimulatedBlock& block);
  double issue(Scheduler& scheduler);
  double earliest(Scheduler& scheduler, size_t place);
  double prepare(Scheduler& scheduler, SimulatedWarp& warp);
  bool passes_barriers(SimulatedWarp& warp);
  double scoreboards(SimulatedWarp& warp, const SimulatedCost& cost);
  double unit_of(const Scheduler& scheduler, const SimulatedCost& cost) const;
  void charge_unit(SimulatedWarp& warp, const SimulatedCost& cost, double until);
  void execute(Scheduler& scheduler, size_t place);
  void set_scoreboards(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest* request);
  void request(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request);
  void request_shared(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request);
  void request_swap(SimulatedWarp& warp, const ir::TracedRequest& request);
  void request_remote(const ir::TracedRequest& request);
  void request_global(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request);
  void request_texture(const SimulatedWarp& warp, const ir::TracedRequest& request);
  void request_bulk(SimulatedWarp& warp, const ir::TracedRequest& request);
  double sleep_of(const ir::TracedRequest& request) const;
  void wait_behind(SimulatedWarp& warp, const SimulatedCost& cost);
  void request_constants(const SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest& request);
  void arrive(SimulatedWarp& warp, const ir::TracedRequest& request);
  size_t number_of(const Scheduler& scheduler) const { return static_cast<size_t>(&scheduler - schedulers_.data()); }
  void charge(SimulatedWarp& warp, double until, Stall why, ir::InstructionId awaited = ir::no_instruction) {
    if (until <= warp.charged) return;
    timeline_.add(warp.row, {warp.charged, until, static_cast<size_t>(why), warp.current});
    account_.charge(warp.current, warp.charged, until, why, awaited);
  }

  const std::vector<SimulatedCost>& costs_;
  const SimulatedMachine& machine_;
  const BlocksToRun& work_;
  SchedulingPolicy policy_;
  MultiprocessorRun run_;
  MemorySystem memory_;
  CodeFetch code_;
  StallAccount account_;
  TimelineRecorder timeline_;
  std::vector<Scheduler> schedulers_;
  std::vector<std::unique_ptr<SimulatedBlock>> blocks_;  // that run
  double active_;
  double now_ = 0;
  double load_store_ = 0;                  // when the load/store units of the multiprocessor are free
  double constants_ = 0;                   // the same of their port to constants
  double fences_ = 0;                      // the same of fences beyond the block
  double remote_ = 0;                      // the same of the way to shared memory of other blocks
  double bulk_copies_ = 0;                 // the same of what copies from shared memory
  double arrivals_ = 0;                    // the same of the barrier unit
  double last_block_ = 0, last_warp_ = 0;  // when the next one may begin
  // Of the instruction that issues: when its unit takes it, its result is there, and its operands are read.
  double start_ = 0, done_ = 0, read_ = 0;
  bool fails_ = false;  // it is to be tried again, from the warp's last load of shared memory on
  int64_t next_block_ = 0;
  uint64_t warps_begun_ = 0;
};

}  // namespace warpspan::timing
