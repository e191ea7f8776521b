// SPDX-License-Identifier: GPL-3.0-or-later
// What warps did over time, as a picture on the page of a simulation.
#pragma once

#include <array>
#include <string>

#include "app/reports/simulate/simulate_report.hpp"

namespace warpspan::app {

// The class of the colour of each activity.
using ActivityColours = std::array<std::string, timing::activities>;

// "memory", "issuing": fit for a page.
std::string activity_name(size_t activity);

// A row for each warp: of few spans each, of many what filled most of each piece of the time. Empty where no timeline
// was followed.
std::string timeline_section(const SimulatedKernel& kernel, const ActivityColours& colours);

}  // namespace warpspan::app
