// A machine's figures for the operations of a kernel.
#pragma once

#include <optional>
#include <vector>

#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// One entry per Kernel::operations; each has a value.
using Weights = std::vector<std::optional<OperationFigures>>;

// Errors: one for each operation that the machine has no figures for, at its first instruction; unknown is never zero.
support::Result<Weights> weigh(const ir::Kernel& kernel, const Machine& machine);

}  // namespace warpspan::timing
