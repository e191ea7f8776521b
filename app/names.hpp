// Names in reports for values that have none of their own.
#pragma once

#include <string_view>

#include "ir/flow.hpp"

namespace warpspan::app {

// "scalar-evolution", "user", "none".
constexpr std::string_view name(ir::Origin origin) {
  switch (origin) {
    case ir::Origin::none: return "none";
    case ir::Origin::scalar_evolution: return "scalar-evolution";
    case ir::Origin::user: return "user";
  }
  return "none";
}

}  // namespace warpspan::app
