// Names in reports for values that have none of their own.
#pragma once

#include <string_view>

#include "ir/flow.hpp"

namespace warpspan::app {

// "none", "scalar-evolution", "simulation", "value-ranges", "array-size", "compare-and-swap", "clock", "not-entered",
// "user".
constexpr std::string_view to_string(ir::TripCountSource source) {
  switch (source) {
    case ir::TripCountSource::none: return "none";
    case ir::TripCountSource::scalar_evolution: return "scalar-evolution";
    case ir::TripCountSource::simulation: return "simulation";
    case ir::TripCountSource::value_ranges: return "value-ranges";
    case ir::TripCountSource::array_size: return "array-size";
    case ir::TripCountSource::compare_and_swap: return "compare-and-swap";
    case ir::TripCountSource::clock: return "clock";
    case ir::TripCountSource::not_entered: return "not-entered";
    case ir::TripCountSource::user: return "user";
  }
  return "none";
}

// Those whose transactions reports tell, in their order.
inline constexpr ir::MemorySpace memory_spaces[] = {
    ir::MemorySpace::generic,   ir::MemorySpace::global,   ir::MemorySpace::shared, ir::MemorySpace::local,
    ir::MemorySpace::parameter, ir::MemorySpace::constant, ir::MemorySpace::texture};

// "global", "shared", ...
constexpr std::string_view to_string(ir::MemorySpace space) {
  switch (space) {
    case ir::MemorySpace::none: return "none";
    case ir::MemorySpace::generic: return "generic";
    case ir::MemorySpace::global: return "global";
    case ir::MemorySpace::shared: return "shared";
    case ir::MemorySpace::local: return "local";
    case ir::MemorySpace::parameter: return "parameter";
    case ir::MemorySpace::constant: return "constant";
    case ir::MemorySpace::texture: return "texture";
  }
  return "none";
}

}  // namespace warpspan::app
