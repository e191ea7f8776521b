// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

std::span<const TripMethod> trip_methods() {
  static constexpr TripMethod methods[] = {
#define TRIP_METHOD(name, source, stage, loops) \
  {#name, ir::TripCountSource::source, TripStage::stage, loops, trips_by_##name},
#include "ir/trip_methods.def"
  };
  return methods;
}

}  // namespace warpspan::lift
