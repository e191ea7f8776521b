#include "timing/simulate/simulate.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "support/symbol_name.hpp"

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

// Traces of blocks, by their numbers in the grid, each executed once.
class Blocks {
 public:
  Blocks(const SimulatedLaunch& launch, Simulation& result) : launch_(launch), result_(result) {}

  ir::BlockTrace execute(int64_t number) {
    ir::BlockTrace trace = launch_.trace(number);
    for (const ir::WarpTrace& warp : trace.warps) steps_ += static_cast<double>(warp.steps.size());
    note(trace.zeroed, result_.zeroed);
    note(trace.assumed, result_.assumed);
    if (result_.stopped.empty()) result_.stopped = trace.stopped;
    result_.depends_on_data = result_.depends_on_data || trace.depends_on_data;
    result_.depends_on_arguments = result_.depends_on_arguments || trace.depends_on_arguments;
    return trace;
  }
  double steps() const { return steps_; }

 private:
  static void note(const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& each : from) {
      if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }
  }

  const SimulatedLaunch& launch_;
  Simulation& result_;
  double steps_ = 0;
};

// A launch on its machine: which blocks the multiprocessor that is simulated has.
class LaunchSimulation {
 public:
  LaunchSimulation(const SimulatedLaunch& launch, const Machine& machine, const SimulatedMachine& figures,
                   const SimulationLimits& limits)
      : launch_(launch), machine_(machine), figures_(figures), limits_(limits), blocks_(launch, result_) {
    grid_ = *launch.grid.count().value();
    multiprocessors_ = machine.multiprocessors;
    const int64_t last_wave = grid_ % multiprocessors_;
    own_ = grid_ <= multiprocessors_ ? grid_ / 2 : last_wave == 0 ? multiprocessors_ / 2 : last_wave / 2;
    result_.blocks = (grid_ + multiprocessors_ - 1) / multiprocessors_;
    result_.resident = launch.load.residency.blocks.least;
    result_.multiprocessors = static_cast<double>(std::min(grid_, multiprocessors_));
  }

  support::Result<Simulation> run();

 private:
  SectorSharing ask_others();
  std::optional<ir::BlockTrace> trace(int64_t number, SectorSharing& sharing);
  double extrapolated(const MultiprocessorRun& run) const;

  const SimulatedLaunch& launch_;
  const Machine& machine_;
  const SimulatedMachine& figures_;
  const SimulationLimits& limits_;
  Simulation result_;
  Blocks blocks_;
  int64_t grid_ = 1, multiprocessors_ = 1;
  int64_t own_ = 0;  // the first block of the multiprocessor that is simulated, and then every so many
  double asked_steps_ = 0;
};

// A few blocks of others, of the first wave.
SectorSharing LaunchSimulation::ask_others() {
  const int64_t at_once = std::min(result_.resident, result_.blocks);
  SectorSharing sharing(result_.multiprocessors, static_cast<double>(at_once));
  std::set<int64_t> asked = {own_};
  const auto ask = [&](int64_t number, bool is_near) {
    if (number < 0 || number >= grid_ || !asked.insert(number).second) return;
    if (asked.size() > 2 && blocks_.steps() > limits_.instructions) return;
    const auto sectors = sectors_of(blocks_.execute(number));
    is_near ? sharing.add_near(sectors) : sharing.add_far(sectors);
  };
  const int64_t wave = std::min(grid_, multiprocessors_);
  ask(0, false);
  ask(wave - 1, false);
  ask(own_ + 1, true);
  ask(own_ - 1, true);
  if (launch_.grid.x > 1 && launch_.grid.y > 1) {
    ask(own_ + launch_.grid.x, true);
    ask(own_ - launch_.grid.x, true);
  }
  ask(wave / 3, false);
  asked_steps_ = blocks_.steps();
  return sharing;
}

// Of a block of the multiprocessor; nothing once enough was followed.
std::optional<ir::BlockTrace> LaunchSimulation::trace(int64_t number, SectorSharing& sharing) {
  constexpr int64_t always = 2;
  constexpr double more_to_fill = 4;
  const double most = limits_.instructions * (number < result_.resident ? more_to_fill : 1);
  if (number >= always && blocks_.steps() - asked_steps_ > most) return std::nullopt;
  ir::BlockTrace trace = blocks_.execute(own_ + number * multiprocessors_);
  if (number == 0) sharing.set_own(sectors_of(trace));
  ++result_.simulated_blocks;
  return trace;
}

// Of all blocks, from those that were simulated: those of the second half go on as fast.
double LaunchSimulation::extrapolated(const MultiprocessorRun& run) const {
  const int64_t more = result_.blocks - result_.simulated_blocks;
  const std::vector<double>& ends = run.ends;
  if (more <= 0 || ends.size() < 2) return run.cycles;
  const size_t half = ends.size() / 2;
  const bool is_steady = ends.size() >= static_cast<size_t>(2 * result_.resident);
  const double rate = is_steady ? (ends.back() - ends[half - 1]) / static_cast<double>(ends.size() - half)
                                : ends.back() / static_cast<double>(ends.size());
  return run.cycles + rate * static_cast<double>(more);
}

support::Result<Simulation> LaunchSimulation::run() {
  SectorSharing sharing = ask_others();
  const std::vector<SimulatedCost> costs = simulated_costs(launch_.kernel, launch_.details, figures_);
  BlocksToRun work;
  work.blocks = result_.blocks;
  work.resident = result_.resident;
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
