// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/launch/launch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/checked.hpp"
#include "support/symbol_name.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

using support::Integer;
using support::Result;

namespace {

support::Diagnostic of_clusters(const ir::Kernel& kernel, const std::string& what, std::string help) {
  support::Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) + " is launched in clusters of blocks, " + what;
  error.help = std::move(help);
  return error;
}

// Where the file does not state clusters, a block is one by itself unless the launch states otherwise.
const ir::Instruction* barrier_of_cluster(const ir::Kernel& kernel) {
  const auto found =
      std::find_if(kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& instruction) {
        return kernel.operation(instruction).kind == ir::OperationKind::cluster_barrier;
      });
  return found == kernel.instructions.end() ? nullptr : &*found;
}

// Copies from compute capability 12.0 on that go to another block call a function of the driver.
const ir::Instruction* copy_by_driver(const ir::Kernel& kernel, const Machine& machine) {
  constexpr int64_t first_with_calls = 120;
  const auto& known = machine.sequence ? machine.sequence->architectures : std::vector<int64_t>{first_with_calls};
  if (std::none_of(known.begin(), known.end(), [](int64_t one) { return one >= first_with_calls; })) return nullptr;
  const auto found =
      std::find_if(kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& instruction) {
        const ir::Operation& operation = kernel.operation(instruction);
        return ir::is_bulk_copy(operation) && operation.facts.of_cluster;
      });
  return found == kernel.instructions.end() ? nullptr : &*found;
}

// How many blocks start together.
Result<int64_t> cluster_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  const ir::LaunchBounds& bounds = kernel.launch_bounds;
  if (!bounds.clusters) {
    const ir::Instruction* barrier = barrier_of_cluster(kernel);
    if (barrier == nullptr) return 1;
    return error_in_line(kernel, barrier->line,
                         "the file does not say how many blocks meet at '" + kernel.operation(*barrier).text + "'",
                         "write __cluster_dims__ (.reqnctapercluster) before the kernel");
  }
  const auto blocks = bounds.cluster.count().value();
  if (!blocks || *blocks < 1) {
    return of_clusters(kernel, "and the file does not say how large they are",
                       "write __cluster_dims__ (.reqnctapercluster) before the kernel");
  }
  if (*blocks == 1) return 1;
  if (bounds.in_clusters) {
    return of_clusters(kernel, "and its launch counts clusters instead of blocks, which is not understood",
                       "leave .blocksareclusters out");
  }
  if (!launch.grid) return of_clusters(kernel, "of which {grid} says how many there are", "give {grid} X");
  const ir::Extent& grid = *launch.grid;
  if (grid.x % bounds.cluster.x != 0 || grid.y % bounds.cluster.y != 0 || grid.z % bounds.cluster.z != 0) {
    return of_clusters(kernel, "and the grid is no multiple of these",
                       "give a {grid} of which each number is a multiple of that of the cluster");
  }
  if (const ir::Instruction* copy = copy_by_driver(kernel, machine)) {
    return error_in_line(kernel, copy->line,
                         "'" + kernel.operation(*copy).text + "' may call a function of the driver on machine '" +
                             machine.name + "' where blocks come in clusters, at a cost that is unknown",
                         "copy into .shared::cta (PTX ISA 8.6)");
  }
  return *blocks;
}

}  // namespace

Result<Load> load_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  const ir::Extent block = launch.block.value_or(ir::Extent{});
  const auto threads = block.count().value();
  if (!threads || *threads > machine.max_threads_per_block) {
    return support::usage_error("a block on machine '" + machine.name + "' has at most " +
                                    std::to_string(machine.max_threads_per_block) + " threads",
                                "give a smaller {block}");
  }
  const auto cluster = cluster_of(kernel, launch, machine);
  if (!cluster) return cluster.errors();
  Load load;
  load.cluster = *cluster;
  load.warps_per_block = ir::warps_of(*threads);
  load.grid_given = launch.grid.has_value();
  const Integer blocks = launch.grid.value_or(ir::Extent{}).count();
  const auto of_one = ceil_divide(blocks, machine.multiprocessors).value();
  const auto warps = (blocks * Integer(load.warps_per_block)).value();
  if (!of_one || !warps) return support::usage_error("the grid has more than 2^63 warps", "give a smaller {grid}");
  load.device_blocks = *blocks.value();
  load.device_warps = *warps;
  load.blocks = *of_one;
  load.warps = load.blocks * load.warps_per_block;
  if (launch.interference) load.interference = launch.interference->share;
  auto needs = block_needs(kernel, launch, load.warps_per_block, machine);
  if (!needs) return needs.errors();
  load.needs = std::move(*needs);
  load.residency = residency(load.needs, machine);
  return load;
}

}  // namespace warpspan::timing
