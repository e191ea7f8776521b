// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/slowest_run.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "timing/bounds/pipeline_run.hpp"
#include "timing/simulate/simulated_cost.hpp"

namespace warpspan::timing {

namespace {

using Effect = ir::MachineDetail::Effect;
using Kind = ir::TracedRequest::Kind;

constexpr int64_t parts_of_cycle = 1000;  // in which units are occupied
constexpr int64_t for_ever = std::numeric_limits<int64_t>::max();

int64_t in_cycles(int64_t parts) { return (parts + parts_of_cycle - 1) / parts_of_cycle; }

// What a machine instruction of the priced code takes.
struct SlowCost {
  struct Use {
    size_t resource = 0;
    bool of_device = false;
    int64_t first = 0, further = 0;  // parts of a cycle
  };
  int64_t latency = 1, per_transaction = 0, gap = 1;
  int64_t most_transactions = 1;
  int64_t translation = 0;  // that the first access to a page takes longer
  bool refreshes = false;   // it does not go on while the memory refreshes itself
  std::vector<Use> uses;
};

// An instruction of the kernel: the reads of constants that the bound puts before it, and what its control fields say.
struct SlowInstruction {
  std::vector<SlowCost> costs;  // its own last
  SimulatedCost control;
  int64_t until_read = 0;
  int64_t code_line = 0;
  int64_t most_blocks = std::numeric_limits<int64_t>::max();  // of the grid, that execute it
};

void take_least(SlowCost& cost, const SlowCost& other) {
  cost.latency = std::min(cost.latency, other.latency);
  cost.per_transaction = std::min(cost.per_transaction, other.per_transaction);
  cost.gap = std::min(cost.gap, other.gap);
  cost.most_transactions = std::min(cost.most_transactions, other.most_transactions);
  cost.translation = std::min(cost.translation, other.translation);
  cost.refreshes = cost.refreshes && other.refreshes;
  std::erase_if(cost.uses, [&other](SlowCost::Use& use) {
    const auto same = std::find_if(other.uses.begin(), other.uses.end(),
                                   [&use](const SlowCost::Use& each) { return each.resource == use.resource; });
    if (same == other.uses.end()) return true;
    use.first = std::min(use.first, same->first);
    use.further = std::min(use.further, same->further);
    return false;
  });
}

void take_least(SlowInstruction& all, const SlowInstruction& other) {
  if (other.costs.size() < all.costs.size())
    all.costs.erase(all.costs.begin(), all.costs.end() - static_cast<std::ptrdiff_t>(other.costs.size()));
  for (size_t i = 1; i <= all.costs.size(); ++i) take_least(*(all.costs.end() - i), *(other.costs.end() - i));
  all.until_read = std::min(all.until_read, other.until_read);
  all.most_blocks = std::min(all.most_blocks, other.most_blocks);
}

// Where a function is called at several places, the kernel has a copy of it for each; which of them was executed no
// trace tells: it names the first. What the bound knows of one, such as that the L2 has kept what it loads, it need not
// know of another. So each takes what the cheapest one takes: a run becomes shorter by it, never longer.
void make_copies_alike(std::vector<SlowInstruction>& all, const SimulatedLaunch& launch) {
  std::map<std::pair<uint32_t, ir::OperationKind>, SlowInstruction> least;
  const auto key = [&launch](ir::InstructionId id) {
    return std::pair(launch.details[id].place, launch.kernel.operation(launch.kernel.instructions[id]).kind);
  };
  for (ir::InstructionId id = 0; id < all.size(); ++id) {
    const auto [known, fresh] = least.try_emplace(key(id), all[id]);
    if (!fresh) take_least(known->second, all[id]);
  }
  for (ir::InstructionId id = 0; id < all.size(); ++id) all[id] = least.at(key(id));
}

// flow: of the launch's kernel.
std::vector<SlowInstruction> slow_instructions(const SimulatedLaunch& launch, const ir::Flow& flow,
                                               const PricedWarp& priced, const Machine& machine) {
  const ir::Kernel& kernel = priced.code.kernel;
  const std::vector<SimulatedCost> controls = simulated_costs(launch.kernel, launch.details, {});
  std::vector<SlowInstruction> all(launch.kernel.instructions.size());
  for (ir::InstructionId id = 0; id < kernel.instructions.size(); ++id) {
    const OperationFigures& figures = priced.costs.of(kernel.instructions[id]);
    SlowCost cost;
    cost.latency = std::max<int64_t>(1, figures.latency.worst);
    cost.per_transaction = figures.per_transaction;
    cost.gap = std::max({int64_t{1}, figures.gap, figures.instructions * machine.issue_gap});
    cost.most_transactions = std::max<int64_t>(1, priced.code.flow.transactions[id]);
    const Service& service = priced.code.services.operations[kernel.instructions[id].operation];
    cost.translation = service.pages_once ? machine.translation->cycles : 0;
    cost.refreshes = service.refresh_by_time && !service.hit;
    for (const Occupancy& occupied : figures.occupancies) {
      const bool of_device = machine.resources[occupied.resource].sharing == ResourceFigures::Sharing::device;
      const int64_t ticks = priced.costs.ticks[occupied.resource];
      cost.uses.push_back({occupied.resource, of_device, occupied.first * parts_of_cycle / ticks,
                           occupied.per_transaction ? occupied.cycles * parts_of_cycle / ticks : 0});
    }
    all[priced.origins[id]].costs.push_back(std::move(cost));
  }
  for (ir::InstructionId id = 0; id < all.size(); ++id) {
    all[id].control = controls[id];
    if (all[id].costs.empty()) all[id].costs.emplace_back();
    const int64_t latency = all[id].costs.back().latency;
    all[id].until_read = std::min(latency, priced.costs.operands_read.value_or(latency));
    if (machine.fetch) all[id].code_line = launch.details[id].place / machine.fetch->instructions;
  }
  for (ir::BlockId b = 0; b < launch.kernel.blocks.size(); ++b) {
    const ir::Block& block = launch.kernel.blocks[b];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      if (const auto blocks = ir::blocks_that_execute(flow, b, id)) all[id].most_blocks = blocks->some;
    }
  }
  make_copies_alike(all, launch);
  return all;
}

struct SlowBlock;

struct SlowWarp {
  SlowBlock* block = nullptr;
  const ir::WarpTrace* trace = nullptr;
  size_t scheduler = 0;
  size_t next = 0;  // of its steps
  size_t part = 0;  // of the costs of that instruction
  bool has_code = false;
  int64_t may_issue = 0, until = 0;
  int64_t from = 0;  // it cannot issue before
  uint64_t age = 0;
  bool is_starved = false;
  int64_t copies = 0;  // when those are over that it has begun
  std::array<int64_t, machine_scoreboards> boards{};
  std::array<std::vector<int64_t>, machine_scoreboards> groups;  // of copies that each counts
  std::array<size_t, ir::barriers_of_block> seen{};
  bool is_done() const { return next >= trace->steps.size(); }
};

struct SlowBlock {
  const ir::BlockTrace* trace = nullptr;
  int64_t at_once = 1;  // blocks of the device that run at the same time, one on each multiprocessor
  std::vector<SlowWarp> warps;
  size_t alive = 0;
  std::array<uint32_t, ir::barriers_of_block> arrived{};
  std::array<int64_t, ir::barriers_of_block> last{};               // when the latest arrival lets go on
  std::array<std::vector<int64_t>, ir::barriers_of_block> opened;  // when
};

struct SlowLaunch {
  const std::vector<SlowInstruction>& instructions;
  const std::vector<ir::BlockTrace>& blocks;  // that are followed
  const Machine& machine;
  int64_t grid = 1;
  size_t resident = 1;
  AssumptionSet assumed;
  AssumptionSet of_code;  // FetchCost::relied
};

// One multiprocessor under one order.
class SlowMultiprocessor {
 public:
  SlowMultiprocessor(const SlowLaunch& launch, IssueOrder order) : launch_(launch), order_(order) {
    const Machine& machine = launch.machine;
    schedulers_ = static_cast<size_t>(machine.schedulers);
    last_.assign(schedulers_, 0);
    lines_.resize(schedulers_);
    for (const ResourceFigures& resource : machine.resources) {
      const bool own = resource.sharing == ResourceFigures::Sharing::scheduler;
      servers_.emplace_back(own ? schedulers_ : 1, std::vector<int64_t>(static_cast<size_t>(resource.servers)));
    }
  }

