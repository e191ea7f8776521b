// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/launch/residency.hpp"

#include <algorithm>

#include "support/checked.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::timing {

namespace {

using support::Diagnostic;
using support::Result;

// All sizes come from machine files, where they are at most 10^9, and from options below 2^31: products of two fit.
int64_t round_up(int64_t value, int64_t granularity) { return (value + granularity - 1) / granularity * granularity; }

int64_t registers_of_a_warp(int64_t registers, int64_t granularity) {
  return round_up(registers * warp_size, granularity);
}

// A warp's registers are those of the scheduler it belongs to.
int64_t blocks_by_registers(int64_t warps, int64_t registers, int64_t granularity, const Machine& machine) {
  const int64_t of_a_warp = registers_of_a_warp(registers, granularity);
  return machine.registers / machine.schedulers / of_a_warp * machine.schedulers / warps;
}

// What is asked for when a block is launched: as if each partition got as many of its warps.
int64_t registers_checked(int64_t warps, int64_t registers, int64_t granularity, const Machine& machine) {
  return round_up(warps, machine.launch_partitions) * registers_of_a_warp(registers, granularity);
}

bool may_be_launched(int64_t warps, int64_t registers, int64_t granularity, const Machine& machine) {
  const int64_t of_a_warp = registers_of_a_warp(registers, granularity);
  const int64_t partitions = machine.launch_partitions;
  return registers_checked(warps, registers, granularity, machine) <= machine.registers_per_block &&
         machine.registers / partitions / of_a_warp * partitions >= warps &&
         blocks_by_registers(warps, registers, granularity, machine) >= 1;
}

// The most registers of a thread, at most `most`, with which so many blocks may fit; 1 if there are none.
int64_t registers_for(int64_t blocks, int64_t warps, int64_t most, const Machine& machine) {
  const auto fit = [&](int64_t registers) {
    return may_be_launched(warps, registers, machine.register_granularity.least, machine) &&
           blocks_by_registers(warps, registers, machine.register_granularity.least, machine) >= blocks;
  };
  while (most > 1 && !fit(most)) --most;
  return most;
}

// The most registers of a thread that ptxas allots under .maxntid or .reqntid, so that .minnctapersm blocks of that
// size fit, or one; it ignores a number of blocks that the multiprocessor has no room for.
int64_t enforced_registers(const ir::LaunchBounds& bounds, int64_t most, const Machine& machine) {
  const ir::Extent& largest = bounds.required.x != 0 ? bounds.required : bounds.maximum;
  if (largest.x == 0) return most;
  const auto threads = largest.count().value();
  if (!threads || *threads > machine.max_threads_per_block) return most;
  const int64_t warps = ir::warps_of(*threads);
  const bool ignored = bounds.min_blocks < 1 || bounds.min_blocks > machine.max_warps / warps;
  return registers_for(ignored ? 1 : bounds.min_blocks, warps, most, machine);
}

std::string block_of(const ir::Kernel& kernel) {
  return kernel.name.empty() ? "a block" : "a block of kernel " + support::quoted_symbol(kernel.name);
}

Result<Span> registers_of(const ir::Kernel& kernel, const ir::Launch& launch, int64_t warps, const Machine& machine,
                          std::string& from) {
  if (launch.registers) {
    from = launch.registers_from;
    if (*launch.registers > machine.registers_per_thread) {
      return support::usage_error(from + ": a thread of machine '" + machine.name + "' has at most " +
                                      std::to_string(machine.registers_per_thread) + " registers",
                                  "'ptxas -v' prints how many the kernel has");
    }
    if (!may_be_launched(warps, *launch.registers, machine.register_granularity.least, machine)) {
      const int64_t needed = registers_checked(warps, *launch.registers, machine.register_granularity.least, machine);
      return support::usage_error(block_of(kernel) + " with " + std::to_string(warps) + " warps takes " +
                                      std::to_string(needed) + " registers, and a block on machine '" + machine.name +
                                      "' has at most " + std::to_string(machine.registers_per_block),
                                  "give a smaller {block}, or compile with fewer registers (--maxrregcount)");
    }
    return Span{*launch.registers, *launch.registers};
  }
  const ir::LaunchBounds& bounds = kernel.launch_bounds;
  int64_t most = machine.registers_per_thread;
  if (bounds.max_registers > 0) {
    most = std::min(most, bounds.max_registers);
    from = ".maxnreg";
  } else {
    most = enforced_registers(bounds, most, machine);
    from = most < machine.registers_per_thread ? "the launch bounds" : "no more on the machine";
  }
  const int64_t fits = registers_for(1, warps, most, machine);
  if (fits < most) from = "with more no block fits";
  return Span{1, fits};
}

Result<Span> shared_memory_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  const int64_t declared = launch.static_shared.value_or(kernel.shared_bytes);
  const int64_t padding = launch.static_shared ? 0 : kernel.shared_padding;
  const int64_t least = declared + launch.dynamic_shared.value_or(0);
  if (least > machine.shared_bytes_per_block) {
    Diagnostic error;
    error.location = kernel.location;
    if (kernel.name.empty()) error.cause = support::Cause::usage;
    error.message = block_of(kernel) + " takes " + std::to_string(least) +
                    " bytes of shared memory, and a block on machine '" + machine.name + "' has at most " +
                    std::to_string(machine.shared_bytes_per_block);
    error.help = launch.dynamic_shared ? "give a smaller {shared}, or another {machine}" : "give another {machine}";
    return error;
  }
  const bool unknown = kernel.dynamic_shared && !launch.dynamic_shared;
  return Span{least,
              unknown ? machine.shared_bytes_per_block : std::min(machine.shared_bytes_per_block, least + padding)};
}

