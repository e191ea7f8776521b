#include "timing/launch.hpp"

#include "support/checked.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::timing {

using support::Integer;
using support::Result;

namespace {

// A cluster starts when there is room for all its blocks on neighbouring multiprocessors, so places stay free while
// blocks wait.
support::Diagnostic grid_of_clusters(const ir::Kernel& kernel) {
  support::Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) +
                  " is launched in clusters of blocks, and no bound is known for a grid of them";
  error.help = "leave --grid out for the bound of one block alone";
  return error;
}

}  // namespace

Result<Load> load_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  const ir::Extent block = launch.block.value_or(ir::Extent{});
  const auto threads = (Integer(block.x) * Integer(block.y) * Integer(block.z)).value();
  if (!threads || *threads > machine.max_threads_per_block) {
    return support::usage_error("a block on machine '" + machine.name + "' has at most " +
                                    std::to_string(machine.max_threads_per_block) + " threads",
                                "give a smaller --block");
  }
  if (launch.grid && kernel.launch_bounds.clusters) return grid_of_clusters(kernel);
  Load load;
  load.warps_per_block = (*threads + warp_size - 1) / warp_size;
  load.grid_given = launch.grid.has_value();
  const ir::Extent grid = launch.grid.value_or(ir::Extent{});
  const Integer blocks = Integer(grid.x) * Integer(grid.y) * Integer(grid.z);
  const auto of_one = ceil_divide(blocks, machine.multiprocessors).value();
  const auto warps = (blocks * Integer(load.warps_per_block)).value();
  if (!of_one || !warps) return support::usage_error("the grid has more than 2^63 warps", "give a smaller --grid");
  load.device_blocks = *blocks.value();
  load.device_warps = *warps;
  load.blocks = *of_one;
  load.warps = load.blocks * load.warps_per_block;
  auto needs = block_needs(kernel, launch, load.warps_per_block, machine);
  if (!needs) return needs.errors();
  load.needs = std::move(*needs);
  load.residency = residency(load.needs, machine);
  return load;
}

}  // namespace warpspan::timing
