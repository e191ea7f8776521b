#include "timing/demand.hpp"

#include <algorithm>
#include <utility>

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

// What is measured: what is held by resource, then the rounds by resource, then what is held together by neighbour.
class Measures {
 public:
  Measures(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs, const Machine& machine)
      : kernel_(kernel), flow_(flow), costs_(costs), together_(machine), resources_(machine.resources.size()) {}

  size_t count() const { return 2 * resources_ + neighbours; }

  // Calls use(measure, amount) for whatever one execution of the instruction uses.
  template <typename Use>
  void for_each_use(ir::InstructionId id, const Use& use) const {
    const OperationFigures& cost = costs_.of(kernel_.instructions[id]);
    const int64_t transactions = flow_.transactions[id];
    for (const Hold& hold : cost.holds) use(hold.resource, cycles_held(hold, transactions));
    for (const Rounds& rounds : cost.rounds) use(resources_ + rounds.resource, Integer(rounds.cycles));
    for (size_t n = 0; n < neighbours; ++n) {
      use(2 * resources_ + n, together_.cycles(cost, transactions, static_cast<Neighbour>(n)));
    }
  }

  std::vector<Integer> of(ir::BlockId id) const {
    std::vector<Integer> values(count());
    const ir::Block& block = kernel_.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      for_each_use(block.first + i, [&](size_t measure, Integer amount) { values[measure] += amount; });
    }
    return values;
  }

  // By measure.
  std::vector<Shares> shares_of(const ir::BlockPaths& paths) const;

 private:
  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Costs& costs_;
  Together together_;
  size_t resources_;
};

std::vector<Shares> Measures::shares_of(const ir::BlockPaths& paths) const {
  std::vector<Shares> shares(count());
  if (paths.executions.empty()) return shares;
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const ir::Block& block = kernel_.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::InstructionId id = block.first + i;
      for_each_use(id, [&](size_t measure, Integer amount) {
        if (paths.executions[measure].empty()) return;
        const int64_t share = (amount * paths.executions[measure][b]).value().value_or(0);
        if (share > 0) shares[measure].push_back({id, share});
      });
    }
  }
  return shares;
}

// Takes as many values as there are places.
template <typename From, typename To>
From take(From from, To& to) {
  const From end = from + static_cast<ptrdiff_t>(to.size());
  std::move(from, end, to.begin());
  return end;
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
  const Measures measures(kernel, flow, costs, machine);
  const auto paths =
      ir::largest_block_paths(kernel, flow, measures.count(), [&](ir::BlockId id) { return measures.of(id); });
  if (!paths) return exceeds_64_bits(kernel, "its regions");
  auto totals = values_of(kernel, paths->totals);
  if (!totals) return totals.errors();
  std::vector<Shares> shares = measures.shares_of(*paths);
  ResourceDemand demand;
  demand.held.resize(resources);
  demand.rounds.resize(resources);
  demand.holders.resize(resources);
  demand.repeaters.resize(resources);
  take(take(take(totals->begin(), demand.held), demand.rounds), demand.together);
  take(take(take(shares.begin(), demand.holders), demand.repeaters), demand.together_holders);
  return demand;
}

}  // namespace warpspan::timing
