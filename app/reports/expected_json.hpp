// SPDX-License-Identifier: GPL-3.0-or-later
// "expected" of a kernel in JSON reports.
#pragma once

#include "app/reports/expected_time.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// {"cycles", "picoseconds": rounded up, "safe": false, "method": "simulated" or "estimated", "usual_factor": how far
// off it usually is, in hundredths, or null where nobody has measured it, "not_simulated": why, or "",
// "depends_on_data": whether what was executed depended on what memory held, "assumptions": [sentences]}; null without
// a value.
Json expected_to_json(const std::optional<ExpectedTime>& expected, int64_t clock_khz);

}  // namespace warpspan::app
