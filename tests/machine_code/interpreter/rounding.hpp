// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point operations in a rounding mode of machine code, with the arithmetic of the host.
#pragma once

#include <cfenv>

#include "tests/machine_code/interpreter/lane.hpp"

namespace warpspan::machine_code {

// RN RM RP RZ: to nearest, down, up, to zero. The operands are volatile so that nothing is computed before the mode is
// set, or after it is set back.
template <typename Value, typename Operation>
Value rounded(unsigned rounding, Value a, Value b, Value c, const Operation& operation) {
  constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  const int before = std::fegetround();
  std::fesetround(modes[rounding & 3]);
  volatile Value x = a, y = b, z = c;
  volatile Value result = operation(Value{x}, Value{y}, Value{z});
  std::fesetround(before);
  return result;
}

}  // namespace warpspan::machine_code
