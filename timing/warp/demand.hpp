// What one warp uses at most, wherever it goes: each total is maximized by itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/costs/cost.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/together.hpp"

namespace warpspan::timing {

// Symbols of the instruction string for the widths of the machine's units (ir::transform).
struct SymbolTotals {
  std::array<int64_t, ir::unit_classes> symbols{};  // by UnitClass
  int64_t length = 0;                               // of all classes together
};

// Both require trip counts for all loops. Errors: a kernel that never ends, totals that exceed 64 bits.
support::Result<SymbolTotals> symbol_totals(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine);

// What an instruction has of a total, all its executions together.
struct Share {
  ir::InstructionId instruction = 0;
  int64_t cycles = 0;
};
using Shares = std::vector<Share>;  // ascending instructions

// Of a warp that meets those of its block in order.
struct PieceDemand {
  int64_t meetings = 0;  // that it passes at most
  // Of one piece, between two meetings, at most: ResourceDemand::together for warps of its scheduler.
  int64_t together = 0;
};

// What one warp keeps from others, by Machine::resources unless another order is told.
struct ResourceDemand {
  std::vector<int64_t> held;    // server-cycles
  std::vector<int64_t> rounds;  // cycles of these that are successful rounds of loops (OperationFigures::rounds)
  // By Neighbour, times Together::unit(): for how long it is in its way with what it holds from the issue on.
  std::array<int64_t, neighbours> together = {};
  // The same of `held` where some warps of a block never make some of the requests to memory (BlockFlow::warps).
  struct Split {
    std::vector<int64_t> each, block;  // server-cycles, by resource: solver::GridResource::Split
  };
  std::optional<Split> split = std::nullopt;
  std::optional<PieceDemand> piece = std::nullopt;  // piece_demand, where it holds
};
support::Result<ResourceDemand> resource_demand(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                                const Machine& machine);

// Whose the totals of a ResourceDemand are, on the path that has most: by resource `held` and `rounds`, by neighbour
// `together`, and what is split. They may be missing: what is there and does not add up to the total says nothing.
struct ResourceHolders {
  std::vector<Shares> held, rounds;
  std::array<Shares, neighbours> together = {};
  std::vector<Shares> each, block;  // empty where nothing is split
};
ResourceHolders resource_holders(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                 const Machine& machine);

// Of a kernel whose warps meet in order (ir::find_meetings). Nothing if the pieces are not known, or exceed 64 bits.
std::optional<PieceDemand> piece_demand(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                        const Machine& machine);

}  // namespace warpspan::timing