int64_t blocks_by_shared_memory(int64_t bytes, int64_t of_all, const Machine& machine) {
  const int64_t taken = round_up(bytes + machine.shared_reserved_per_block, machine.shared_granularity);
  return taken == 0 ? INT64_MAX : of_all / taken;
}

int64_t blocks_by_barriers(int64_t barriers, int64_t of_all) { return barriers == 0 ? INT64_MAX : of_all / barriers; }

}  // namespace

Result<BlockNeeds> block_needs(const ir::Kernel& kernel, const ir::Launch& launch, int64_t warps,
                               const Machine& machine) {
  BlockNeeds needs;
  needs.warps = warps;
  const auto registers = registers_of(kernel, launch, warps, machine, needs.registers_from);
  if (!registers) return registers.errors();
  needs.registers = *registers;
  const auto shared_bytes = shared_memory_of(kernel, launch, machine);
  if (!shared_bytes) return shared_bytes.errors();
  needs.shared_bytes = *shared_bytes;
  needs.barriers = {std::min<int64_t>(1, kernel.barriers),
                    kernel.barriers};  // the largest may be in code that is dropped
  needs.shared_unknown = kernel.dynamic_shared && !launch.dynamic_shared;
  return needs;
}

Residency residency(const BlockNeeds& needs, const Machine& machine) {
  const Span granularity = machine.register_granularity;
  const int64_t warps = machine.max_warps / needs.warps;
  Residency residency;
  residency.limits = {{
      {"warps", {warps, warps}},
      {"blocks", machine.max_blocks},
      {"registers",
       {may_be_launched(needs.warps, needs.registers.most, granularity.most, machine)
            ? blocks_by_registers(needs.warps, needs.registers.most, granularity.most, machine)
            : 0,
        blocks_by_registers(needs.warps, needs.registers.least, granularity.least, machine)}},
      {"shared memory",
       {blocks_by_shared_memory(needs.shared_bytes.most, machine.shared_bytes.least, machine),
        blocks_by_shared_memory(needs.shared_bytes.least, machine.shared_bytes.most, machine)}},
      {"barriers",
       {blocks_by_barriers(needs.barriers.most, machine.barriers.least),
        blocks_by_barriers(needs.barriers.least, machine.barriers.most)}},
  }};
  const auto tightest = [&](int64_t Span::*end) {
    return *std::min_element(residency.limits.begin(), residency.limits.end(),
                             [end](auto& a, auto& b) { return a.blocks.*end < b.blocks.*end; });
  };
  const ResidencyLimit least = tightest(&Span::least), most = tightest(&Span::most);
  residency.blocks = {std::max<int64_t>(1, least.blocks.least), std::max<int64_t>(1, most.blocks.most)};
  residency.least_limit = least.name;
  residency.most_limit = most.name;
  residency.needs_shared_setting = residency.blocks.least > 1 && residency.limits[3].limits();
  return residency;
}

}  // namespace warpspan::timing