  // Cycles until all is over; ends: when blocks ended, ascending. Nothing if warps wait for ever.
  std::optional<int64_t> run(std::vector<int64_t>& ends) {
    while (running_.size() < launch_.resident && begin_block(0)) {
    }
    while (!running_.empty()) {
      int64_t next = for_ever;
      for (size_t i = 0; i < schedulers_; ++i) next = std::min(next, issue(i));
      if (running_.empty()) break;
      if (next == for_ever) return std::nullopt;
      now_ = std::max(next, now_ + (next <= now_ ? 1 : 0));
    }
    std::sort(ends_.begin(), ends_.end());
    ends = ends_;
    return end_;
  }

 private:
  bool begin_block(int64_t from) {
    if (next_block_ >= launch_.blocks.size()) return false;
    auto block = std::make_unique<SlowBlock>();
    const int64_t before = static_cast<int64_t>(next_block_) * launch_.machine.multiprocessors;
    block->at_once = std::min(launch_.grid - before, launch_.machine.multiprocessors);
    block->trace = &launch_.blocks[next_block_++];
    block->alive = block->trace->warps.size();
    block->warps.resize(block->alive);
    for (size_t i = 0; i < block->warps.size(); ++i) {
      SlowWarp& warp = block->warps[i];
      warp.block = block.get();
      warp.trace = &block->trace->warps[i];
      warp.scheduler = static_cast<size_t>(warps_begun_ % schedulers_);
      warp.age = ++warps_begun_;
      warp.may_issue = warp.from = from;
      warp.is_starved = i == 0;
      warps_.push_back(&warp);
    }
    running_.push_back(std::move(block));
    return true;
  }

