// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/memory_transactions.hpp"

#include <algorithm>

#include "app/reports/names.hpp"
#include "ir/execution.hpp"

namespace warpspan::app {

std::optional<std::vector<SpaceTransactions>> memory_transactions(const ir::Kernel& kernel, const ir::Flow& flow) {
  const auto measure = [&](ir::InstructionId id) {
    std::vector<support::Integer> values(std::size(memory_spaces));
    const auto* space =
        std::find(std::begin(memory_spaces), std::end(memory_spaces), kernel.operation(kernel.instructions[id]).space);
    const ir::BulkCopy* copy = ir::copy_of(flow, id);
    const support::Integer lanes = copy == nullptr ? 1 : copy->lanes;
    if (space != std::end(memory_spaces))
      values[static_cast<size_t>(space - memory_spaces)] = lanes * int64_t{flow.transactions[id]};
    return values;
  };
  const auto totals = ir::largest_totals(kernel, flow, std::size(memory_spaces), measure);
  if (!totals) return std::nullopt;
  std::vector<SpaceTransactions> result;
  for (size_t i = 0; i < std::size(memory_spaces); ++i) {
    const auto count = (*totals)[i].value();
    if (!count) return std::nullopt;
    result.push_back({memory_spaces[i], *count});
  }
  return result;
}

}  // namespace warpspan::app
