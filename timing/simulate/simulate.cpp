// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/simulate.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "support/symbol_name.hpp"
#include "timing/simulate/placement.hpp"

namespace warpspan::timing {

namespace {

// What shared memory leaves of the cache that the L1 has together with it: drivers set the multiprocessor to the least
// that its blocks need.
double bytes_of_l1(const Load& load, const Machine& machine) {
  const DataCache* l1 = machine.data_cache("L1");
  const int64_t rest = l1 == nullptr ? 0 : l1->bytes;
  const int64_t portion = machine.shared_granularity;
  const int64_t of_block = load.needs.shared_bytes.most + machine.shared_reserved_per_block;
  const int64_t needed = (of_block + portion - 1) / portion * portion * load.residency.blocks.least;
  int64_t set = machine.shared_bytes.most;
  for (const int64_t setting : machine.shared_settings) {
    if (setting >= needed) set = std::min(set, setting);
  }
  return static_cast<double>(machine.shared_bytes.most + rest - set);
}

// Traces of blocks, by their numbers in the grid, each executed once as long as it is kept.
class Blocks {
 public:
  Blocks(std::function<ir::BlockTrace(int64_t)> trace, Simulation& result)
      : trace_(std::move(trace)), result_(&result) {}

  const ir::BlockTrace& of(int64_t number) {
    const auto [known, fresh] = traces_.try_emplace(number);
    if (fresh) known->second = execute(number);
    return known->second;
  }
  // It is not asked for again.
  ir::BlockTrace take(int64_t number) {
    auto known = traces_.extract(number);
    return known.empty() ? execute(number) : std::move(known.mapped());
  }
  void forget() { traces_.clear(); }
  double steps() const { return steps_; }

 private:
  ir::BlockTrace execute(int64_t number) {
    ir::BlockTrace trace = trace_(number);
    for (const ir::WarpTrace& warp : trace.warps) steps_ += static_cast<double>(warp.steps.size());
    note(trace.zeroed, result_->zeroed);
    note(trace.assumed, result_->assumed);
    if (result_->stopped.empty()) result_->stopped = trace.stopped;
    result_->uniform_apart = result_->uniform_apart || trace.uniform_apart;
    result_->depends_on_data = result_->depends_on_data || trace.depends_on_data;
    result_->depends_on_arguments = result_->depends_on_arguments || trace.depends_on_arguments;
    return trace;
  }
  static void note(const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& each : from) {
      if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }
  }

  std::function<ir::BlockTrace(int64_t)> trace_;
  Simulation* result_;
  std::unordered_map<int64_t, ir::BlockTrace> traces_;
  double steps_ = 0;
};

// About how long the block takes, in comparison with others of the launch: its longest warp.
double time_of(const ir::BlockTrace& block) {
  constexpr double step = 4, access = 40;  // cycles, of accesses that overlap
  double longest = 0;
  for (const ir::WarpTrace& warp : block.warps) {
    const auto accesses = std::count_if(warp.requests.begin(), warp.requests.end(), [](const auto& request) {
      return request.kind <= ir::TracedRequest::Kind::copy;
    });
    longest = std::max(longest, step * static_cast<double>(warp.steps.size()) + access * static_cast<double>(accesses));
  }
  return longest;
}

// A launch on its machine: which blocks the multiprocessor that is simulated has.
class LaunchSimulation {
 public:
  LaunchSimulation(const SimulatedLaunch& launch, const Machine& machine, const SimulatedMachine& figures,
                   const SimulationLimits& limits)
      : launch_(launch), machine_(machine), figures_(figures), limits_(limits), blocks_(launch.trace, result_) {
    grid_ = *launch.grid.count().value();
    multiprocessors_ = machine.multiprocessors;
    const int64_t last_wave = grid_ % multiprocessors_;
    first_ = grid_ <= multiprocessors_ ? grid_ / 2 : last_wave == 0 ? multiprocessors_ / 2 : last_wave / 2;
    result_.blocks = (grid_ + multiprocessors_ - 1) / multiprocessors_;
    result_.resident = launch.load.residency.blocks.least;
    result_.multiprocessors = static_cast<double>(std::min(grid_, multiprocessors_));
  }

  support::Result<Simulation> run();

