// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem (any order). Let the machine instructions of each basic block be executed in any order that respects their
// dependences, issued in order, with waits for outstanding results anywhere, and no instruction in another block. Then
// a warp alone needs at most the sum, over all machine instructions that it executes, of the largest of its latency,
// the cycles until the next one may issue, and those for which it occupies any one resource.
//
// Proof. Go back from the end. Each instruction was kept from issuing by the one before it (its gap), by a resource
// that an earlier one of the warp occupied, by a result of an earlier one, or by a scoreboard, whose last outstanding
// instruction ended then: in each case by one instruction, for no longer than its term in the sum, from its issue on.
// Go on at that one's issue. The instructions met are different ones, and none is met twice. QED.
//
// So it is the time in which each begins when the one before it is over, whatever the order of the PTX. Where one
// instruction of PTX becomes several, their terms add up: no chain of them counts alone.
#include "timing/warp/one_warp.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/sync_points.hpp"
#include "ir/walk.hpp"
#include "support/checked.hpp"
#include "support/symbol_name.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/costs/sleep.hpp"
#include "timing/warp/wait_record.hpp"
#include "timing/warp/waiting.hpp"
#include "timing/warp/waits.hpp"

namespace warpspan::timing {

namespace {

constexpr int64_t largest_figure = int64_t{1} << 40;  // cycles: more than any machine file may state

using support::Integer;

// When a warp can go on, relative to its last issue, and who keeps it waiting. Times that have passed are left out, so
// that a loop in its steady state comes back to an equal Outstanding.
struct Outstanding {
  struct Result {
    ir::RegisterId reg;
    ir::InstructionId cause;
    int64_t ready;    // cycles after the last issue, more than 0
    int64_t chained;  // when a matrix multiplication of a warp group can issue that adds to it; at most `ready`
  };
  std::vector<Result> results;   // ascending registers
  std::vector<Delay> unit_free;  // by resource
  Delay gap;                     // next issue, at the earliest
  Delay finished;                // when all of the above and all memory accesses are over
};

bool same(const Delay& a, const Delay& b, bool causes) {
  return a.cycles == b.cycles && (!causes || a.cause == b.cause);
}

// Whether the same is to come, and, if `causes`, because of the same instructions.
bool same(const Outstanding& a, const Outstanding& b, bool causes) {
  const auto same_result = [causes](const Outstanding::Result& x, const Outstanding::Result& y) {
    return x.reg == y.reg && x.ready == y.ready && x.chained == y.chained && (!causes || x.cause == y.cause);
  };
  const auto same_unit = [causes](const Delay& x, const Delay& y) { return same(x, y, causes); };
  return same(a.gap, b.gap, causes) && same(a.finished, b.finished, causes) &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(), same_result) &&
         std::equal(a.unit_free.begin(), a.unit_free.end(), b.unit_free.begin(), b.unit_free.end(), same_unit);
}

struct WarpState {
  Integer now;  // time of the last issue
  Outstanding outstanding;
  WaitRecord::Node path = ir::PathRecord::nothing;  // what `now` is the sum of, if it is recorded
};

// Latency of a machine instruction, whichever, of a sequence whose figures do not tell its instructions apart.
int64_t longest_machine_instruction(const Machine& machine) {
  if (machine.sequence) {
    return machine.sequence->latency + *std::max_element(machine.sequence->more.begin(), machine.sequence->more.end());
  }
  int64_t longest = 0;
  for (size_t kind = 0; kind < machine.otherwise.size(); ++kind) {
    const auto& figures = machine.otherwise[kind];
    const bool computes = ir::unit_class(static_cast<ir::OperationKind>(kind)) != ir::UnitClass::load_store;
    if (figures && computes && figures->instructions == 1) longest = std::max(longest, figures->latency.worst);
  }
  return longest;
}

// One warp's clock: executes instructions and joins, repeats and serializes what Walk asks for.
//
// Every step is a maximum of sums, so it is monotone: from a later or equal state it leads to a later or equal state.
// That makes join (the later of two, for each register and unit) a safe stand-in for either path.
//
// With a record, every cycle of `now` is written down together with the instruction that it was waited for: each step
// adds to the path what it adds to `now`, so that the two are equal.
class Clock {
 public:
  using State = WarpState;

