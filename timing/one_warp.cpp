#include "timing/one_warp.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/walk.hpp"
#include "timing/weigh.hpp"

namespace warpspan::timing {

namespace {

constexpr int64_t largest_figure = int64_t{1} << 40;  // cycles: more than any machine file may state

using support::Integer;

// When a warp can go on, relative to its last issue. Times that have passed are left out, so that a loop in its steady
// state comes back to an equal Outstanding.
struct Outstanding {
  struct Result {
    ir::RegisterId reg;
    int64_t ready;  // cycles after the last issue, more than 0
    friend bool operator==(const Result&, const Result&) = default;
  };
  std::vector<Result> results;     // ascending registers
  std::vector<int64_t> unit_free;  // by resource
  int64_t gap = 0;                 // next issue, at the earliest
  int64_t finished = 0;            // when all of the above and all memory accesses are over

  friend bool operator==(const Outstanding&, const Outstanding&) = default;
};

struct WarpState {
  Integer now;  // time of the last issue
  Outstanding outstanding;
};

// Operations that complete only when the warp's earlier memory accesses have: __syncthreads and fences order them.
bool waits_for_all(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case barrier:
    case cluster_barrier:
    case fence:
    case mbarrier:
    case copy_async:
    case copy_bulk:
    case matrix_group: return true;
    default: return false;
  }
}

// One warp's clock: executes instructions and joins, repeats and serialises what Walk asks for.
//
// Every step is a maximum of sums, so it is monotone: from a later or equal state it leads to a later or equal state.
// That makes join (the later of two, for each register and unit) a safe stand-in for either way.
class Clock {
 public:
  using State = WarpState;

  Clock(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine, const Weights& weights, Case which)
      : kernel_(kernel), flow_(flow), machine_(machine), weights_(weights), which_(which) {}

  State start() const {
    State state;
    state.outstanding.unit_free.assign(machine_.resources.size(), 0);
    return state;
  }

  State run(const State& before, ir::BlockId id) const {
    State state = before;
    const ir::Block& block = kernel_.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) issue(state, block.first + i);
    return state;
  }

  // Issues one instruction; returns the cycles since the one before it.
  int64_t issue(State& state, ir::InstructionId index) const;

  State join(const State& a, const State& b) const;
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const;

  State without_past(const State& state) const { return {0, state.outstanding}; }
  State after(const State& state, const State& change) const { return {state.now + change.now, change.outstanding}; }
  bool same(const State& a, const State& b) const { return a.outstanding == b.outstanding; }

  // A region that runs at an unknown place in an unknown order: everything is over before it begins and after it ends.
  State serialize(const State& state, const State& region, int64_t times) const {
    State result = start();
    result.now = end(state) + end(region) * Integer(times);
    return result;
  }

  Integer end(const State& state) const { return state.now + Integer(state.outstanding.finished); }

 private:
  int64_t latency(const OperationFigures& figures, int64_t transactions) const;
  static void elapse(Outstanding& outstanding, int64_t cycles);

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Machine& machine_;
  const Weights& weights_;
  Case which_;
};

void Clock::elapse(Outstanding& outstanding, int64_t cycles) {
  if (cycles == 0) return;
  std::erase_if(outstanding.results, [cycles](Outstanding::Result& result) { return (result.ready -= cycles) <= 0; });
  const auto pass = [cycles](int64_t& time) { time = std::max<int64_t>(0, time - cycles); };
  for (int64_t& time : outstanding.unit_free) pass(time);
  pass(outstanding.gap);
  pass(outstanding.finished);
}

int64_t Clock::latency(const OperationFigures& figures, int64_t transactions) const {
  if (which_ == Case::best) return figures.latency.best;
  if (which_ == Case::average) return figures.latency.average;
  return figures.latency.worst + figures.per_transaction * std::max<int64_t>(0, transactions - 1);
}

int64_t Clock::issue(State& state, ir::InstructionId index) const {
  const ir::Instruction& instruction = kernel_.instructions[index];
  const int64_t transactions = flow_.transactions[index];
  const ir::OperationKind kind = kernel_.operation(instruction).kind;
  const OperationFigures& figures = *weights_[instruction.operation];
  Outstanding& o = state.outstanding;
  const ir::RegisterId* reads = kernel_.reads(instruction);
  const auto uses = [&](ir::RegisterId reg) {  // reads, and writes: results are written in program order
    return std::find(reads, reads + instruction.reads + instruction.writes, reg) !=
           reads + instruction.reads + instruction.writes;
  };
  int64_t wait = o.gap;
  for (const Outstanding::Result& result : o.results) {
    if (result.ready > wait && uses(result.reg)) wait = result.ready;
  }
  if (which_ == Case::worst) {
    for (const Hold& hold : figures.holds) wait = std::max(wait, o.unit_free[hold.resource]);
    // Requests to memory pass through units one after another. Another warp's request that waits for memory can keep
    // the load/store unit, while memory serves an earlier request of this warp: so this one waits for all of its own.
    if (ir::unit_class(kind) == ir::UnitClass::load_store) {
      for (const int64_t free : o.unit_free) wait = std::max(wait, free);
    }
    if (waits_for_all(kind)) wait = std::max(wait, o.finished);
  }
  elapse(o, wait);
  state.now += wait;

  const int64_t ready = latency(figures, transactions);
  for (uint32_t i = 0; i < instruction.writes; ++i) {
    const ir::RegisterId reg = kernel_.writes(instruction)[i];
    const auto at = std::lower_bound(o.results.begin(), o.results.end(), reg,
                                     [](const Outstanding::Result& r, ir::RegisterId id) { return r.reg < id; });
    if (at != o.results.end() && at->reg == reg) {
      at->ready = std::max(at->ready, ready);
    } else if (ready > 0) {
      o.results.insert(at, {reg, ready});
    }
  }
  // A software sequence is that many machine instructions of one warp.
  o.gap = figures.instructions * machine_.issue_gap;
  if (which_ == Case::worst) {
    o.gap = std::max(o.gap, figures.gap);
    for (const Hold& hold : figures.holds) {
      const int64_t held = cycles_held(hold, transactions).value().value_or(largest_figure);
      o.unit_free[hold.resource] = std::max(o.unit_free[hold.resource], held);
      o.finished = std::max(o.finished, o.unit_free[hold.resource]);
    }
  }
  o.finished = std::max({o.finished, ready, o.gap});
  return wait;
}