  void end_warp(SlowWarp& warp) {
    SlowBlock* const block = warp.block;
    std::erase(warps_, &warp);
    if (--block->alive > 0) return;
    ends_.push_back(now_);
    std::erase_if(running_, [block](const auto& each) { return each.get() == block; });
    begin_block(now_ + 1 + (launch_.machine.dispatch ? launch_.machine.dispatch->latency : 0));
  }

  const SlowInstruction& instruction(const SlowWarp& warp) const {
    return launch_.instructions[warp.trace->steps[warp.next].instruction];
  }

  std::vector<int64_t>& servers(size_t resource, const SlowWarp& warp) {
    auto& all = servers_[resource];
    return all.size() > 1 ? all[warp.scheduler] : all.front();
  }
  int64_t& server(size_t resource, const SlowWarp& warp) {
    auto& all = servers(resource, warp);
    return *std::min_element(all.begin(), all.end());
  }

  // When its next machine instruction can issue, as far as is known now.
  int64_t ready(SlowWarp& warp) {
    if (!passes_barriers(warp)) return for_ever;
    if (warp.is_done()) return warp.may_issue;
    const SlowInstruction& own = instruction(warp);
    int64_t time = std::max(warp.may_issue, warp.until);
    for (size_t i = 0; i < machine_scoreboards; ++i) {
      if ((own.control.waits >> i & 1) != 0) time = std::max(time, warp.boards[i]);
    }
    if (own.control.partly != no_scoreboard) {
      const std::vector<int64_t>& groups = warp.groups[own.control.partly];
      if (groups.size() > own.control.outstanding)
        time = std::max(time, groups[groups.size() - 1 - own.control.outstanding]);
    }
    if (time > now_) return time;
    if (!warp.has_code) {
      warp.has_code = true;
      warp.until = std::max(warp.until, fetched(warp.scheduler, own.code_line));
      if (warp.until > now_) return warp.until;
    }
    for (const SlowCost::Use& use : own.costs[warp.part].uses)
      time = std::max(time, in_cycles(server(use.resource, warp)));
    return time;
  }

  bool passes_barriers(SlowWarp& warp) {
    const auto& steps = warp.trace->steps;
    while (!warp.is_done() && steps[warp.next].instruction == ir::TracedStep::wait) {
      const auto number = static_cast<size_t>(steps[warp.next].request);
      const std::vector<int64_t>& opened = warp.block->opened[number];
      if (opened.size() <= warp.seen[number]) return false;
      warp.may_issue = std::max(warp.may_issue, opened[warp.seen[number]++]);
      ++warp.next;
    }
    return true;
  }