  Clock(const CostedKernel& costed, Case which, Order order = Order::given)
      : kernel_(costed.kernel),
        flow_(costed.flow),
        costs_(costed.costs),
        machine_(costed.machine),
        waits_(block_waits(costed.flow)),
        which_(which),
        one_by_one_(which == Case::worst && order == Order::any),
        longest_instruction_(one_by_one_ ? longest_machine_instruction(machine_) : 0) {}

  // A loop is then in its steady state only when the same instructions keep the warp waiting again.
  void write_to(WaitRecord& record) { record_ = &record; }

  State start() const {
    State state;
    state.outstanding.unit_free.resize(machine_.resources.size());
    return state;
  }

  State run(State state, ir::BlockId id) const {
    const ir::Block& block = kernel_.blocks[id];
    const auto path = state.path;
    wait_at(state, id);
    for (uint32_t i = 0; i < block.count; ++i) issue(state, block.first + i);
    if (record_ != nullptr) state.path = record_->after_run(path, id);
    return state;
  }

  // Issues one instruction; returns the cycles since the one before it, and those that a copy takes later.
  int64_t issue(State& state, ir::InstructionId id) const;

  State join(const State& a, const State& b) const;
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const;

  State without_past(const State& state) const { return {0, state.outstanding}; }
  State after(const State& state, const State& change) const {
    return {state.now + change.now, change.outstanding, path_of({{state.path, 1}, {change.path, 1}})};
  }
  bool same(const State& a, const State& b) const {
    return timing::same(a.outstanding, b.outstanding, record_ != nullptr);
  }

  // A region that runs at an unknown place in an unknown order: everything is over before it begins and after it ends.
  State serialize(const State& state, const State& region, int64_t times) const {
    State result = start();
    result.now = end(state) + end(region) * Integer(times);
    result.path = path_of({{end_of_path(state), 1}, {end_of_path(region), times}});
    return result;
  }

  Integer end(const State& state) const { return state.now + Integer(state.outstanding.finished.cycles); }
  WaitRecord::Node end_of_path(const State& state) const {
    return record_ == nullptr ? state.path : record_->after_wait(state.path, state.outstanding.finished);
  }