 private:
  SectorSharing ask_others();
  bool are_alike();
  void ask_all(SectorSharing& sharing);
  void follow_own(SectorSharing& counted);
  std::optional<ir::BlockTrace> trace(int64_t number, SectorSharing& sharing);
  // Whether the block is not simulated, after so many instructions of those before it.
  bool is_enough(int64_t number, double steps) const {
    constexpr int64_t always = 2;
    constexpr double more_to_fill = 4;
    return number >= always && steps > limits_.instructions * (number < result_.resident ? more_to_fill : 1);
  }
  double extrapolated(const MultiprocessorRun& run) const;
  // A block of the multiprocessor that is simulated, by its number among them: every so many until all are known.
  int64_t own(int64_t number) const {
    return own_.empty() ? first_ + number * multiprocessors_ : own_[static_cast<size_t>(number)];
  }

  const SimulatedLaunch& launch_;
  const Machine& machine_;
  const SimulatedMachine& figures_;
  const SimulationLimits& limits_;
  Simulation result_;
  Blocks blocks_;
  int64_t grid_ = 1, multiprocessors_ = 1, first_ = 0;
  std::vector<int64_t> own_;       // own(), where all blocks were executed
  std::vector<double> own_times_;  // time_of each
  std::vector<int64_t> asked_;     // others
  double asked_steps_ = 0;
  int64_t own_counted_ = 0;  // own blocks whose requests were counted
};

// A few blocks of others, of the first wave.
SectorSharing LaunchSimulation::ask_others() {
  const int64_t at_once = std::min(result_.resident, result_.blocks), own = this->own(0);
  SectorSharing sharing(result_.multiprocessors, static_cast<double>(at_once));
  std::set<int64_t> asked = {own};
  const auto ask = [&](int64_t number, bool is_near) {
    if (number < 0 || number >= grid_ || !asked.insert(number).second) return;
    if (asked.size() > 2 && blocks_.steps() > limits_.instructions) return;
    asked_.push_back(number);
    const auto sectors = sectors_of(blocks_.of(number));
    is_near ? sharing.add_near(sectors) : sharing.add_far(sectors);
  };
  const int64_t wave = std::min(grid_, multiprocessors_);
  ask(0, false);
  ask(wave - 1, false);
  ask(own + 1, true);
  ask(own - 1, true);
  if (launch_.grid.x > 1 && launch_.grid.y > 1) {
    ask(own + launch_.grid.x, true);
    ask(own - launch_.grid.x, true);
  }
  ask(wave / 3, false);
  asked_steps_ = blocks_.steps();
  return sharing;
}

// Whether all blocks take as long, as far as those that were asked tell.
bool LaunchSimulation::are_alike() {
  constexpr double alike = 1.05;
  if (result_.depends_on_data) return false;
  double least = time_of(blocks_.of(own(0))), most = least;
  for (const int64_t number : asked_) {
    const double time = time_of(blocks_.of(number));
    least = std::min(least, time);
    most = std::max(most, time);
  }
  return most <= alike * least;
}

// Executes all blocks, one after another, if they are not too many: then what some write is there for others, and the
// multiprocessor is the one that ends last. Traces are kept as long as there is room, and what they ask for is counted.
void LaunchSimulation::ask_all(SectorSharing& sharing) {
  constexpr double more_times = 8;  // instructions of blocks whose traces are not kept
  constexpr size_t most_sectors = 2'000'000;
  const double with_traces = limits_.instructions, most = more_times * with_traces;
  const double asked = static_cast<double>(asked_.size());
  if (asked_.empty() || asked_steps_ / asked * static_cast<double>(grid_) > most) return;
  Blocks all(launch_.trace_of_all, result_);
  std::vector<double> times;
  SectorSharing counted(result_.multiprocessors, static_cast<double>(std::min(result_.resident, result_.blocks)));
  for (int64_t number = 0; number < grid_; ++number) {
    const ir::BlockTrace& trace = all.of(number);
    times.push_back(time_of(trace));
    if (all.steps() <= with_traces || counted.counted_sectors() <= most_sectors) counted.count(trace);
    if (all.steps() > with_traces) all.forget();
    if (all.steps() > most) return;
  }
  const Placement placement = place_blocks(times, multiprocessors_, result_.resident);
  const auto end = [&](int64_t number) { return placement.ends[static_cast<size_t>(number)]; };
  int64_t last = own(0) % multiprocessors_;
  for (int64_t i = 0; i < multiprocessors_; ++i) {
    if (end(i) > end(last)) last = i;
  }
  own_.clear();
  for (int64_t number = 0; number < grid_; ++number) {
    if (placement.multiprocessors[static_cast<size_t>(number)] != last) continue;
    own_.push_back(number);
    own_times_.push_back(times[static_cast<size_t>(number)]);
  }
  result_.blocks = static_cast<int64_t>(own_.size());
  const bool are_cached = all.steps() <= with_traces;
  if (are_cached) blocks_ = std::move(all);
  if (!are_cached && counted.counted_sectors() > most_sectors) return;
  follow_own(counted);
  sharing = std::move(counted);
}

// Executes those of its blocks that are to be simulated, which stand for all of them.
void LaunchSimulation::follow_own(SectorSharing& counted) {
  const double before = blocks_.steps();
  while (own_counted_ < result_.blocks && !is_enough(own_counted_, blocks_.steps() - before))
    blocks_.of(own(own_counted_++));
  const double each = static_cast<double>(result_.blocks) / static_cast<double>(own_counted_);
  for (int64_t i = 0; i < own_counted_; ++i) counted.count_own(blocks_.of(own(i)), each);
}

// Of a block of the multiprocessor; nothing once enough was followed.
std::optional<ir::BlockTrace> LaunchSimulation::trace(int64_t number, SectorSharing& sharing) {
  if (sharing.is_counted() ? number >= own_counted_ : is_enough(number, blocks_.steps() - asked_steps_))
    return std::nullopt;
  ir::BlockTrace trace = blocks_.take(own(number));
  if (number == 0 && !sharing.is_counted()) sharing.set_own(sectors_of(trace), figures_.memory.l2_capacity);
  ++result_.simulated_blocks;
  return trace;
}

// Of all blocks, from those that were simulated: those of the second half go on as fast.
double LaunchSimulation::extrapolated(const MultiprocessorRun& run) const {
  double more = static_cast<double>(result_.blocks - result_.simulated_blocks);
  const std::vector<double>& ends = run.ends;
  if (more <= 0 || ends.size() < 2) return run.cycles;
  if (!own_times_.empty()) {
    const auto begin = own_times_.begin(), left = begin + result_.simulated_blocks;
    more = std::accumulate(left, own_times_.end(), 0.0) / std::accumulate(begin, left, 0.0) *
           static_cast<double>(result_.simulated_blocks);
  }
  const size_t half = ends.size() / 2;
  const bool is_steady = ends.size() >= static_cast<size_t>(2 * result_.resident);
  const double rate = is_steady ? (ends.back() - ends[half - 1]) / static_cast<double>(ends.size() - half)
                                : ends.back() / static_cast<double>(ends.size());
  return run.cycles + rate * more;
}

support::Result<Simulation> LaunchSimulation::run() {
  SectorSharing sharing = ask_others();
  if (!are_alike()) ask_all(sharing);
  const std::vector<SimulatedCost> costs = simulated_costs(launch_.kernel, launch_.details, figures_);
  BlocksToRun work;
  work.blocks = result_.blocks;
  work.resident = result_.resident;
  work.timeline_rows = limits_.timeline_rows;
  work.l1_bytes = bytes_of_l1(launch_.load, machine_);
  work.trace = [&](int64_t number) { return trace(number, sharing); };
  MultiprocessorRun run = Multiprocessor(costs, figures_, sharing, work, limits_.policy).run();
  if (run.is_stuck) {
    support::Diagnostic error;
    error.location = launch_.kernel.location;
    error.message = "kernel " + support::quoted_symbol(launch_.kernel.name) +
                    " was not simulated: its warps wait at a barrier that does not open";
    error.help = result_.stopped.empty() ? "" : "a block was not executed to its end: " + result_.stopped;
    return error;
  }
  result_.simulated_cycles = run.cycles;
  result_.cycles = extrapolated(run);
  result_.instructions = run.issued;
  const double slots = std::max(1.0, run.cycles) * figures_.schedulers;
  result_.occupancy = run.resident / (std::max(1.0, run.cycles) * figures_.warps);
  result_.issue = run.issued / slots;
  for (size_t unit = 0; unit < units_of_scheduler; ++unit) result_.busy[unit] = run.busy[unit] / slots;
  result_.traffic = run.traffic;
  result_.stalls = std::move(run.stalls);
  result_.timeline = std::move(run.timeline);
  return std::move(result_);
}

}  // namespace

support::Result<Simulation> simulate(const SimulatedLaunch& launch, const Machine& machine,
                                     const SimulationLimits& limits) {
  const auto figures = simulated_machine(machine);
  if (!figures) return figures.errors();
  return LaunchSimulation(launch, machine, *figures, limits).run();
}

}  // namespace warpspan::timing
