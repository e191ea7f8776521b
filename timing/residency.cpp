#include "timing/residency.hpp"

#include <algorithm>
#include <array>

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

// A warp's registers are those of one partition of the multiprocessor. Compute capability 6.0 has two schedulers, but
// its occupancy has to pass with four partitions too.
int64_t blocks_by_registers(int64_t warps, int64_t registers, const Machine& machine) {
  const int64_t of_a_warp = registers_of_a_warp(registers, machine.register_granularity.most);
  int64_t blocks = INT64_MAX;
  for (const int64_t partitions : {machine.schedulers, std::max<int64_t>(4, machine.schedulers)}) {
    if (round_up(warps, partitions) * of_a_warp > machine.registers_per_block) return 0;
    blocks = std::min(blocks, machine.registers / partitions / of_a_warp * partitions / warps);
  }
  return blocks;
}

// The same with the least that an allocation may be rounded to, wherever the warps are.
int64_t most_blocks_by_registers(int64_t warps, int64_t registers, const Machine& machine) {
  return machine.registers / (warps * registers_of_a_warp(registers, machine.register_granularity.least));
}

// The most registers of a thread, at most `most`, with which so many blocks may fit; 1 if there are none.
int64_t registers_for(int64_t blocks, int64_t warps, int64_t most, const Machine& machine) {
  const auto fit = [&](int64_t registers) {
    return warps * registers_of_a_warp(registers, machine.register_granularity.least) <= machine.registers_per_block &&
           most_blocks_by_registers(warps, registers, machine) >= blocks;
  };
  while (most > 1 && !fit(most)) --most;
  return most;
}

// The most registers of a thread that ptxas allots under .maxntid or .reqntid, so that .minnctapersm blocks of that
// size fit, or one; it ignores a number of blocks that the multiprocessor cannot hold.
int64_t registers_kept(const ir::LaunchBounds& bounds, int64_t most, const Machine& machine) {
  const ir::Extent& largest = bounds.required.x != 0 ? bounds.required : bounds.maximum;
  if (largest.x == 0) return most;
  const auto threads = (support::Integer(largest.x) * largest.y * largest.z).value();
  if (!threads || *threads > machine.max_threads_per_block) return most;
  const int64_t warps = round_up(*threads, warp_size) / warp_size;
  const bool ignored = bounds.min_blocks < 1 || bounds.min_blocks > machine.max_warps / warps;
  return registers_for(ignored ? 1 : bounds.min_blocks, warps, most, machine);
}

Result<Span> registers_of(const ir::Kernel& kernel, const ir::Launch& launch, int64_t warps, const Machine& machine,
                          std::string& from) {
  if (launch.registers) {
    from = "--registers";
    if (*launch.registers > machine.registers_per_thread) {
      return support::usage_error("--registers: a thread of machine '" + machine.name + "' has at most " +
                                      std::to_string(machine.registers_per_thread) + " registers",
                                  "'ptxas -v' prints how many the kernel has");
    }
    const int64_t needed = warps * registers_of_a_warp(*launch.registers, machine.register_granularity.least);
    if (needed > machine.registers_per_block) {
      return support::usage_error("a block of kernel " + support::quoted_symbol(kernel.name) + " with " +
                                      std::to_string(warps) + " warps takes " + std::to_string(needed) +
                                      " registers, and a block on machine '" + machine.name + "' has at most " +
                                      std::to_string(machine.registers_per_block),
                                  "give a smaller --block, or compile with fewer registers (--maxrregcount)");
    }
    return Span{*launch.registers, *launch.registers};
  }
  const ir::LaunchBounds& bounds = kernel.launch_bounds;
  int64_t most = machine.registers_per_thread;
  if (bounds.max_registers > 0) {
    most = std::min(most, bounds.max_registers);
    from = ".maxnreg";
  } else {
    most = registers_kept(bounds, most, machine);
    from = most < machine.registers_per_thread ? "the launch bounds" : "no more on the machine";
  }
  const int64_t fits = registers_for(1, warps, most, machine);
  if (fits < most) from = "with more no block fits";
  return Span{1, fits};
}

Result<Span> shared_memory_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  const int64_t least = kernel.shared_bytes + launch.dynamic_shared.value_or(0);
  if (least > machine.shared_bytes_per_block) {
    Diagnostic error;
    error.location = kernel.location;
    error.message = "a block of kernel " + support::quoted_symbol(kernel.name) + " takes " + std::to_string(least) +
                    " bytes of shared memory, and a block on machine '" + machine.name + "' has at most " +
                    std::to_string(machine.shared_bytes_per_block);
    error.help = launch.dynamic_shared ? "give a smaller --shared, or another --machine" : "give another --machine";
    return error;
  }
  const bool unknown = kernel.dynamic_shared && !launch.dynamic_shared;
  return Span{least, unknown ? machine.shared_bytes_per_block
                             : std::min(machine.shared_bytes_per_block, least + kernel.shared_padding)};
}

struct Limit {
  const char* name;
  int64_t blocks;
};

const Limit& smallest(const std::array<Limit, 4>& limits) {
  return *std::min_element(limits.begin(), limits.end(), [](auto& a, auto& b) { return a.blocks < b.blocks; });
}

int64_t blocks_by_shared_memory(int64_t bytes, int64_t of_all, const Machine& machine) {
  const int64_t taken = round_up(bytes + machine.shared_reserved_per_block, machine.shared_granularity);
  return taken == 0 ? INT64_MAX : of_all / taken;
}

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
  needs.shared_unknown = kernel.dynamic_shared && !launch.dynamic_shared;
  return needs;
}

Residency residency(const BlockNeeds& needs, const Machine& machine) {
  const int64_t by_warps = machine.max_warps / needs.warps;
  const std::array<Limit, 4> at_least = {
      {{"warps", by_warps},
       {"blocks", machine.max_blocks.least},
       {"registers", blocks_by_registers(needs.warps, needs.registers.most, machine)},
       {"shared memory", blocks_by_shared_memory(needs.shared_bytes.most, machine.shared_bytes.least, machine)}}};
  const std::array<Limit, 4> at_most = {
      {{"warps", by_warps},
       {"blocks", machine.max_blocks.most},
       {"registers", most_blocks_by_registers(needs.warps, needs.registers.least, machine)},
       {"shared memory", blocks_by_shared_memory(needs.shared_bytes.least, machine.shared_bytes.most, machine)}}};
  Residency residency;
  residency.blocks = {std::max<int64_t>(1, smallest(at_least).blocks), std::max<int64_t>(1, smallest(at_most).blocks)};
  residency.least_limit = smallest(at_least).name;
  residency.most_limit = smallest(at_most).name;
  residency.needs_shared_setting = residency.blocks.least > 1 && at_least[3].blocks < INT64_MAX;
  return residency;
}

}  // namespace warpspan::timing