 private:
  WaitRecord::Node path_of(std::initializer_list<ir::PathRecord::Term> terms) const {
    return record_ == nullptr ? ir::PathRecord::nothing : record_->path().sum(terms);
  }
  void wait_at(State& state, ir::BlockId id) const;
  int64_t transactions(ir::InstructionId id) const { return flow_.transactions[id]; }
  int64_t latency(ir::InstructionId id) const;
  int64_t ready(const Outstanding& outstanding, ir::InstructionId id) const;
  int64_t asleep(ir::InstructionId id) const;
  int64_t written_later(ir::InstructionId id) const;
  int64_t one_by_one(ir::InstructionId id) const;
  Delay wait(const Outstanding& outstanding, const ir::Instruction& instruction) const;
  Delay wait_for_units(const Outstanding& outstanding, const ir::Instruction& instruction) const;
  bool until_read(const ir::Instruction& instruction, ir::RegisterId reg) const;
  // result: after how many cycles it is there.
  void write_results(Outstanding& outstanding, ir::InstructionId id, int64_t result) const;
  void occupy_units(Outstanding& outstanding, ir::InstructionId id) const;
  static void elapse(Outstanding& outstanding, int64_t cycles);

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Costs& costs_;
  const Machine& machine_;
  const std::map<ir::BlockId, BlockWait> waits_;
  Case which_;
  bool one_by_one_;              // every machine instruction is over when the next one is issued
  int64_t longest_instruction_;  // longest_machine_instruction
  WaitRecord* record_ = nullptr;
};

void Clock::elapse(Outstanding& outstanding, int64_t cycles) {
  if (cycles == 0) return;
  std::erase_if(outstanding.results, [cycles](Outstanding::Result& result) {
    result.chained = std::max<int64_t>(0, result.chained - cycles);
    return (result.ready -= cycles) <= 0;
  });
  const auto pass = [cycles](Delay& delay) {
    delay.cycles -= cycles;
    if (delay.cycles <= 0) delay = {};
  };
  for (Delay& free : outstanding.unit_free) pass(free);
  pass(outstanding.gap);
  pass(outstanding.finished);
}

int64_t Clock::latency(ir::InstructionId id) const {
  const OperationFigures& cost = costs_.of(kernel_.instructions[id]);
  switch (which_) {
    case Case::best: return cost.latency.best;
    case Case::average: return cost.latency.average;
    case Case::worst: return worst_latency(cost, transactions(id));
  }
  return worst_latency(cost, transactions(id));
}

// After how many cycles what it writes is there. The scoreboard that a machine instruction sets which closes a group of
// copies counts until all that the warp has begun before it is over.
int64_t Clock::ready(const Outstanding& outstanding, ir::InstructionId id) const {
  const bool closes = kernel_.operation(kernel_.instructions[id]).facts.synchronisation == ir::Synchronisation::commit;
  return closes ? std::max(latency(id), outstanding.finished.cycles) : latency(id);
}

// Cycles for which it suspends the warp.
int64_t Clock::asleep(ir::InstructionId id) const {
  const SleepCycles cycles = sleep_cycles(kernel_, flow_, id, machine_.clock_khz);
  return which_ == Case::best ? 0 : which_ == Case::average ? cycles.usual : cycles.worst;
}

// Cycles from the last issue until the instruction's operands are ready, and what it writes: results are written in
// program order. Scoreboards that it sets may count others too. Matrix multiplications of a warp group that add to the
// same sums follow one another in their unit (PTX ISA, wgmma.fence): such a one only waits for the unit.
Delay Clock::wait(const Outstanding& outstanding, const ir::Instruction& instruction) const {
  const ir::RegisterId* begin = kernel_.reads(instruction);
  const ir::RegisterId* end = begin + instruction.reads + instruction.writes;
  // The scoreboards that it sets stand behind the other registers.
  while (end > begin + instruction.reads && kernel_.is_scoreboard(end[-1])) --end;
  const bool adds = ir::multiplies_by_group(kernel_.operation(instruction));
  Delay wait = outstanding.gap;
  for (const Outstanding::Result& result : outstanding.results) {
    const int64_t ready = adds ? result.chained : result.ready;
    if (ready > wait.cycles && std::find(begin, end, result.reg) != end) wait = {ready, result.cause};
  }
  return which_ == Case::worst ? longer(wait, wait_for_units(outstanding, instruction)) : wait;
}

// Requests to memory pass through units one after another. Another warp's request that waits for memory can occupy the
// load/store unit, while memory serves an earlier request of this warp: so this one waits for all of its own.
Delay Clock::wait_for_units(const Outstanding& outstanding, const ir::Instruction& instruction) const {
  const ir::Operation& operation = kernel_.operation(instruction);
  const bool waits_for_all = waits_for_memory(operation) || operation.call_time || operation.awaits_all;
  Delay wait = waits_for_all ? outstanding.finished : Delay{};
  for (const Occupancy& occupancy : costs_.of(instruction).occupancies) {
    wait = longer(wait, outstanding.unit_free[occupancy.resource]);
    // Those at the port have been in these units.
    if (costs_.shares && occupancy.resource == costs_.shares->units)
      wait = longer(wait, outstanding.unit_free[costs_.shares->port]);
  }
  if (ir::unit_class(operation.kind) == ir::UnitClass::load_store) {
    for (const Delay& free : outstanding.unit_free) wait = longer(wait, free);
  }
  return wait;
}

// Whether the register is a scoreboard that counts until the operands are read.
bool Clock::until_read(const ir::Instruction& instruction, ir::RegisterId reg) const {
  const auto& machine = kernel_.operation(instruction).machine;
  return costs_.operands_read && machine && machine->until_read && kernel_.is_scoreboard(reg) &&
         reg == kernel_.first_scoreboard + *machine->until_read;
}

void Clock::write_results(Outstanding& outstanding, ir::InstructionId id, int64_t result) const {
  const ir::Instruction& instruction = kernel_.instructions[id];
  const bool is_sum = which_ == Case::worst && ir::multiplies_by_group(kernel_.operation(instruction));
  for (uint32_t i = 0; i < instruction.writes; ++i) {
    const ir::RegisterId reg = kernel_.writes(instruction)[i];
    const int64_t ready = until_read(instruction, reg) ? std::min(result, *costs_.operands_read) : result;
    const auto at = std::lower_bound(outstanding.results.begin(), outstanding.results.end(), reg,
                                     [](const Outstanding::Result& r, ir::RegisterId other) { return r.reg < other; });
    const int64_t chained = is_sum && !kernel_.is_scoreboard(reg) ? 0 : ready;
    if (at != outstanding.results.end() && at->reg == reg) {
      if (ready > at->ready) *at = {reg, id, ready, at->chained};
      at->chained = std::max(at->chained, chained);
    } else if (ready > 0) {
      outstanding.results.insert(at, {reg, id, ready, chained});
    }
  }
}

// A unit of its own makes a bulk copy, so that its lines may overtake what its warp has asked for before, and be
// overtaken. So nothing is under way when it begins, and the warp goes on when all lines have been served: whichever of
// the warp's requests they keep waiting in a run, and when, each line does so once, and its time has been counted
// before the first of them.
void Clock::occupy_units(Outstanding& outstanding, ir::InstructionId id) const {
  const bool is_copy = ir::is_bulk_copy(kernel_.operation(kernel_.instructions[id]));
  for (const Occupancy& occupancy : costs_.of(kernel_.instructions[id]).occupancies) {
    const int64_t occupied = costs_.occupied_cycles(occupancy, transactions(id)).value().value_or(largest_figure);
    Delay& free = outstanding.unit_free[occupancy.resource];
    free = longer(free, {occupied, id});
    outstanding.finished = longer(outstanding.finished, free);
    if (is_copy) outstanding.gap = longer(outstanding.gap, free);
  }
}

// What an asynchronous copy has read is written to shared memory at some time before it is over, and keeps units of the
// multiprocessor that later instructions of its warp want too. Whichever of these it keeps waiting or is kept waiting
// by, it does so for no longer than it occupies the units. So all that is outstanding and all that follows is taken to
// be over that much later: its request for lines comes behind those before it, as that of a load does.
int64_t Clock::written_later(ir::InstructionId id) const {
  const ir::Instruction& instruction = kernel_.instructions[id];
  if (which_ != Case::worst || !ir::is_async_copy(kernel_.operation(instruction))) return 0;
  int64_t longest = 0;
  for (const Occupancy& occupancy : costs_.of(instruction).occupancies) {
    if (machine_.resources[occupancy.resource].lines) continue;
    longest = std::max(longest, costs_.occupied_cycles(occupancy, transactions(id)).value().value_or(largest_figure));
  }
  return longest;
}

// The machine instructions that it stands for, each until it is over. In `beside` those are one after another that
// stand beside; where the figures are those of a whole sequence, only those on its longest chain are.
int64_t Clock::one_by_one(ir::InstructionId id) const {
  const OperationFigures& cost = costs_.of(kernel_.instructions[id]);
  int64_t own = std::max(latency(id), cost.gap) - cost.of_others;
  for (const Occupancy& occupancy : cost.occupancies) {
    own = std::max(own, costs_.occupied_cycles(occupancy, transactions(id)).value().value_or(largest_figure));
  }
  const int64_t off_chain = cost.expanded ? 0 : (cost.instructions - 1) * longest_instruction_ - cost.of_others;
  return cost.of_others + own + std::max<int64_t>(0, off_chain);
}

int64_t Clock::issue(State& state, ir::InstructionId id) const {
  const ir::Instruction& instruction = kernel_.instructions[id];
  const OperationFigures& cost = costs_.of(instruction);
  Outstanding& outstanding = state.outstanding;
  const Delay waited = wait(outstanding, instruction);
  elapse(outstanding, waited.cycles);
  state.now += waited.cycles;

  const int64_t ready = this->ready(outstanding, id);
  write_results(outstanding, id, ready);
  // A software sequence is that many machine instructions of one warp.
  outstanding.gap = longer({}, {cost.instructions * machine_.issue_gap, id});
  if (which_ == Case::worst || kernel_.operation(instruction).call_time) {
    outstanding.gap = longer(outstanding.gap, {cost.gap, id});
  }
  if (which_ == Case::worst) occupy_units(outstanding, id);
  if (one_by_one_) outstanding.gap = longer(outstanding.gap, {one_by_one(id), id});
  outstanding.gap.cycles += asleep(id);
  outstanding.finished = longer(longer(outstanding.finished, {ready, id}), outstanding.gap);

  const Delay writing = {written_later(id), id};
  state.now += writing.cycles;  // and all that is outstanding is as much later
  if (record_ != nullptr) {
    record_->add(waited);
    if (writing.cycles > 0) record_->add(writing);
  }
  return waited.cycles + writing.cycles;
}

// The later of two times for each register of either, both ascending.
std::vector<Outstanding::Result> later_results(const std::vector<Outstanding::Result>& a,
                                               const std::vector<Outstanding::Result>& b) {
  std::vector<Outstanding::Result> results;
  size_t i = 0;
  for (const Outstanding::Result& result : a) {
    while (i < b.size() && b[i].reg < result.reg) results.push_back(b[i++]);
    results.push_back(result);
    if (i < b.size() && b[i].reg == result.reg) {
      if (b[i].ready > result.ready) results.back() = b[i];
      results.back().chained = std::max(result.chained, b[i].chained);
      ++i;
    }
  }
  results.insert(results.end(), b.begin() + static_cast<ptrdiff_t>(i), b.end());
  return results;
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
  o.results = later_results(o.results, other.results);
  for (size_t r = 0; r < o.unit_free.size(); ++r) o.unit_free[r] = longer(o.unit_free[r], other.unit_free[r]);
  o.gap = longer(o.gap, other.gap);
  o.finished = longer(o.finished, other.finished);
  return later;
}

// Iterations are simulated until what is outstanding is as it was some iterations before: from there on every period
// takes the same time. Should no period show within `patience` of them, each is taken to begin with nothing
// outstanding.
WarpState Clock::repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
  constexpr size_t patience = 256;
  std::vector<State> history = {state};
  for (int64_t iteration = 1; iteration <= times; ++iteration) {
    State next = body(history.back());
    for (size_t i = 0; i < history.size(); ++i) {
      if (!same(history[i], next)) continue;
      const auto period = static_cast<int64_t>(history.size() - i);
      const Integer growth = next.now - history[i].now;
      const int64_t left = times - iteration;
      const WarpState& last = history[i + static_cast<size_t>(left % period)];
      State result = last;
      const int64_t more = left / period + 1;
      result.now = last.now + growth * Integer(more);
      result.path = path_of({{last.path, 1}, {next.path, more}, {history[i].path, -more}});
      return result;
    }
    if (iteration == times) return next;
    if (history.size() == patience) return serialize(next, body(start()), times - iteration);
    history.push_back(std::move(next));
  }
  return state;
}

