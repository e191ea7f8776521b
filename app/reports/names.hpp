// SPDX-License-Identifier: GPL-3.0-or-later
// Names in reports for values that have none of their own.
#pragma once

#include <string_view>

#include "ir/flow.hpp"

namespace warpspan::app {

// As ir/trip_methods.def names it: "scalar-evolution", "none", ...
constexpr std::string_view to_string(ir::TripCountSource source) {
  constexpr std::string_view names[] = {
#define TRIP_SOURCE(enumerator, name, known, assumed) name,
#include "ir/trip_methods.def"
  };
  return names[static_cast<size_t>(source)];
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