WarpState Clock::join(const State& a, const State& b) const {
  const auto difference = (a.now - b.now).value();
  if (!difference) return a.now.overflowed() ? a : b;
  const bool a_later = *difference >= 0;
  State later = a_later ? a : b;
  State earlier = a_later ? b : a;
  elapse(earlier.outstanding, a_later ? *difference : -*difference);
  Outstanding& o = later.outstanding;
  const Outstanding& other = earlier.outstanding;
  std::vector<Outstanding::Result> results;
  size_t i = 0;
  for (const Outstanding::Result& result : o.results) {
    while (i < other.results.size() && other.results[i].reg < result.reg) results.push_back(other.results[i++]);
    results.push_back(result);
    if (i < other.results.size() && other.results[i].reg == result.reg) {
      results.back().ready = std::max(results.back().ready, other.results[i++].ready);
    }
  }
  results.insert(results.end(), other.results.begin() + static_cast<ptrdiff_t>(i), other.results.end());
  o.results = std::move(results);
  for (size_t r = 0; r < o.unit_free.size(); ++r) o.unit_free[r] = std::max(o.unit_free[r], other.unit_free[r]);
  o.gap = std::max(o.gap, other.gap);
  o.finished = std::max(o.finished, other.finished);
  return later;
}

// Rounds are simulated until what is outstanding is as it was some rounds before: from there on every period takes the
// same time. Should no period show within `patience` rounds, each round is taken to begin with nothing outstanding.
WarpState Clock::repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
  constexpr size_t patience = 256;
  std::vector<State> history = {state};
  for (int64_t round = 1; round <= times; ++round) {
    State next = body(history.back());
    for (size_t i = 0; i < history.size(); ++i) {
      if (!(history[i].outstanding == next.outstanding)) continue;
      const auto period = static_cast<int64_t>(history.size() - i);
      const Integer growth = next.now - history[i].now;
      const int64_t left = times - round;
      const WarpState& last = history[i + static_cast<size_t>(left % period)];
      State result = last;
      result.now = last.now + growth * Integer(left / period + 1);
      return result;
    }
    if (round == times) return next;
    if (history.size() == patience) return serialize(next, body(start()), times - round);
    history.push_back(std::move(next));
  }
  return state;
}

}  // namespace

support::Result<Integer> one_warp_time(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                                       Case which) {
  const auto weights = weigh(kernel, machine);
  if (!weights) return weights.errors();
  const Clock clock(kernel, flow, machine, *weights, which);
  const auto state = ir::Walk<Clock>(kernel, flow, clock).run();
  if (state) return clock.end(*state);
  support::Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel '" + kernel.name + "' never ends, or its control flow is nested too deeply";
  return error;
}

support::Result<OneWarpTime> one_warp_time(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  OneWarpTime time;
  for (const auto& [which, result] : {std::pair(Case::best, &time.best), std::pair(Case::average, &time.average),
                                      std::pair(Case::worst, &time.worst)}) {
    const auto cycles = one_warp_time(kernel, flow, machine, which);
    if (!cycles) return cycles.errors();
    *result = *cycles;
  }
  return time;
}

std::vector<ClockReading> clock_readings(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  std::vector<ClockReading> readings;
  const auto weights = weigh(kernel, machine);
  if (!weights) return readings;
  for (const ir::Block& block : kernel.blocks) {
    const size_t first = readings.size();
    for (const Case which : {Case::best, Case::average, Case::worst}) {
      const Clock clock(kernel, flow, machine, *weights, which);
      WarpState state = clock.start();
      std::optional<uint32_t> line;
      int64_t elapsed = 0;
      size_t index = first;
      for (uint32_t i = 0; i < block.count; ++i) {
        const ir::Instruction& instruction = kernel.instructions[block.first + i];
        elapsed += clock.issue(state, block.first + i);
        if (!kernel.operation(instruction).reads_clock) continue;
        if (line) {
          if (index == readings.size()) readings.push_back({*line, instruction.line});
          ClockReading& reading = readings[index++];
          (which == Case::best ? reading.best : which == Case::average ? reading.average : reading.worst) = elapsed;
        }
        line = instruction.line;
        elapsed = 0;
      }
    }
  }
  return readings;
}

}  // namespace warpspan::timing
