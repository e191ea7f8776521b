// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/occupancy.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/facts/spelling.hpp"
#include "app/requests/kernels/compiled_code.hpp"
#include "app/requests/kernels_alone.hpp"
#include "support/symbol_name.hpp"
#include "timing/launch/launch.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using timing::BlockNeeds;
using timing::Machine;

constexpr const char* shared_setting =
    "A multiprocessor is set to as much shared memory as its blocks can use, as drivers do by default.";

// --- What makes more warps resident.

int64_t blocks_with(BlockNeeds needs, std::optional<int64_t> registers, std::optional<int64_t> bytes,
                    const Machine& machine) {
  if (registers) needs.registers = {*registers, *registers};
  if (bytes) needs.shared_bytes = {*bytes, *bytes};
  return timing::residency(needs, machine).blocks.least;
}

// The most that is below `most`, not below 1, and lets more blocks fit; `blocks` tells how many.
template <typename Blocks>
std::optional<int64_t> largest_with_more(int64_t below, int64_t least, int64_t granularity, int64_t now,
                                         const Blocks& blocks) {
  for (int64_t value = below - 1; value >= least; value -= granularity) {
    if (blocks(value) > now) return value;
  }
  return std::nullopt;
}

// Shared memory is taken in portions, so one below what fills a portion is enough to look at.
int64_t whole_portions(int64_t bytes, const Machine& machine) {
  const int64_t portion = machine.shared_granularity;
  const int64_t taken = bytes + machine.shared_reserved_per_block;
  return (taken + portion - 1) / portion * portion - machine.shared_reserved_per_block;
}

std::optional<int64_t> less_shared(const BlockNeeds& needs, std::optional<int64_t> registers, int64_t now,
                                   const Machine& machine) {
  if (needs.shared_bytes.most == 0) return std::nullopt;
  const int64_t portion = machine.shared_granularity;
  const int64_t below = whole_portions(needs.shared_bytes.most, machine) - portion + 1;
  return largest_with_more(below, 0, portion, now,
                           [&](int64_t bytes) { return blocks_with(needs, registers, bytes, machine); });
}

std::optional<int64_t> fewer_registers(const BlockNeeds& needs, std::optional<int64_t> bytes, int64_t now,
                                       const Machine& machine) {
  return largest_with_more(needs.registers.most, 1, 1, now,
                           [&](int64_t registers) { return blocks_with(needs, registers, bytes, machine); });
}

// Blocks of which more warps are resident than of any other size; the nearest to the size there is.
std::optional<OccupancyStep> other_block(const BlockNeeds& needs, int64_t now, const Machine& machine) {
  std::optional<OccupancyStep> best;
  const int64_t most = std::min(machine.max_threads_per_block / timing::warp_size, machine.max_warps);
  for (int64_t warps = 1; warps <= most; ++warps) {
    BlockNeeds other = needs;
    other.warps = warps;
    const timing::Residency resident = timing::residency(other, machine);
    if (resident.limits[2].blocks.least < 1) continue;
    const int64_t all = resident.blocks.least * warps;
    const bool nearer = best && all == best->warps &&
                        std::abs(warps - needs.warps) < std::abs(*best->threads / timing::warp_size - needs.warps);
    if (all <= now || (best && all < best->warps) || (best && all == best->warps && !nearer)) continue;
    best = OccupancyStep{{}, {}, warps * timing::warp_size, resident.blocks.least, all};
  }
  return best;
}

// --- Of one kernel.

Diagnostic no_block(const ir::Kernel& kernel) {
  if (kernel.name.empty()) return support::usage_error("--block is not given", "give --block X[,Y[,Z]], or --sweep");
  Diagnostic error =
      support::usage_error("the block of kernel " + support::quoted_symbol(kernel.name) + " is not known",
                           "give --block X[,Y[,Z]], or --sweep");
  error.location = kernel.location;
  return error;
}

int64_t most_threads(const ir::Kernel& kernel, const Machine& machine) {
  const ir::LaunchBounds& bounds = kernel.launch_bounds;
  const ir::Extent& largest = bounds.required.x != 0 ? bounds.required : bounds.maximum;
  const auto threads = largest.count().value();
  return largest.x == 0 || !threads ? machine.max_threads_per_block : std::min(*threads, machine.max_threads_per_block);
}

std::vector<BlockSize> all_sizes(const ir::Kernel& kernel, ir::Launch launch, const Machine& machine) {
  std::vector<BlockSize> sizes;
  for (int64_t threads = timing::warp_size; threads <= most_threads(kernel, machine); threads += timing::warp_size) {
    launch.block = ir::Extent{threads, 1, 1};
    const auto load = timing::load_of(kernel, launch, machine);
    sizes.push_back({threads, threads / timing::warp_size, load ? std::optional(load->residency) : std::nullopt});
  }
  return sizes;
}

