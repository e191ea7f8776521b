// SPDX-License-Identifier: GPL-3.0-or-later
// How fast launches are simulated on the machine `hopper`, and how much memory that takes: warp instructions in a
// second of processor time, executed and timed, and of either alone; and the peak memory for grids that grow, whose
// multiprocessors have as many warps at a time. bench_simulation [KERNEL...]: only those. Run it from the root of the
// repository. Each measurement is a process of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/requests/expected_time.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "bench/measured_process.hpp"
#include "timing/launch/launch.hpp"
#include "timing/simulate/simulate.hpp"

namespace {

using namespace warpspan;

struct Subject {
  std::string name, file, kernel;
  ir::Extent block;
  int64_t grid = 1;  // the largest
  std::vector<std::pair<std::string, std::string>> arguments;
  ir::Contents contents = {};
};

const std::string compiled = "tests/machine_code/data/", operations = "samples/measured/operations.cubin";
const std::vector<Subject> subjects = {
    {"arithmetic", operations, "k_lop3", {256, 1, 1}, 16896, {{"1", "256"}}},
    {"tile", compiled + "matmul_tiled.sm_90.O3.cubin", "matmul_tiled", {16, 16, 1}, 16896, {{"3", "512"}}},
    {"streaming", compiled + "saxpy.sm_90.O3.cubin", "saxpy", {256, 1, 1}, 1081344, {{"3", "276824064"}}},
    {"atomics", operations, "h_a_u32_4k", {256, 1, 1}, 16896, {{"1", "64"}}},
    {"divergent",
     compiled + "kernels.sm_90.O3.cubin",
     "leave_both",
     {256, 1, 1},
     67584,
     {{"2", "50"}},
     {ir::Contents::Kind::integers}},
};

struct Cost {
  double seconds = 0, executing = 0;   // executing: of these
  double instructions = 0, steps = 0;  // timed, and executed
  double megabytes = 0;
};

std::optional<Cost> simulate(const Subject& subject, int64_t grid, const timing::Machine& machine) {
  app::KernelRequest request;
  request.files = {subject.file};
  request.kernels = {subject.kernel};
  request.devices = machine.targets;
  request.launch.block = subject.block;
  request.launch.grid = ir::Extent{grid, 1, 1};
  for (const auto& [parameter, value] : subject.arguments) request.launch.arguments.push_back({parameter, value});
  const app::KernelFiles files = app::read_files(request, app::LoopsAre::not_analyzed);
  if (files.files.size() != 1 || files.files.front().kernels.size() != 1) return std::nullopt;
  const frontend::AnalyzedKernel& analyzed = files.files.front().kernels.front();
  const auto load = timing::load_of(analyzed.kernel, analyzed.launch, machine);
  ir::ExecutionOptions options;
  options.contents = subject.contents;
  const auto execution = analyzed.execution(options);
  if (!load || !execution) return std::nullopt;
  Cost cost;
  const auto measured = [&cost](const auto& trace) {
    return [&cost, trace](int64_t block) {
      const double before = bench::processor_seconds();
      ir::BlockTrace made = trace(block);
      cost.executing += bench::processor_seconds() - before;
      for (const ir::WarpTrace& warp : made.warps) cost.steps += static_cast<double>(warp.steps.size());
      return made;
    };
  };
  timing::SimulatedLaunch launch = app::simulated_launch(analyzed, *load, measured(*execution), options);
  launch.trace_of_all = measured(launch.trace_of_all);
  const double before = bench::processor_seconds();
  const auto simulation = timing::simulate(launch, machine);
  if (!simulation || !simulation->stopped.empty()) return std::nullopt;
  cost.seconds = bench::processor_seconds() - before;
  cost.instructions = simulation->instructions;
  return cost;
}

bool print(const Subject& subject, const timing::Machine& machine) {
  constexpr int64_t times = 16, sizes = 3;
  constexpr double million = 1e6;
  std::string growth;
  Cost largest;
  for (int64_t i = 0, grid = subject.grid / (times * times); i < sizes; ++i, grid *= times) {
    const auto cost = bench::in_process([&] { return simulate(subject, grid, machine); });
    if (!cost) {
      fmt::print("{:<12} {} blocks: not simulated\n", subject.name, grid);
      return false;
    }
    growth += fmt::format("  {:>8} {:>5.0f}", grid, cost->megabytes);
    largest = *cost;
  }
  fmt::print("{:<12} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}{}\n", subject.name, largest.instructions / million,
             largest.instructions / million / largest.seconds, largest.steps / million / largest.executing,
             largest.instructions / million / (largest.seconds - largest.executing), growth);
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto machine = timing::load_machine("hopper");
  if (!machine) return 1;
  fmt::print("{:<12} {:>10} {:>10} {:>10} {:>10}  then blocks and MiB\n", "kernel", "millions", "a second", "executed",
             "timed");
  bool all = true;
  for (const Subject& subject : subjects) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), subject.name) == wanted.end()) continue;
    all = print(subject, *machine) && all;
  }
  return all ? 0 : 1;
}
