// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose machine code is executed in the order in which they are written.
#pragma once

#include "timing/assumptions/assumption.hpp"

namespace warpspan::test {

inline timing::AssumptionSet in_order(timing::AssumptionSet assumed = {}) {
  assumed.assume(timing::Assumption::ptx_order);
  return assumed;
}

}  // namespace warpspan::test
