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

}  // namespace warpspan::ir
