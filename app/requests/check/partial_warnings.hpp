// Warnings about facts of which a check makes several uses.
#pragma once

#include "app/requests/check/check_budgets.hpp"

namespace warpspan::app {

// What one kernel has no use for, another one of the same budget, or with the same file of facts, may need. Leaves
// those warnings about places in them that all kernels give that were read with them.
void drop_partial_warnings(Checked& checked);

}  // namespace warpspan::app