Result<KernelOccupancy> occupancy_of(const ir::Kernel& kernel, ir::Launch launch, const CompiledKernels& machine_code,
                                     const Machine& machine, const OccupancyRequest& request,
                                     support::Diagnostics& remarks) {
  KernelOccupancy found;
  found.name = kernel.name;
  found.machine = machine.name;
  found.description = machine.description;
  found.most_warps = machine.max_warps;
  found.registers = machine.registers;
  found.shared_bytes = machine.shared_bytes;
  const auto compiled = find_compiled(request.compiled, machine_code, kernel, launch, machine);
  if (!compiled) return compiled.errors();
  if (*compiled) {
    if (auto spill = spill_in_log(**compiled, kernel.name, kernel.location)) {
      spill->severity = support::Severity::warning;
      remarks.push_back(std::move(*spill));
    }
    take_over(**compiled, launch);
  }
  if (!launch.block && !request.block_sizes) return no_block(kernel);
  if (request.block_sizes) found.block_sizes = all_sizes(kernel, launch, machine);
  found.block = launch.block;
  if (!launch.block) launch.block = ir::Extent{timing::warp_size, 1, 1};
  launch.grid.reset();
  const auto load = timing::load_of(kernel, launch, machine);
  if (!load) return load.errors();
  found.needs = load->needs;
  if (!found.block) return found;
  found.warps_per_block = load->warps_per_block;
  found.residency = load->residency;
  found.steps = next_steps(found.needs, found.residency, machine);
  if (found.residency.needs_shared_setting) found.assumptions.emplace_back(shared_setting);
  return found;
}

OccupancyReport of_any_kernel(const OccupancyRequest& request) {
  OccupancyReport report;
  const auto machine = timing::load_machine(request.machine);
  if (!machine) {
    report.errors = machine.errors();
  } else {
    auto found = occupancy_of(ir::Kernel{}, request.kernels.launch, {}, *machine, request, report.errors);
    if (found) {
      report.kernels.push_back(std::move(*found));
    } else {
      const support::Diagnostics errors = spelled(found.errors());
      report.errors.insert(report.errors.end(), errors.begin(), errors.end());
    }
  }
  return report;
}

}  // namespace

std::vector<OccupancyStep> next_steps(const BlockNeeds& needs, const timing::Residency& resident,
                                      const Machine& machine) {
  const int64_t blocks = resident.blocks.least;
  const int64_t warps = blocks * needs.warps;
  if (warps == machine.max_warps) return {};
  std::vector<OccupancyStep> steps;
  const auto add_step = [&](std::optional<int64_t> registers, std::optional<int64_t> bytes) {
    const int64_t more = blocks_with(needs, registers, bytes, machine);
    steps.push_back({registers, bytes, {}, more, more * needs.warps});
  };
  if (const auto registers = fewer_registers(needs, {}, blocks, machine)) add_step(registers, {});
  if (const auto bytes = less_shared(needs, {}, blocks, machine)) add_step({}, bytes);
  if (steps.empty() && needs.shared_bytes.most > 0) {
    if (const auto registers = fewer_registers(needs, 0, blocks, machine)) {
      if (const auto bytes = less_shared(needs, registers, blocks, machine)) add_step(registers, bytes);
    }
  }
  if (auto other = other_block(needs, warps, machine)) steps.push_back(std::move(*other));
  return steps;
}

OccupancyReport occupancies(const OccupancyRequest& request) {
  if (request.kernels.files.empty()) return of_any_kernel(request);
  OccupancyReport report;
  MachineShelf machines;
  KernelRequest kernels = request.kernels;
  report.errors = take_devices(machines, request.machine, kernels);
  if (!report.errors.empty()) return report;
  std::vector<KernelFile> files = read_files(kernels, LoopsAre::not_analyzed).files;
  const auto ask = [&](const KernelOnMachine& on) -> Result<KernelOccupancy> {
    auto found = occupancy_of(on.analyzed.kernel, on.analyzed.launch, on.file.figures, on.machine, request, on.remarks);
    if (!found) return found;
    found->file = on.file.name;
    found->block_from_file = on.analyzed.block_from_file;
    return found;
  };
  report.kernels = ask_of_files<KernelOccupancy>(files, machines, request.machine, "in the occupancy", ask);
  report.errors = all_errors(files);
  return report;
}

}  // namespace warpspan::app
