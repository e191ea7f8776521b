// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/semantics.hpp"

#include <array>

namespace warpspan::ir {

std::string_view description(Computation computation) {
  static constexpr auto descriptions = std::to_array<std::string_view>({
#define COMPUTATION(enumerator, what) what,
#include "ir/computations.def"
#undef COMPUTATION
  });
  return descriptions[static_cast<size_t>(computation)];
}

bool computes_floats(Computation computation) {
  static constexpr auto names = std::to_array<std::string_view>({
#define COMPUTATION(enumerator, what) #enumerator,
#include "ir/computations.def"
#undef COMPUTATION
  });
  return names[static_cast<size_t>(computation)].starts_with("float_");
}

}  // namespace warpspan::ir
