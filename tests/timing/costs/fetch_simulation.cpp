// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/timing/costs/fetch_simulation.hpp"

#include "timing/costs/code_layout.hpp"

namespace warpspan::test {

FetchSimulation::FetchSimulation(const TestKernel& k, const timing::Machine& machine, const FetchRun& run,
                                 Random& random)
    : kernel_(k.kernel),
      flow_(k.flow),
      machine_(machine),
      run_(run),
      random_(random),
      costs_(*costs_of(k.kernel, machine)) {
  const int64_t per_line = machine.fetch->instructions;
  offset_ = below(random, per_line);
  int64_t place = 0;
  for (const ir::Instruction& i : kernel_.instructions) {
    place_.push_back(place);
    place += costs_.of(i).instructions;
  }
  for (int64_t b = 0; b < run.blocks; ++b) {
    // Dealt in turn; where blocks follow one another, from any scheduler on.
    const bool from_first = run.any_place || run.blocks <= machine.multiprocessors;
    const int64_t first = from_first ? 0 : below(random, machine.schedulers);
    for (int64_t w = 0; w < run.warps_per_block; ++w) {
      Warp warp;
      warp.block = b;
      warp.multiprocessor = b % machine.multiprocessors;
      warp.scheduler = (first + w) % machine.schedulers;
      warp.trace = random_trace();
      warp.ready.assign(kernel_.registers + 1, 0);
      warps_.push_back(std::move(warp));
    }
  }
  lines_ = timing::lines_of(place, per_line).value().value_or(INT64_MAX);
  for (size_t level = 0; level < machine.fetch->caches.size(); ++level) {
    const int64_t capacity = machine.fetch->caches[level].bytes / machine.fetch->line;
    LineCache cache(capacity, run.ways[level]);
    for (int64_t line = 0; run.warm && lines_ <= capacity && line < lines_; ++line) cache.put(line);
    caches_.emplace_back(warps_.size() + static_cast<size_t>(machine.multiprocessors * machine.schedulers), cache);
  }
}

// Which copy of a cache a warp fetches through.
size_t FetchSimulation::copy_of(size_t level, size_t warp) const {
  using enum timing::ResourceFigures::Sharing;
  const timing::CodeCache& cache = machine_.fetch->caches[level];
  const Warp& w = warps_[warp];
  if (run_.own_caches && cache.bytes / machine_.fetch->line < lines_) {
    return static_cast<size_t>(machine_.multiprocessors * machine_.schedulers) + warp;
  }
  if (cache.sharing == device) return 0;
  if (cache.sharing == multiprocessor) return static_cast<size_t>(w.multiprocessor * machine_.schedulers);
  return static_cast<size_t>(w.multiprocessor * machine_.schedulers + w.scheduler);
}

std::vector<int64_t>& FetchSimulation::servers(size_t resource, int64_t multiprocessor, int64_t scheduler) {
  using Sharing = timing::ResourceFigures::Sharing;
  const timing::ResourceFigures& figures = machine_.resources[resource];
  int64_t copy = 0;
  if (figures.sharing != Sharing::device) copy = multiprocessor * machine_.schedulers;
  if (figures.sharing == Sharing::scheduler) copy += scheduler;
  auto& free_at = servers_[{resource, copy}];
  free_at.resize(static_cast<size_t>(figures.servers));
  return free_at;
}

bool FetchSimulation::is_free(size_t resource, int64_t multiprocessor, int64_t scheduler) {
  const auto& free_at = servers(resource, multiprocessor, scheduler);
  return *std::min_element(free_at.begin(), free_at.end()) <= now_;
}

void FetchSimulation::hold(const timing::Occupancy& hold, int64_t cycles, const Warp& warp) {
  auto& free_at = servers(hold.resource, warp.multiprocessor, warp.scheduler);
  *std::min_element(free_at.begin(), free_at.end()) = now_ + cycles;
}

// Some way through the kernel; no loop is run more often than its trip count says.
std::vector<ir::InstructionId> FetchSimulation::random_trace() {
  std::vector<ir::InstructionId> trace;
  std::map<ir::LoopId, int64_t> left;
  ir::BlockId block = 0;
  while (true) {
    for (uint32_t i = 0; i < kernel_.blocks[block].count; ++i) trace.push_back(kernel_.blocks[block].first + i);
    std::vector<ir::BlockId> ways;
    std::vector<ir::BlockId> back;
    for (const ir::BlockId way : kernel_.blocks[block].successors) {
      const ir::LoopId loop = flow_.blocks[way].loop;
      const bool header = loop != ir::no_loop && flow_.loops[loop].header == way;
      (header && way <= block ? back : ways).push_back(way);
    }
    if (ways.empty() && back.empty()) return trace;
    const bool can_repeat = !back.empty() && left[flow_.blocks[back.front()].loop] > 0;
    const bool repeat = can_repeat && (run_.whole_loops || ways.empty() || below(random_, 8) > 0);
    const ir::BlockId to = repeat ? back.front() : ways[static_cast<size_t>(below(random_, std::ssize(ways)))];
    const ir::LoopId loop = flow_.blocks[to].loop;
    if (repeat) {
      --left[loop];
    } else if (loop != ir::no_loop && flow_.loops[loop].header == to) {
      left[loop] = *flow_.loops[loop].trip_count - 1;
    }
    block = to;
  }
}

// A block starts when one of its multiprocessor has ended.
void FetchSimulation::start_blocks() {
  std::vector<int64_t> running(static_cast<size_t>(machine_.multiprocessors));
  for (int64_t b = 0; b < run_.blocks; ++b) {
    const auto first = static_cast<size_t>(b * run_.warps_per_block);
    const auto last = first + static_cast<size_t>(run_.warps_per_block);
    const bool ended =
        std::all_of(warps_.begin() + static_cast<ptrdiff_t>(first), warps_.begin() + static_cast<ptrdiff_t>(last),
                    [&](const Warp& w) { return over(w); });
    if (ended) continue;
    auto place = static_cast<size_t>(warps_[first].multiprocessor);
    if (run_.any_place && !warps_[first].started) {
      const auto has_room = [&](int64_t count) { return count < run_.resident; };
      const auto found = std::find_if(running.begin(), running.end(), has_room);
      if (found == running.end()) continue;
      place = static_cast<size_t>(found - running.begin());
    }
    if (!warps_[first].started && running[place] == run_.resident) continue;
    ++running[place];
    for (size_t w = first; w < last; ++w) {
      warps_[w].started = true;
      warps_[w].multiprocessor = static_cast<int64_t>(place);
    }
  }
}

bool FetchSimulation::operands_ready(const Warp& warp) const {
  if (warp.may_issue > now_) return false;
  const ir::Instruction& i = instruction(warp);
  const ir::RegisterId* used = kernel_.reads(i);
  return std::all_of(used, used + i.reads + i.writes, [&](ir::RegisterId r) { return warp.ready[r] <= now_; });
}

bool FetchSimulation::units_free(const Warp& warp) {
  const auto& holds = costs_.of(instruction(warp)).occupancies;
  return std::all_of(holds.begin(), holds.end(), [&](const timing::Occupancy& h) {
    return is_free(h.resource, warp.multiprocessor, warp.scheduler);
  });
}

void FetchSimulation::find_actions() {
  actions_.clear();
  for (size_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (!warp.started || over(warp) || warp.at_barrier || warp.asked) continue;
    if (warp.fetched) {
      if (operands_ready(warp) && units_free(warp)) actions_.push_back({Action::issue, w, static_cast<int64_t>(w)});
    } else if (!run_.look_late || operands_ready(warp)) {
      actions_.push_back({Action::look, w, static_cast<int64_t>(w)});
    }
  }
  for (const size_t r : active_) {
    const Request& request = requests_[r];
    if (request.state != Request::queued) continue;
    const Warp& warp = warps_[static_cast<size_t>(request.warp)];
    const auto& holds = machine_.fetch->caches[request.level].occupancies;
    const bool can = std::all_of(holds.begin(), holds.end(), [&](const timing::Occupancy& h) {
      return !waits_for(request.level, h) || is_free(h.resource, warp.multiprocessor, warp.scheduler);
    });
    if (can) actions_.push_back({Action::start, r, request.warp});
  }
}

const FetchSimulation::Action& FetchSimulation::pick() {
  if (run_.policy == 0 && !run_.lines_last) return actions_[static_cast<size_t>(below(random_, std::ssize(actions_)))];
  const auto rank = [&](const Action& a) {
    int64_t late = 0;
    if (run_.lines_last && a.what == Action::start) late = a.warp == 0 ? 2 : 1;
    const auto next = static_cast<int64_t>(warps_[static_cast<size_t>(a.warp)].next);
    const int64_t order = run_.policy == 1   ? a.warp
                          : run_.policy == 2 ? -a.warp
                          : run_.policy == 3 ? next
                          : run_.policy == 4 ? -next
                                             : 0;
    return std::pair(late, order);
  };
  return *std::min_element(actions_.begin(), actions_.end(),
                           [&](const Action& a, const Action& b) { return rank(a) < rank(b); });
}

void FetchSimulation::look(size_t w) {
  const int64_t line = line_of(warps_[w]);
  if (in_cache(0, w, line)) {
    Warp& warp = warps_[w];
    const int64_t slots = costs_.of(instruction(warp)).instructions;
    warp.fetched = ++warp.slot == slots;
  } else {
    warps_[w].asked = true;
    ask(0, w, line, std::nullopt);
  }
}

void FetchSimulation::ask(size_t level, size_t warp, int64_t line, std::optional<size_t> nearer) {
  const size_t copy = copy_of(level, warp);
  const auto same = [&](size_t r) {
    const Request& other = requests_[r];
    return other.state != Request::over && other.level == level && other.copy == copy && other.line == line;
  };
  const auto known = std::find_if(active_.begin(), active_.end(), same);
  size_t request = known == active_.end() ? requests_.size() : *known;
  if (known == active_.end()) {
    Request fresh;
    fresh.level = level;
    fresh.copy = copy;
    fresh.line = line;
    fresh.warp = static_cast<int64_t>(warp);
    requests_.push_back(fresh);
    active_.push_back(request);
  }
  if (nearer) {
    requests_[request].requests.push_back(*nearer);
    if (requests_[request].state == Request::under_way) keep_busy(requests_[request], warp);
  } else {
    requests_[request].warps.push_back(warp);
  }
}

bool FetchSimulation::waits_for(size_t level, const timing::Occupancy& hold) const {
  return machine_.resources[hold.resource].sharing >= machine_.fetch->caches[level].sharing;
}

// Whether a warp finds a line: where warps have caches of their own, in that of any which fetches through the same.
bool FetchSimulation::in_cache(size_t level, size_t warp, int64_t line) {
  if (caches_[level][copy_of(level, warp)].use(line)) return true;
  if (!run_.own_caches) return false;
  using Sharing = timing::ResourceFigures::Sharing;
  const Sharing sharing = machine_.fetch->caches[level].sharing;
  for (size_t w = 0; w < warps_.size(); ++w) {
    const bool together = sharing == Sharing::device || warps_[w].multiprocessor == warps_[warp].multiprocessor;
    const bool same = together && (sharing != Sharing::scheduler || warps_[w].scheduler == warps_[warp].scheduler);
    if (!same || !caches_[level][copy_of(level, w)].has(line)) continue;
    caches_[level][copy_of(level, warp)].put(line);
    return true;
  }
  return false;
}

// The resources of a warp's multiprocessor that a miss keeps while it is under way.
void FetchSimulation::keep_busy(const Request& request, size_t warp) {
  const Warp& w = warps_[warp];
  for (const timing::Occupancy& h : machine_.fetch->caches[request.level].occupancies) {
    if (waits_for(request.level, h)) continue;
    auto& free_at = servers(h.resource, w.multiprocessor, w.scheduler);
    auto& first = *std::min_element(free_at.begin(), free_at.end());
    first = std::max(first, now_ + std::min(h.cycles, request.until - now_));
  }
}

void FetchSimulation::begin(size_t r) {
  Request& request = requests_[r];
  const timing::CodeCache& cache = machine_.fetch->caches[request.level];
  const Warp& warp = warps_[static_cast<size_t>(request.warp)];
  request.state = Request::under_way;
  request.until = now_ + shortened(cache.miss);
  for (const timing::Occupancy& h : cache.occupancies) {
    if (waits_for(request.level, h)) hold(h, std::min(h.cycles, request.until - now_), warp);
  }
  keep_busy(request, static_cast<size_t>(request.warp));
  for (const size_t n : request.requests) keep_busy(request, static_cast<size_t>(requests_[n].warp));
}

void FetchSimulation::end_requests() {
  for (size_t i = 0; i < active_.size(); ++i) {
    const size_t r = active_[i];
    if (requests_[r].state != Request::under_way || requests_[r].until > now_) continue;
    const size_t next = requests_[r].level + 1;
    const auto warp = static_cast<size_t>(requests_[r].warp);
    const int64_t line = requests_[r].line;
    if (next == caches_.size() || in_cache(next, warp, line)) {
      complete(r);
    } else {
      requests_[r].state = Request::waiting;
      ask(next, warp, line, r);
    }
  }
  std::erase_if(active_, [this](size_t r) { return requests_[r].state == Request::over; });
}

void FetchSimulation::complete(size_t r) {
  requests_[r].state = Request::over;
  caches_[requests_[r].level][requests_[r].copy].put(requests_[r].line);
  for (const size_t w : requests_[r].warps) {
    Warp& warp = warps_[w];
    warp.asked = false;
    warp.fetched = ++warp.slot == costs_.of(instruction(warp)).instructions;
  }
  const std::vector<size_t> nearer = requests_[r].requests;
  for (const size_t n : nearer) complete(n);
}

void FetchSimulation::issue(size_t w) {
  Warp& warp = warps_[w];
  const ir::Instruction& i = instruction(warp);
  const int64_t transactions = flow_.transactions[warp.trace[warp.next]];
  const timing::OperationFigures& figures = costs_.of(i);
  for (const timing::Occupancy& h : figures.occupancies) {
    const int64_t cycles = shortened(*occupied_cycles(h, transactions).value());
    hold(h, cycles, warp);
    end_ = std::max(end_, now_ + cycles);
  }
  const int64_t latency = figures.latency.worst + figures.per_transaction * std::max<int64_t>(0, transactions - 1);
  const int64_t result = now_ + shortened(latency);
  end_ = std::max(end_, result);
  for (int r = 0; r < i.writes; ++r) warp.ready[kernel_.writes(i)[r]] = result;
  warp.may_issue = now_ + machine_.issue_gap;
  warp.at_barrier = kernel_.operation(i).kind == ir::OperationKind::barrier;
  ++warp.next;
  warp.slot = 0;
  warp.fetched = false;
  if (over(warp)) warp.at_barrier = false;
  const auto of_block = [&](const auto& use) {
    for (Warp& other : warps_) {
      if (other.block == warp.block) use(other);
    }
  };
  bool all = true;
  of_block([&](const Warp& other) { all = all && (other.at_barrier || over(other)); });
  if (all) of_block([](Warp& other) { other.at_barrier = false; });
}

int64_t FetchSimulation::next_event() const {
  int64_t next = INT64_MAX;
  const auto consider = [&](int64_t time) {
    if (time > now_) next = std::min(next, time);
  };
  for (const auto& [key, free_at] : servers_) {
    for (const int64_t time : free_at) consider(time);
  }
  for (const size_t r : active_) {
    if (requests_[r].state == Request::under_way) consider(requests_[r].until);
  }
  for (const Warp& warp : warps_) {
    if (!warp.started || over(warp)) continue;
    consider(warp.may_issue);
    for (const int64_t time : warp.ready) consider(time);
  }
  return next;
}

int64_t FetchSimulation::run() {
  const auto unfinished = [this] {
    return std::any_of(warps_.begin(), warps_.end(), [this](const Warp& w) { return !over(w); });
  };
  while (unfinished()) {
    start_blocks();
    end_requests();
    for (find_actions(); !actions_.empty(); find_actions()) {
      const Action action = pick();
      if (action.what == Action::look) look(action.index);
      if (action.what == Action::start) begin(action.index);
      if (action.what == Action::issue) issue(action.index);
      end_requests();
      start_blocks();
    }
    if (unfinished()) now_ = next_event();
  }
  return end_;
}

}  // namespace warpspan::test
