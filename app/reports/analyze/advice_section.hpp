// SPDX-License-Identifier: GPL-3.0-or-later
// What would make the bounds of a kernel smaller.
#pragma once

#include <cstddef>
#include <string>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// A line for each: where, what, and what becomes of the two bounds: "bound x 0.40". Empty where there is none.
std::string advice_table(const KernelReport& kernel, size_t width);

// The largest gain in a line, its text from column `indent` on. Empty where there is none.
std::string first_advice(const KernelReport& kernel, size_t indent, size_t width);

Json advice_to_json(const KernelReport& kernel);

}  // namespace warpspan::app