  // One machine instruction of a scheduler's warps, if one can issue now. When to ask again.
  int64_t issue(size_t scheduler) {
    SlowWarp* best = nullptr;
    int64_t next = for_ever;
    for (SlowWarp* warp : warps_) {
      if (warp->scheduler != scheduler) continue;
      if (warp->from <= now_) warp->from = ready(*warp);
      if (warp->from > now_)
        next = std::min(next, warp->from);
      else if (best == nullptr || prefers(scheduler, *warp, *best))
        best = warp;
    }
    if (best == nullptr) return next;
    if (best->is_done()) {
      end_warp(*best);
      return now_ + 1;
    }
    last_[scheduler] = best->age;
    execute(*best);
    if (best->is_done()) best->from = now_ + 1;
    return now_ + 1;
  }

  bool prefers(size_t scheduler, const SlowWarp& a, const SlowWarp& b) const {
    const uint64_t last = last_[scheduler];
    const bool either = a.age == last || b.age == last;
    switch (order_) {
      case IssueOrder::greedy_then_youngest: return either ? a.age == last : a.age > b.age;
      case IssueOrder::greedy_then_oldest: return either ? a.age == last : a.age < b.age;
      case IssueOrder::round_robin: return (a.age > last) != (b.age > last) ? a.age > last : a.age < b.age;
      case IssueOrder::youngest: return a.age > b.age;
      case IssueOrder::starved: return a.is_starved != b.is_starved ? b.is_starved : a.age < b.age;
      case IssueOrder::least_advanced: return a.next != b.next ? a.next < b.next : a.age < b.age;
      case IssueOrder::most_advanced: return a.next != b.next ? a.next > b.next : a.age < b.age;
    }
    return false;
  }

  static int64_t transactions(const SlowWarp& warp, const ir::TracedStep& step) {
    if (step.request < 0) return 1;
    const ir::TracedRequest& request = warp.trace->requests[static_cast<size_t>(step.request)];
    const bool is_near = request.kind == Kind::shared || request.kind == Kind::shared_atomic ||
                         request.kind == Kind::remote || request.kind == Kind::gave_up;
    if (is_near) return request.serial;
    if (request.kind > Kind::copy) return 1;
    return ir::lines_of(std::span(warp.trace->sectors).subspan(request.first, request.count));
  }

  void execute(SlowWarp& warp) {
    const ir::TracedStep& step = warp.trace->steps[warp.next];
    const SlowInstruction& own = launch_.instructions[step.instruction];
    const SlowCost& cost = own.costs[warp.part];
    const bool is_own = warp.part + 1 == own.costs.size();
    const int64_t count = is_own ? std::clamp<int64_t>(transactions(warp, step), 1, cost.most_transactions) : 1;
    const bool asks_nothing = is_own && own.control.executes == ir::ExecutionUnit::memory && step.request < 0;
    // Others ask for it, too, but no more blocks in all than may.
    const auto analysed = static_cast<int64_t>(launch_.blocks.size());
    const int64_t at_once = std::clamp<int64_t>(own.most_blocks / analysed, 1, warp.block->at_once);
    for (const SlowCost::Use& use : cost.uses) {
      if (asks_nothing && use.resource != 0) continue;  // no lane executes it
      int64_t& free = server(use.resource, warp);
      const int64_t occupied = use.first + use.further * (count - 1);
      free = std::max(free, now_ * parts_of_cycle) + occupied * (use.of_device ? at_once : 1);
    }
    const int64_t done = asks_nothing ? now_ + 1 : over_at(warp, step, cost, count);
    end_ = std::max({end_, now_ + 1, done});
    warp.from = now_ + 1;
    if (!is_own) {  // a constant that the instruction waits for
      ++warp.part;
      warp.until = done;
      return;
    }
    finish(warp, step, own, done);
  }

  // When an instruction of so many transactions that issues now is over.
  int64_t over_at(const SlowWarp& warp, const ir::TracedStep& step, const SlowCost& cost, int64_t count) {
    const int64_t from = translated(warp, step, cost.translation);
    const int64_t taken = cost.latency + cost.per_transaction * (count - 1);
    return cost.refreshes ? past_refreshes(from, taken) : from + taken;
  }

  // When the translations of the pages that it asks for are there: each is waited for once.
  int64_t translated(const SlowWarp& warp, const ir::TracedStep& step, int64_t cycles) {
    int64_t there = now_;
    if (cycles == 0 || step.request < 0) return there;
    const ir::TracedRequest& request = warp.trace->requests[static_cast<size_t>(step.request)];
    if (request.kind > Kind::copy) return there;
    const uint64_t sectors = static_cast<uint64_t>(launch_.machine.translation->page_bytes) / ir::sector_bytes;
    for (const uint64_t sector : std::span(warp.trace->sectors).subspan(request.first, request.count)) {
      if (sector >= ir::own_sectors) continue;
      there = std::max(there, translations_.try_emplace(sector / sectors, now_ + cycles).first->second);
    }
    return there;
  }