// A share of the wait of a loop each time its header runs, when everything that was outstanding is over (waiting.cpp).
void Clock::wait_at(State& state, ir::BlockId id) const {
  const auto own = which_ == Case::worst ? waits_.find(id) : waits_.end();
  if (own == waits_.end()) return;
  for (const Delay& wait : {state.outstanding.finished, Delay{own->second.cycles, kernel_.blocks[id].first}}) {
    state.now += wait.cycles;
    if (record_ != nullptr) record_->add(wait);
  }
  state.outstanding = start().outstanding;
}

// The cycles between the issues of clock reads that follow one another in the block.
std::vector<int64_t> elapsed_between_reads(const ir::Kernel& kernel, const ir::Block& block, const Clock& clock) {
  std::vector<int64_t> readings;
  WarpState state = clock.start();
  bool begun = false;
  int64_t elapsed = 0;
  for (uint32_t i = 0; i < block.count; ++i) {
    const ir::Instruction& instruction = kernel.instructions[block.first + i];
    elapsed += clock.issue(state, block.first + i);
    if (!kernel.operation(instruction).reads_clock) continue;
    if (begun) readings.push_back(elapsed);
    begun = true;
    elapsed = 0;
  }
  return readings;
}

}  // namespace

support::Result<int64_t> one_warp_time(const CostedKernel& costed, Case which, Order order) {
  const ir::Kernel& kernel = costed.kernel;
  const Clock clock(costed, which, order);
  const auto state = ir::Walk<Clock>(kernel, costed.flow, clock).run();
  if (!state) {
    support::Diagnostic error;
    error.location = kernel.location;
    error.message =
        "kernel " + support::quoted_symbol(kernel.name) + " never ends, or its control flow is nested too deeply";
    return error;
  }
  const auto cycles = clock.end(*state).value();
  if (!cycles) return exceeds_64_bits(kernel, "the cycles of one warp");
  return *cycles;
}

