// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the text report that take more than a line to make.
#pragma once

#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/text_style.hpp"

namespace warpspan::app {

// What a part of a bound is: "one warp alone", "waiting for memory".
std::string part_name(const solver::Part& part);

// "issue slots", "load/store units": a resource of a machine file in words.
std::string resource_name(const std::string& name);

// "45 %": of the bound, rounded.
std::string share(int64_t cycles, int64_t bound);

// Where the cycles of a bound come from: the warps that run one after another, and what they wait for. One line each,
// indented, with its share of the bound. Empty if the bound has no parts.
std::string breakdown(const solver::Bound& bound, const std::optional<timing::FetchCost>& fetch, size_t width);

// The largest part of a bound, as breakdown calls it: "waiting for memory"; empty if the bound has no parts.
std::string limited_by(const solver::Bound& bound);

// Method, cycles, kind, whether safe, seconds if asked for, and remark of each bound, under a heading row.
std::string bound_table(const std::vector<solver::Bound>& bounds, bool seconds, size_t width = usual_width);

// The bounds of the string model: method, cycles, kind, whether safe, remark.
std::string string_bounds(const std::vector<timing::ModelBound>& bounds, size_t width = usual_width);

// The assumptions of all bounds that have a value, each once.
std::vector<std::string> assumptions_of(const std::vector<timing::ModelBound>& bounds);

// The same numbered, with the models or methods that make each: of a model without a name only the methods.
std::string assumptions(const std::vector<timing::ModelBound>& bounds, size_t width = usual_width);

// At most `most` rows as a table under a heading row, and a line that says how many are left out.
std::string loop_table(const std::vector<ir::Loop>& loops, size_t most);

// As loop_table.
std::string clock_reading_lines(const std::vector<timing::ClockReading>& readings, size_t most);

}  // namespace warpspan::app
