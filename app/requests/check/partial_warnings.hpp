// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings about facts of which a check makes several uses.
#pragma once

#include "app/requests/check/check_budgets.hpp"

namespace warpspan::app {

// What one kernel has no use for, another one of the same budget, or with the same file of facts, or with the same
// [defaults], may need. Leaves those warnings about places in them that all kernels give whose time is limited. In a
// file of facts, which may serve other checks too, they stay warnings. What stands in the budgets file is for the
// kernels of its entries alone: there they become errors, and the kernels have no bound.
void check_warnings(Checked& checked);

}  // namespace warpspan::app