  // When what takes so many cycles is over, of which none passes in a refresh; the first of these begins with the run.
  int64_t past_refreshes(int64_t from, int64_t cycles) const {
    const RefreshFigures& refresh = *launch_.machine.refresh;
    const int64_t whole = refresh.interval - refresh.cycles;
    // As if all refreshes so far had not been, then with one before each `whole` cycles.
    const int64_t before =
        from / refresh.interval * whole + std::max<int64_t>(0, from % refresh.interval - refresh.cycles);
    const int64_t over = before + cycles;
    return over + ((over - 1) / whole + 1) * refresh.cycles;
  }

  void finish(SlowWarp& warp, const ir::TracedStep& step, const SlowInstruction& own, int64_t done) {
    const SimulatedCost& control = own.control;
    warp.may_issue = now_ + std::max(own.costs.back().gap, static_cast<int64_t>(control.stall));
    const ir::TracedRequest* const request =
        step.request < 0 ? nullptr : &warp.trace->requests[static_cast<size_t>(step.request)];
    if (request != nullptr && request->kind == Kind::copy) warp.copies = std::max(warp.copies, done);
    if (control.effect == Effect::commits_copies) done = std::max(done, warp.copies);
    if (control.written != no_scoreboard) {
      int64_t& board = warp.boards[control.written];
      board = std::max(board, done);
      if (control.effect == Effect::commits_copies) warp.groups[control.written].push_back(board);
    }
    if (control.read != no_scoreboard) {
      int64_t& board = warp.boards[control.read];
      board = std::max(board, now_ + own.until_read);
    }
    warp.part = 0;
    warp.until = 0;
    warp.has_code = false;
    ++warp.next;
    if (request != nullptr && request->kind == Kind::arrival) arrive(warp, *request);
  }

  // All that wait go on as late as the last one that has come.
  void arrive(SlowWarp& warp, const ir::TracedRequest& request) {
    SlowBlock& block = *warp.block;
    const size_t number = request.first;
    block.arrived[number] += request.count;
    block.last[number] = std::max(block.last[number], warp.may_issue);
    const std::vector<uint32_t>& openings = block.trace->openings[number];
    const size_t opened = block.opened[number].size();
    if (opened >= openings.size() || block.arrived[number] < openings[opened]) return;
    block.arrived[number] -= openings[opened];
    block.opened[number].push_back(block.last[number]);
    block.last[number] = 0;
    for (SlowWarp& other : block.warps) {
      if (!other.is_done() && other.from == for_ever) other.from = now_ + 1;
    }
  }

  // When a line of code is there, asked for now: of caches that keep all of it. The first line waits for the
  // translation of a page that all of it lies on.
  int64_t fetched(size_t scheduler, int64_t line) {
    const Machine& machine = launch_.machine;
    if (!machine.fetch || launch_.assumed.has(Assumption::warm_code)) return now_;
    const auto [known, fresh] = lines_[scheduler].try_emplace(line, 0);
    if (!fresh) return known->second;
    const bool is_cold = !cached_.contains({machine.fetch->caches.size() - 2, line});
    const bool shares = launch_.assumed.has(Assumption::shares_code) && !is_cold;
    const bool is_translated = launch_.of_code.has(Assumption::keeps_pages) && !cached_.empty();
    const bool refreshes_by_time = launch_.of_code.has(Assumption::even_refresh);
    const auto fetch = machine.resource(fetch_resource);
    int64_t time = now_;
    for (size_t level = 0; level < machine.fetch->caches.size(); ++level) {
      const CodeCache& cache = machine.fetch->caches[level];
      if (level > 0 && level + 1 < machine.fetch->caches.size()) {
        const auto cached = cached_.find({level, line});
        if (cached != cached_.end()) {
          time = std::max(time, cached->second);
          break;
        }
      }
      int64_t miss = cache.miss - (is_translated ? cache.translation : 0) - (refreshes_by_time ? cache.refresh : 0);
      int64_t occupied = 0;
      for (const Occupancy& each : cache.occupancies) {
        if (each.resource == fetch) occupied = std::min(miss, each.cycles);
      }
      if (shares && cache.shared > 0) {
        miss = std::min(miss, occupied);
        occupied = std::min(occupied, cache.shared);
      }
      if (occupied > 0) {
        int64_t& free = servers_[*fetch].front().front();
        time = std::max(time, in_cycles(free));
        free = (time + occupied) * parts_of_cycle;
      }
      time = refreshes_by_time && cache.refresh > 0 ? past_refreshes(time, miss) : time + miss;
      if (level + 1 == machine.fetch->caches.size()) break;
    }
    for (size_t level = 1; level + 1 < machine.fetch->caches.size(); ++level) cached_.try_emplace({level, line}, time);
    known->second = time;
    return time;
  }

