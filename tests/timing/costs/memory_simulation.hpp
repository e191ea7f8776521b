// SPDX-License-Identifier: GPL-3.0-or-later
// Warps on multiprocessors whose requests for lines pass servers: the port of the multiprocessor, the network, memory.
//
// A server works whenever a request waits, on one line at a time, and takes what the line's guarantee says. Requests of
// one warp are served in the order in which it made them, those of different warps in any. A request goes on to the
// next server when it was served; what is left of the latency of the first line follows the last one. What caches keep
// is asked for once; who asks for it meanwhile waits until it is there. Where translations are kept, a request enters
// the port when those of its pages are on its multiprocessor, which keeps back those behind it; or, in kernels that
// read constants too, which wait for none, its latency begins anew then. What the launch passes goes no further than
// the network where the L2 cache has it. Where refreshes fall together, what follows the last server stands still in
// their cycles. Where shares are fair, network and memory work on a line of each multiprocessor that waits at a time,
// on each as fast. Time is counted in thousandths of a cycle.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "tests/random_numbers.hpp"
#include "tests/timing/costs/line_machine.hpp"
#include "timing/costs/memory_model.hpp"
#include "timing/launch/launch.hpp"

namespace warpspan::test {

struct MemoryRun {
  timing::AssumptionSet assumed;
  bool in_turn = true;   // blocks are dealt round-robin; else to any multiprocessor with room
  int policy = 0;        // 0 random, 1 oldest request or warp, 2 youngest, 3 warp 0 last, 4 as 3 where blocks differ
  bool shorten = false;  // latencies and services may turn out shorter
  int64_t resident = 1;  // blocks of a multiprocessor at a time
};

// Accesses of the kernel have an object, which says how many lines there are, and warp_lines.
class MemorySimulation {
 public:
  MemorySimulation(const TestKernel& k, const timing::Machine& machine, const timing::Load& load, const MemoryRun& run,
                   Random& random);
  int64_t run();  // cycles until everything is over

 private:
  using Place = int64_t;  // of a line: object and number; of constants: multiprocessor and number
  struct Line {           // that a warp asks for
    size_t warp = 0, instruction = 0;
    int64_t order = 0;
    timing::Guarantee memory = timing::Guarantee::same_bank, network = timing::Guarantee::same_bank;
    std::optional<int64_t> atomic;  // what it takes of network and unit together
    int64_t of_memory = 1;          // lines that memory serves for it
    int64_t latency = 0;            // what is left of it, once it was served
    int64_t translated = 0;         // when its latency begins anew
    bool is_store = false;
    size_t stage = 0;  // which server is next
    std::optional<Place> constant, kept;
    bool is_warm = false;  // the L2 cache has it, and TLBs its translation: what the launch passes
    bool is_fetch = false, is_write_back = false;  // at memory, of what is kept
  };
  struct Request {  // of an instruction
    int64_t lines = 0, ready = 0;
    ir::InstructionId id = 0;
    size_t warp = 0;
  };
  struct Server {
    bool busy = false;
    Line current;
    std::vector<Line> waiting;
  };
  // Works on a line of each multiprocessor that waits; what is left of each in parts of a thousandth of a cycle.
  struct FairServer {
    struct Current {
      Line line;
      int64_t left = 0;
    };
    std::map<int64_t, Current> current;  // by multiprocessor
    std::vector<Line> waiting;
    int64_t since = 0, events = 0;  // when `left` was right; how many events were set
  };
  struct Warp {
    int64_t block = 0, multiprocessor = 0, scheduler = 0;
    std::vector<ir::InstructionId> trace;
    size_t next = 0;
    bool started = false, at_barrier = false, over = false;
    int64_t may_issue = 0, finished = 0, outstanding = 0;
    int64_t enters = -1;  // when its last request does
    std::vector<int64_t> ready;
    std::vector<int> awaited;  // by register: requests that write it
  };
  struct Kept {
    std::optional<int64_t> there;
    std::vector<Line> waiting;
  };

  void at(int64_t time, std::function<void()> what) { events_[{time, order_++}] = std::move(what); }
  std::vector<ir::InstructionId> random_trace();
  void start_blocks();
  bool is_able(const Warp& warp) const;
  size_t pick(const std::vector<size_t>& able);
  void issue(size_t warp);
  void ask(size_t warp, ir::InstructionId id);
  void release_barriers();
  void enter(Line line);
  void enter_when_translated(Line line, const ir::Access* access);
  int64_t constant_line(ir::InstructionId id) const;
  int64_t page_of(size_t warp, const ir::Access& access);  // of one of its places
  int64_t latency_of(ir::OperationKind kind) const;
  std::optional<int64_t> time_of_atomic(ir::OperationKind kind) const;  // of network and unit together, if it is one
  bool is_written(ir::ObjectId object) const;
  int64_t after_refreshes(int64_t begin, int64_t time) const;  // so much later, and what they take of it
  int64_t hit_of(const Line& line) const;
  void begin(size_t server);
  size_t choose(const std::vector<Line>& waiting);
  void served(size_t server);
  void go_on(size_t server);  // of fair_servers_
  void leave(Line line);      // it was served
  void look_up(Line line);
  void done(const Line& line, int64_t when);
  void found(const Line& line, int64_t when);
  ir::OperationKind kind_of(const Line& line) const;
  size_t server_of(const Line& line) const;
  int64_t time_of(const Line& line);
  bool is_served_once(const Line& line) const;
  int64_t service_of(const Line& line);
  int64_t more_of(int64_t& left, int64_t most);
  const ir::Access* access_of(ir::InstructionId id) const;
  int64_t transactions_of(ir::InstructionId id) const;
  timing::Guarantee memory_of(const ir::Access* access, ir::OperationKind kind) const;
  int64_t shortened(int64_t time) { return run_.shorten ? below(random_, time + 1) : time; }
  int64_t next_time() const;
  std::vector<int64_t>& places_of(size_t warp, const ir::Access& access);
  bool is_victim(size_t warp) const { return run_.policy == 3 ? warp == 0 : warps_[warp].block == warps_[0].block; }

  const TestKernel& k_;
  const timing::Machine& machine_;
  const timing::Load& load_;
  const MemoryRun run_;
  Random& random_;
  timing::ConstantReads code_;
  timing::Footprint footprint_;
  bool warm_parameters_ = false;
  bool keeps_constants_ = false, keeps_data_ = false, keeps_pages_ = false, refreshes_together_ = false;
  bool translates_first_ = false, shares_fairly_ = false;
  int64_t once_of_fetches_ = 0, once_of_write_backs_ = 0;  // ticks that lines took longer than random ones
  int64_t phase_ = 0;                                      // of refreshes
  int64_t constant_lines_ = 1;
  std::vector<Warp> warps_;
  std::vector<Request> requests_;
  std::vector<Server> servers_;
  std::array<FairServer, 2> fair_servers_;  // in place of those of the device
  std::map<Place, Kept> constants_, data_;
  std::map<std::pair<int64_t, int64_t>, int64_t> translated_;                    // by multiprocessor and page: when
  std::set<Place> written_;                                                      // lines that have to be written back
  std::map<std::pair<size_t, ir::InstructionId>, std::vector<int64_t>> places_;  // of warps and accesses
  std::vector<int64_t> issue_free_, unit_free_;
  std::map<std::pair<int64_t, int64_t>, std::function<void()>> events_;  // by time and order
  int64_t now_ = 0, order_ = 0, end_ = 0, blocks_started_ = 0;
};

}  // namespace warpspan::test
