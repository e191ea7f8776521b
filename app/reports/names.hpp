// Names in reports for values that have none of their own.
#pragma once

#include <string_view>

#include "ir/flow.hpp"

namespace warpspan::app {

// "none", "scalar-evolution", "simulation", "not-entered", "user".
constexpr std::string_view to_string(ir::TripCountSource source) {
  switch (source) {
    case ir::TripCountSource::none: return "none";
    case ir::TripCountSource::scalar_evolution: return "scalar-evolution";
    case ir::TripCountSource::simulation: return "simulation";
    case ir::TripCountSource::not_entered: return "not-entered";
    case ir::TripCountSource::user: return "user";
  }
  return "none";
}

}  // namespace warpspan::app
