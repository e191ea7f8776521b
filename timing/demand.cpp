#include "timing/demand.hpp"

#include "ir/execution.hpp"
#include "support/checked.hpp"
#include "timing/errors.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

Result<std::vector<int64_t>> totals_of(const ir::Kernel& kernel, const ir::Flow& flow, size_t measures,
                                       const ir::BlockMeasure& measure) {
  const auto sums = ir::largest_block_totals(kernel, flow, measures, measure);
  if (!sums) return exceeds_64_bits(kernel, "its regions");
  std::vector<int64_t> totals;
  for (const Integer& sum : *sums) {
    const auto value = sum.value();
    if (!value) return exceeds_64_bits(kernel, "the instructions of one warp");
    totals.push_back(*value);
  }
  return totals;
}

}  // namespace

Result<SymbolTotals> symbol_totals(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  constexpr size_t classes = ir::unit_classes;
  const auto sums = totals_of(kernel, flow, classes + 1, [&](ir::BlockId id) {
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
  if (!sums) return sums.errors();
  SymbolTotals totals;
  for (size_t k = 0; k < classes; ++k) totals.symbols[k] = (*sums)[k];
  totals.length = (*sums)[classes];
  return totals;
}

Result<ResourceDemand> resource_demand(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs,
                                       const Machine& machine) {
  const size_t resources = machine.resources.size();
  const auto sums = totals_of(kernel, flow, 2 * resources, [&](ir::BlockId id) {
    std::vector<Integer> values(2 * resources);
    const ir::Block& block = kernel.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      const OperationFigures& cost = costs.of(kernel.instructions[block.first + i]);
      for (const Hold& hold : cost.holds) {
        values[hold.resource] += cycles_held(hold, flow.transactions[block.first + i]);
      }
      for (const Rounds& rounds : cost.rounds) values[resources + rounds.resource] += rounds.cycles;
    }
    return values;
  });
  if (!sums) return sums.errors();
  const auto middle = sums->begin() + static_cast<ptrdiff_t>(resources);
  return ResourceDemand{{sums->begin(), middle}, {middle, sums->end()}};
}

}  // namespace warpspan::timing
