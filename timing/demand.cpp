#include "timing/demand.hpp"

#include <iterator>

#include "ir/execution.hpp"
#include "support/checked.hpp"
#include "timing/errors.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

Result<std::vector<int64_t>> values_of(const ir::Kernel& kernel, const std::vector<Integer>& sums) {
  std::vector<int64_t> totals;
  for (const Integer& sum : sums) {
    const auto value = sum.value();
    if (!value) return exceeds_64_bits(kernel, "the instructions of one warp");
    totals.push_back(*value);
  }
  return totals;
}

// Calls use(measure, cycles) for whatever one execution of the instruction uses. Measures: what is held by resource,
// then the rounds by resource.
template <typename Use>
void for_each_use(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs, size_t resources,
                  ir::InstructionId id, const Use& use) {
  const OperationFigures& cost = costs.of(kernel.instructions[id]);
  for (const Hold& hold : cost.holds) use(hold.resource, cycles_held(hold, flow.transactions[id]));
  for (const Rounds& rounds : cost.rounds) use(resources + rounds.resource, Integer(rounds.cycles));
}

// By measure.
std::vector<Shares> shares_of(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs, size_t resources,
                              const ir::BlockPaths& paths) {
  std::vector<Shares> shares(2 * resources);
  if (paths.executions.empty()) return shares;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::InstructionId id = block.first + i;
      for_each_use(kernel, flow, costs, resources, id, [&](size_t measure, Integer cycles) {
        if (paths.executions[measure].empty()) return;
        const int64_t share = (cycles * paths.executions[measure][b]).value().value_or(0);
        if (share > 0) shares[measure].push_back({id, share});
      });
    }
  }
  return shares;
}

}  // namespace

Result<SymbolTotals> symbol_totals(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  constexpr size_t classes = ir::unit_classes;
  const auto sums = ir::largest_block_totals(kernel, flow, classes + 1, [&](ir::BlockId id) {
    std::vector<Integer> values(classes + 1);
    const ir::Block& block = kernel.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Operation& operation = kernel.operation(kernel.instructions[block.first + i]);
      const auto unit = static_cast<size_t>(ir::unit_class(operation.kind));
      values[unit] += machine.unit_width[unit].denominator;
      values[classes] += machine.unit_width[unit].denominator;
    }
    return values;
  });
  if (!sums) return exceeds_64_bits(kernel, "its regions");
  const auto values = values_of(kernel, *sums);
  if (!values) return values.errors();
  SymbolTotals totals;
  for (size_t k = 0; k < classes; ++k) totals.symbols[k] = (*values)[k];
  totals.length = (*values)[classes];
  return totals;
}

Result<ResourceDemand> resource_demand(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                       const Machine& machine) {
  const size_t resources = machine.resources.size();
  const auto paths = ir::largest_block_paths(kernel, flow, 2 * resources, [&](ir::BlockId id) {
    std::vector<Integer> values(2 * resources);
    const ir::Block& block = kernel.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      for_each_use(kernel, flow, costs, resources, block.first + i,
                   [&](size_t measure, Integer cycles) { values[measure] += cycles; });
    }
    return values;
  });
  if (!paths) return exceeds_64_bits(kernel, "its regions");
  const auto totals = values_of(kernel, paths->totals);
  if (!totals) return totals.errors();
  const auto middle = totals->begin() + static_cast<ptrdiff_t>(resources);
  ResourceDemand demand{{totals->begin(), middle}, {middle, totals->end()}};
  std::vector<Shares> shares = shares_of(kernel, flow, costs, resources, *paths);
  const auto second = shares.begin() + static_cast<ptrdiff_t>(resources);
  demand.holders.assign(std::make_move_iterator(shares.begin()), std::make_move_iterator(second));
  demand.repeaters.assign(std::make_move_iterator(second), std::make_move_iterator(shares.end()));
  return demand;
}

}  // namespace warpspan::timing
