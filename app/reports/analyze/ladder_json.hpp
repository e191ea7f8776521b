// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of a bound, for programs.
#pragma once

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// [{"assumption": as --assume takes it, or null of the first rung, "makespan": or null, "what", "assume": [names that
// --assume needs for it], "headline": whether its makespan is that of the report}], none larger than the one before.
Json ladder_to_json(const timing::Analysis& analysis);

}  // namespace warpspan::app
