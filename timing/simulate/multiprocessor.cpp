// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/multiprocessor.hpp"

#include <algorithm>

namespace warpspan::timing {

namespace {

using Effect = ir::MachineDetail::Effect;

bool is_queued(const SimulatedCost& cost) {
  const bool asks = cost.effect == Effect::none;
  return cost.unit == SimulatedUnit::memory && asks;
}

bool is_special_register(const SimulatedCost& cost) {
  return cost.unit == SimulatedUnit::memory &&
         (cost.executes == ir::ExecutionUnit::none || cost.executes == ir::ExecutionUnit::uniform);
}

// What asks nothing of memory, and goes through the load/store units.
bool uses_port(const SimulatedCost& cost) {
  return cost.executes == ir::ExecutionUnit::shuffle || cost.executes == ir::ExecutionUnit::match_all ||
         is_special_register(cost);
}

size_t lines_of(const std::vector<SimulatedCost>& costs) {
  uint32_t most = 0;
  for (const SimulatedCost& cost : costs) most = std::max(most, cost.line_of_code);
  return most + 1;
}

}  // namespace

Multiprocessor::Multiprocessor(const std::vector<SimulatedCost>& costs, const SimulatedMachine& machine,
                               const SectorSharing& sharing, const BlocksToRun& work, SchedulingPolicy policy)
    : costs_(costs),
      machine_(machine),
      work_(work),
      policy_(policy),
      memory_(machine, sharing, work.l1_bytes, work.resident),
      code_(machine, lines_of(costs)),
      account_(costs.size()),
      timeline_(work.timeline_rows),
      schedulers_(static_cast<size_t>(machine.schedulers)),
      active_(sharing.active()) {}

MultiprocessorRun Multiprocessor::run() {
  const int64_t at_once = std::min(work_.resident, work_.blocks);
  for (int64_t i = 0; i < at_once; ++i) begin_block(i, 0);
  while (!blocks_.empty()) {
    double next = never;
    for (Scheduler& scheduler : schedulers_) {
      if (scheduler.next <= now_)
        scheduler.next = scheduler.idle_until > now_ ? scheduler.idle_until : issue(scheduler);
      next = std::min(next, scheduler.next);
    }
    if (blocks_.empty()) break;
    if (next == never) {
      run_.is_stuck = true;
      break;
    }
    now_ = std::max(now_ + 1, next);
  }
  std::sort(run_.ends.begin(), run_.ends.end());
  run_.cycles = run_.ends.empty() ? now_ : run_.ends.back();
  for (const Scheduler& scheduler : schedulers_) {
    for (size_t unit = 0; unit < units_of_scheduler; ++unit) run_.busy[unit] += scheduler.unit_busy[unit];
  }
  run_.traffic = memory_.traffic();
  run_.stalls = account_.take();
  run_.timeline = timeline_.take();
  return std::move(run_);
}

// The device launches one block after another, and a block one warp after another.
void Multiprocessor::begin_block(int64_t number, double from) {
  auto trace = work_.trace(number);
  if (!trace) return;
  auto block = std::make_unique<SimulatedBlock>();
  block->trace = std::move(*trace);
  block->number = number;
  next_block_ = std::max(next_block_, number + 1);
  from = std::max(from, last_block_);
  last_warp_ = from;
  last_block_ = from + machine_.blocks.interval * active_;
  block->alive = block->trace.warps.size();
  block->warps.resize(block->alive);
  for (size_t i = 0; i < block->warps.size(); ++i) {
    SimulatedWarp& warp = block->warps[i];
    last_warp_ += machine_.blocks.warp_interval;
    warp.block = block.get();
    warp.trace = &block->trace.warps[i];
    warp.begin = warp.ready = warp.fixed_until = warp.charged = last_warp_;
    warp.age = ++warps_begun_;
    warp.row = timeline_.begin(number, i, warp.begin);
    Scheduler& scheduler = schedulers_[(warps_begun_ - 1) % schedulers_.size()];
    scheduler.add(warp);
    scheduler.next = std::min(scheduler.next, warp.ready);
  }
  blocks_.push_back(std::move(block));
}

void Multiprocessor::end_block(SimulatedBlock& block) {
  run_.ends.push_back(now_);
  std::erase_if(blocks_, [&block](const auto& one) { return one.get() == &block; });
  if (next_block_ < work_.blocks) begin_block(next_block_, now_ + machine_.blocks.next_block);
}

// The scheduler issues one instruction if it can. When it should be asked again.
double Multiprocessor::issue(Scheduler& scheduler) {
  constexpr size_t none = SIZE_MAX;
  size_t best = none, able = 0;  // able: but for their units, which others may hold for longer by then
  double next = scheduler.list_asked(now_);
  for (size_t i = 0; i < scheduler.asked_count; ++i) {
    const size_t place = scheduler.asked[i];
    const SimulatedCost* prepared = scheduler.places[place].prepared;
    const double from = prepared == nullptr ? earliest(scheduler, place) : unit_of(scheduler, *prepared);
    able += scheduler.asked_from[place] <= now_ ? 1 : 0;
    if (from > now_) {
      // Units are never free earlier than they were going to be.
      scheduler.asked_from[place] = from;
      next = std::min(next, from);
    } else if (best == none ||
               scheduler.prefers(policy_, *scheduler.places[place].warp, *scheduler.places[best].warp)) {
      best = place;
    }
  }
  if (best == none) return next;
  SimulatedWarp& warp = *scheduler.places[best].warp;
  scheduler.idle_until = able == 1 ? next : 0;
  scheduler.last = &warp;
  scheduler.last_age = warp.age;
  if (!warp.is_done()) execute(scheduler, best);
  scheduler.idle_until = std::min(scheduler.idle_until, scheduler.asked_from[best]);
  if (warp.is_done()) {
    scheduler.idle_until = 0;
    scheduler.remove(best);
    scheduler.last = nullptr;
    run_.resident += now_ - warp.begin;
    timeline_.end(warp.row, now_ + 1);
    if (--warp.block->alive == 0) end_block(*warp.block);
  }
  return now_ + 1;
}

// False if a barrier that it waits for has not yet opened.
bool Multiprocessor::passes_barriers(SimulatedWarp& warp) {
  const auto& steps = warp.trace->steps;
  while (warp.next < steps.size() && steps[warp.next].instruction == ir::TracedStep::wait) {
    const auto number = static_cast<size_t>(steps[warp.next].request);
    const std::vector<double>& opened = warp.block->opened[number];
    if (opened.size() <= warp.seen[number]) return false;
    charge(warp, warp.ready, warp.behind_fixed);
    warp.ready = std::max(warp.ready, opened[warp.seen[number]++] + machine_.units.barrier);
    charge(warp, warp.ready, Stall::barrier);
    ++warp.next;
  }
  return true;
}

// When the scoreboards that the instruction waits for let it issue.
double Multiprocessor::scoreboards(SimulatedWarp& warp, const SimulatedCost& cost) {
  const Scoreboard* last = nullptr;
  for (size_t i = 0; i < machine_scoreboards; ++i) {
    if ((cost.waits >> i & 1) == 0) continue;
    if (last == nullptr || warp.boards[i].free > last->free) last = &warp.boards[i];
  }
  double from = warp.ready;
  if (last != nullptr && last->free > from) {
    from = last->free;
    charge(warp, from, last->why, last->owner);
  }
  if (cost.partly != no_scoreboard) {
    const std::vector<double>& groups = warp.boards[cost.partly].groups;
    if (groups.size() > cost.outstanding) from = std::max(from, groups[groups.size() - 1 - cost.outstanding]);
    charge(warp, from, Stall::copies);
  }
  return from;
}

// When the unit takes it.
double Multiprocessor::unit_of(const Scheduler& scheduler, const SimulatedCost& cost) const {
  if (cost.unit == SimulatedUnit::none) return now_;
  const double free = scheduler.unit_free[static_cast<size_t>(cost.unit)];
  if (!is_queued(cost)) return free;
  const double queue = machine_.units.port_queue;
  return std::max(free - queue, load_store_ - static_cast<double>(machine_.schedulers) * queue);
}

void Multiprocessor::charge_unit(SimulatedWarp& warp, const SimulatedCost& cost, double until) {
  charge(warp, until, is_queued(cost) ? Stall::memory_queue : Stall::unit);
}

// When the warp could issue, as far as is known now.
double Multiprocessor::earliest(Scheduler& scheduler, size_t place) {
  SimulatedWarp& warp = *scheduler.places[place].warp;
  double from = prepare(scheduler, warp);
  if (from > now_) return scheduler.asked_from[place] = from;
  if (warp.is_done()) return from;
  const SimulatedCost& cost = costs_[warp.current];
  if (cost.constant_line < 0) scheduler.places[place].prepared = &cost;
  from = unit_of(scheduler, cost);
  charge_unit(warp, cost, from);
  return from;
}

// The same, but for its unit.
double Multiprocessor::prepare(Scheduler& scheduler, SimulatedWarp& warp) {
  if (!warp.is_done()) {
    size_t next = warp.next;
    while (next < warp.trace->steps.size() && warp.trace->steps[next].instruction == ir::TracedStep::wait) ++next;
    if (next < warp.trace->steps.size()) warp.current = warp.trace->steps[next].instruction;
  }
  charge(warp, warp.fixed_until, Stall::fixed);
  if (!passes_barriers(warp)) return never;
  charge(warp, warp.ready, warp.behind_fixed);
  if (warp.ready > now_ || warp.is_done()) return warp.ready;
  const SimulatedCost& cost = costs_[warp.current];
  double from = scoreboards(warp, cost);
  if (from > now_) return from;
  if (warp.line_of_code != cost.line_of_code) {
    from = code_.fetch(now_, number_of(scheduler), cost.line_of_code);
    charge(warp, from, Stall::code);
    if (from > now_) return warp.ready = warp.fixed_until = from;
    warp.line_of_code = cost.line_of_code;
  }
  if (cost.constant_line < 0) return now_;
  from = code_.constant(now_, cost.constant_line);
  charge(warp, from, Stall::constant);
  if (from > now_) warp.ready = warp.fixed_until = from;
  return from;
}

void Multiprocessor::execute(Scheduler& scheduler, size_t place) {
  constexpr double commit = 4;  // cycles until a group without copies is done
  SimulatedWarp& warp = *scheduler.places[place].warp;
  const auto& steps = warp.trace->steps;
  const ir::TracedStep& step = steps[warp.next++];
  const SimulatedCost& cost = costs_[step.instruction];
  scheduler.places[place].prepared = nullptr;
  charge_unit(warp, cost, unit_of(scheduler, cost));
  charge(warp, now_, Stall::not_selected);
  account_.issue(step.instruction);
  timeline_.add(warp.row, {now_, now_ + 1, issuing, step.instruction});
  run_.issued += 1;
  warp.charged = now_ + 1;
  start_ = now_;
  if (cost.unit != SimulatedUnit::none) {
    const auto unit = static_cast<size_t>(cost.unit);
    start_ = std::max(start_, scheduler.unit_free[unit]);
    scheduler.unit_free[unit] = start_ + cost.occupied;
    scheduler.unit_busy[unit] += cost.occupied;
  }
  done_ = start_ + cost.result;
  read_ = start_ + machine_.units.operands_read;
  const ir::TracedRequest* asked =
      step.request < 0 ? nullptr : &warp.trace->requests[static_cast<size_t>(step.request)];
  fails_ = false;
  if (uses_port(cost)) {
    load_store_ = std::max(load_store_, start_) + cost.port * (asked == nullptr ? 1 : words_of(*asked));
    done_ = load_store_ + cost.result;
  } else if (asked != nullptr) {
    request(warp, cost, *asked);
  }
  switch (cost.effect) {
    case Effect::device_fence:
    case Effect::system_fence:
      fences_ =
          std::max(fences_, start_) + (cost.effect == Effect::device_fence ? machine_.units.device_fence_occupies
                                                                           : machine_.units.system_fence_occupies);
      done_ = std::max({done_, fences_, warp.stores + machine_.atomics.result});
      break;
    case Effect::block_fence: done_ = std::max(done_, warp.stores); break;
    case Effect::commits_copies: done_ = std::max(now_ + commit, warp.copies); break;
    case Effect::commits_bulk_copies: done_ = std::max(done_, warp.copies); break;
    case Effect::commits_products: warp.products.push_back(done_); break;
    default: break;
  }
  set_scoreboards(warp, cost, asked);
  const bool follows = warp.is_done() || steps[warp.next].instruction == ir::TracedStep::wait ||
                       costs_[steps[warp.next].instruction].place == cost.place + 1;
  warp.fixed_until = now_ + cost.stall;
  warp.behind_fixed = Stall::branch;
  warp.ready = warp.fixed_until + (follows ? 0 : machine_.units.branch) + cost.elsewhere;
  if (asked != nullptr && asked->kind == ir::TracedRequest::Kind::sleep)
    warp.ready = warp.fixed_until = std::max(warp.ready, now_ + sleep_of(*asked));
  wait_behind(warp, cost);
  if (fails_) {
    warp.next = warp.loaded;
    warp.ready = done_ + machine_.units.branch;
    warp.behind_fixed = Stall::shared;
  }
  scheduler.asked_from[place] = warp.ready;
}

// What the warp waits for before any other instruction.
void Multiprocessor::wait_behind(SimulatedWarp& warp, const SimulatedCost& cost) {
  if (cost.effect == Effect::device_fence || cost.effect == Effect::system_fence) {
    warp.ready = done_;
    warp.behind_fixed = Stall::fence;
  } else if (cost.effect == Effect::awaits_products && warp.products.size() > cost.outstanding) {
    warp.ready = std::max(warp.ready, warp.products[warp.products.size() - 1 - cost.outstanding]);
    warp.behind_fixed = Stall::result;
  }
}

void Multiprocessor::set_scoreboards(SimulatedWarp& warp, const SimulatedCost& cost, const ir::TracedRequest* request) {
  const bool is_far = request != nullptr && ir::is_beyond_multiprocessor(request->kind);
  const bool is_near = cost.unit == SimulatedUnit::memory && !is_far && !is_special_register(cost);
  const auto set = [&warp](uint8_t number, double free, Stall why) {
    Scoreboard& board = warp.boards[number];
    if (free <= board.free) return;
    board.free = free;
    board.why = why;
    board.owner = warp.current;
  };
  if (cost.written != no_scoreboard) {
    const bool commits = cost.effect == Effect::commits_copies || cost.effect == Effect::commits_bulk_copies;
    set(cost.written, done_,
        commits   ? Stall::copies
        : is_far  ? Stall::memory
        : is_near ? Stall::shared
                  : Stall::result);
    if (commits) warp.boards[cost.written].groups.push_back(warp.boards[cost.written].free);
  }
  if (cost.read != no_scoreboard) set(cost.read, read_, Stall::operands);
}

void Multiprocessor::arrive(SimulatedWarp& warp, const ir::TracedRequest& request) {
  SimulatedBlock& block = *warp.block;
  const size_t number = request.first;
  warp.loaded_at = never;
  arrivals_ = std::max(arrivals_, now_) + machine_.units.barrier_warp;
  block.arrived[number] += request.count;
  const std::vector<uint32_t>& openings = block.trace.openings[number];
  const size_t opened = block.opened[number].size();
  if (opened >= openings.size() || block.arrived[number] < openings[opened]) return;
  block.arrived[number] -= openings[opened];
  block.opened[number].push_back(arrivals_);
  for (Scheduler& scheduler : schedulers_) {
    scheduler.next = std::min(scheduler.next, now_ + 1);
    scheduler.idle_until = 0;
    for (size_t place = 0; place < scheduler.places.size(); ++place) {
      double& asked_from = scheduler.asked_from[place];
      if (asked_from == never && scheduler.places[place].warp->block == &block) asked_from = now_;
    }
  }
}

}  // namespace warpspan::timing