// States that differ only in who keeps the warp waiting take the same time, and so the bound takes them for one; here
// the iterations of a loop that are left out would count for whoever the first ones waited for. What is counted by
// cause stays the same number of cycles unless it keeps a loop from its period for more than `patience` iterations.
std::optional<WarpWaits> worst_case_waits(const CostedKernel& costed, Order order, int64_t cycles) {
  const ir::Kernel& kernel = costed.kernel;
  WaitRecord record;
  Clock clock(costed, Case::worst, order);
  clock.write_to(record);
  const auto state = ir::Walk<Clock>(kernel, costed.flow, clock).run();
  if (!state || !(clock.end(*state) == Integer(cycles))) return std::nullopt;
  return record.waits(clock.end_of_path(*state), kernel.instructions.size(), kernel.blocks.size());
}

std::vector<ClockReading> clock_readings(const CostedKernel& costed) {
  const ir::Kernel& kernel = costed.kernel;
  std::vector<ClockReading> readings;
  for (const ir::Block& block : kernel.blocks) {
    std::vector<uint32_t> lines;
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Instruction& instruction = kernel.instructions[block.first + i];
      if (kernel.operation(instruction).reads_clock) lines.push_back(instruction.line);
    }
    if (lines.size() < 2) continue;
    const auto elapsed = [&](Case which) { return elapsed_between_reads(kernel, block, Clock(costed, which)); };
    const auto best = elapsed(Case::best), average = elapsed(Case::average), worst = elapsed(Case::worst);
    for (size_t i = 0; i + 1 < lines.size(); ++i) {
      readings.push_back({lines[i], lines[i + 1], best[i], average[i], worst[i]});
    }
  }
  return readings;
}

}  // namespace warpspan::timing
