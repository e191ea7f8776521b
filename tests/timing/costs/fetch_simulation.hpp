// SPDX-License-Identifier: GPL-3.0-or-later
// Warps on multiprocessors that fetch their code through caches, cycle by cycle where anything happens.
//
// A warp issues in order, each instruction once its operands are ready, its units are free and the line of each of its
// machine instructions was in the nearest cache when it looked. A line that is missing is asked for once; each cache on
// the way takes its round trip, begun when all resources that the miss holds are free, except those that fewer warps
// share than the cache: these are held by every multiprocessor that waits. What is done first when several things can
// be done is the policy's choice.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "tests/ir/build_kernel.hpp"
#include "tests/random_numbers.hpp"
#include "timing/analysis.hpp"
#include "timing/costs/cost.hpp"

namespace warpspan::test {

// Sets of lines, of which each replaces the one used longest ago.
class LineCache {
 public:
  LineCache(int64_t lines, int64_t ways)
      : ways_(ways), sets_(static_cast<size_t>(std::max<int64_t>(1, lines / ways))) {}

  bool use(int64_t line) {
    auto& set = sets_[static_cast<size_t>(line) % sets_.size()];
    const auto at = std::find(set.begin(), set.end(), line);
    if (at == set.end()) return false;
    set.erase(at);
    set.push_back(line);
    return true;
  }
  bool has(int64_t line) const {
    const auto& set = sets_[static_cast<size_t>(line) % sets_.size()];
    return std::find(set.begin(), set.end(), line) != set.end();
  }
  void put(int64_t line) {
    if (use(line)) return;
    auto& set = sets_[static_cast<size_t>(line) % sets_.size()];
    if (static_cast<int64_t>(set.size()) == ways_) set.pop_front();
    set.push_back(line);
  }

 private:
  int64_t ways_;
  std::vector<std::deque<int64_t>> sets_;
};

struct FetchRun {
  int64_t warps_per_block = 1, blocks = 1;
  int64_t resident = 1;       // blocks that a multiprocessor runs at a time
  bool any_place = false;     // blocks go to any multiprocessor with room; otherwise they are dealt round-robin
  std::vector<int64_t> ways;  // of each cache; each divides its lines
  int policy = 0;             // 0 random, 1 oldest warp first, 2 youngest, 3 least advanced, 4 most advanced
  bool lines_last = false;    // requests for lines yield to everything else, and those of warp 0 to all others
  bool look_late = false;     // a warp looks for a line only when nothing else keeps it from issuing
  bool shorten = false;       // latencies and round trips may turn out shorter
  bool whole_loops = false;   // all loops run as often as they can
  bool warm = false;          // caches that the code fits have it
  bool own_caches = false;    // in caches that it does not fit warps replace only lines of their own
};

class FetchSimulation {
 public:
  FetchSimulation(const TestKernel& k, const timing::Machine& machine, const FetchRun& run, Random& random);
  int64_t run();  // the cycle in which the last warp ends

 private:
  struct Warp {
    int64_t block = 0, multiprocessor = 0, scheduler = 0;
    std::vector<ir::InstructionId> trace;
    size_t next = 0;
    int64_t slot = 0;      // of the machine instructions of the next instruction
    bool fetched = false;  // that one's line was there
    bool asked = false;
    bool started = false, at_barrier = false;
    int64_t may_issue = 0;
    std::vector<int64_t> ready;
  };
  struct Request {
    size_t level = 0, copy = 0;
    int64_t line = 0, warp = 0;  // the first warp that asked
    enum { queued, under_way, waiting, over } state = queued;
    int64_t until = 0;
    std::vector<size_t> warps;     // that wait for it
    std::vector<size_t> requests;  // of nearer caches that do
  };
  struct Action {
    enum { look, start, issue } what;
    size_t index;
    int64_t warp;
  };

  bool over(const Warp& warp) const { return warp.next == warp.trace.size(); }
  const ir::Instruction& instruction(const Warp& w) const { return kernel_.instructions[w.trace[w.next]]; }
  int64_t line_of(const Warp& w) const {
    return (offset_ + place_[w.trace[w.next]] + w.slot) / machine_.fetch->instructions;
  }
  size_t copy_of(size_t level, size_t warp) const;
  std::vector<int64_t>& servers(size_t resource, int64_t multiprocessor, int64_t scheduler);
  bool is_free(size_t resource, int64_t multiprocessor, int64_t scheduler);
  void hold(const timing::Occupancy& hold, int64_t cycles, const Warp& warp);
  std::vector<ir::InstructionId> random_trace();
  void start_blocks();
  bool operands_ready(const Warp& warp) const;
  bool units_free(const Warp& warp);
  void find_actions();
  const Action& pick();
  void look(size_t warp);
  void ask(size_t level, size_t warp, int64_t line, std::optional<size_t> nearer);
  bool waits_for(size_t level, const timing::Occupancy& hold) const;
  bool in_cache(size_t level, size_t warp, int64_t line);
  void keep_busy(const Request& request, size_t warp);
  void begin(size_t request);
  void end_requests();
  void complete(size_t request);
  void issue(size_t warp);
  int64_t next_event() const;
  int64_t shortened(int64_t cycles) { return run_.shorten ? below(random_, cycles + 1) : cycles; }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const timing::Machine& machine_;
  const FetchRun run_;
  Random& random_;
  timing::Costs costs_;
  int64_t offset_ = 0;          // of the code in its first line
  int64_t lines_ = 0;           // of the code wherever it lies
  std::vector<int64_t> place_;  // of each instruction's first machine instruction
  std::vector<std::vector<LineCache>> caches_;
  std::map<std::pair<size_t, int64_t>, std::vector<int64_t>> servers_;
  std::vector<Warp> warps_;
  std::vector<Request> requests_;
  std::vector<size_t> active_;  // requests that are not over
  std::vector<Action> actions_;
  int64_t now_ = 0, end_ = 0;
};

}  // namespace warpspan::test
