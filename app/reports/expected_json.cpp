// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/expected_json.hpp"

#include "app/reports/readable.hpp"

namespace warpspan::app {

Json expected_to_json(const std::optional<ExpectedTime>& expected, int64_t clock_khz) {
  if (!expected) return nullptr;
  return {{"cycles", expected->cycles},
          {"picoseconds", or_null(picoseconds(expected->cycles, clock_khz))},
          {"safe", false},
          {"method", to_string(expected->method)},
          {"usual_factor", or_null(expected->usual_factor)},
          {"not_simulated", expected->not_simulated},
          {"depends_on_data", expected->depends_on_data},
          {"assumptions", expected->assumptions}};
}

}  // namespace warpspan::app