  const SlowLaunch& launch_;
  IssueOrder order_;
  size_t schedulers_ = 1, next_block_ = 0;
  uint64_t warps_begun_ = 0;
  std::vector<std::unique_ptr<SlowBlock>> running_;
  std::vector<SlowWarp*> warps_;
  std::vector<uint64_t> last_;  // by scheduler: age of the warp that issued last
  // By resource and, if schedulers have their own, scheduler: when each server is free, in parts of a cycle.
  std::vector<std::vector<std::vector<int64_t>>> servers_;
  std::vector<std::map<int64_t, int64_t>> lines_;         // by scheduler: when a line of code is there
  std::map<std::pair<size_t, int64_t>, int64_t> cached_;  // by level and line
  std::map<uint64_t, int64_t> translations_;              // by page: when it is there
  std::vector<int64_t> ends_;
  int64_t now_ = 0, end_ = 0;
};

// Of all blocks, where those of the second half of the ones that were followed go on as fast.
int64_t extrapolated(int64_t cycles, const std::vector<int64_t>& ends, int64_t more) {
  if (more <= 0 || ends.empty()) return cycles;
  const size_t half = ends.size() / 2;
  const int64_t since = half == 0 ? 0 : ends[half - 1];
  const double rate = static_cast<double>(ends.back() - since) / static_cast<double>(ends.size() - half);
  return cycles + static_cast<int64_t>(rate * static_cast<double>(more));
}

}  // namespace

std::string_view to_string(IssueOrder order) {
  static constexpr std::string_view names[issue_orders] = {
      "greedy-then-youngest", "greedy-then-oldest", "round-robin", "youngest", "starved",
      "least-advanced",       "most-advanced"};
  return names[static_cast<size_t>(order)];
}

support::Result<SlowestRun> slowest_run(const SimulatedLaunch& launch, const ir::Flow& flow, const Machine& machine,
                                        const AssumptionSet& assumed, const SlowestLimits& limits) {
  const auto run = PipelineRuns(launch.kernel, flow, launch.load, machine).smallest_bound(assumed);
  if (!run) return run.errors();
  const int64_t grid = *launch.grid.count().value();
  SlowestRun result;
  result.bound = run->model.bound.makespan;
  result.blocks = (grid + machine.multiprocessors - 1) / machine.multiprocessors;
  const int64_t resident = launch.load.residency.blocks.least;
  std::vector<ir::BlockTrace> blocks;
  double steps = 0;
  while (result.simulated_blocks < result.blocks && (steps < limits.instructions || result.simulated_blocks == 0)) {
    blocks.push_back(launch.trace(result.simulated_blocks++ * machine.multiprocessors));
    for (const ir::WarpTrace& warp : blocks.back().warps) steps += static_cast<double>(warp.steps.size());
  }
  const auto instructions = slow_instructions(launch, flow, *run->needs->warp, machine);
  const SlowLaunch slow{instructions,
                        blocks,
                        machine,
                        grid,
                        static_cast<size_t>(resident),
                        assumed,
                        run->model.fetch ? run->model.fetch->relied : AssumptionSet{}};
  for (size_t i = 0; i < issue_orders; ++i) {
    std::vector<int64_t> ends;
    const auto cycles = SlowMultiprocessor(slow, static_cast<IssueOrder>(i)).run(ends);
    if (!cycles) continue;  // warps wait for ever, as for blocks that were not executed
    result.cycles[i] = extrapolated(*cycles, ends, result.blocks - result.simulated_blocks);
    result.analysed = std::max(result.analysed, *cycles);
    if (result.cycles[i] > result.longest()) result.slowest = static_cast<IssueOrder>(i);
  }
  return result;
}

}  // namespace warpspan::timing
