// Parts of the text report that take more than a line to make.
#pragma once

#include <string>
#include <vector>

#include "app/reports/analyze_report.hpp"

namespace warpspan::app {

// What a part of a bound is: "one warp alone", "waiting for memory".
std::string part_name(const solver::Part& part);

// "issue slots", "load/store units": a resource of a machine file in words.
std::string resource_name(const std::string& name);

// Where the cycles of a bound come from: the warps that run one after another, and what they wait for. One line each,
// indented; empty if the bound has no parts.
std::string breakdown(const solver::Bound& bound, const std::optional<timing::FetchCost>& fetch);

// Method, cycles, kind, whether safe, seconds if asked for, and remark of each bound, under a heading row.
std::string bound_table(const std::vector<solver::Bound>& bounds, bool seconds);

// The bounds of the string model: method, cycles, kind, whether safe, remark.
std::string string_bounds(const std::vector<timing::ModelBound>& bounds);

// The assumptions of all bounds that have a value, each once, numbered, with the models or methods that make it: of a
// model without a name only the methods.
std::string assumptions(const std::vector<timing::ModelBound>& bounds);

// At most `most` rows as a table under a heading row, and a line that says how many are left out.
std::string loop_table(const std::vector<ir::Loop>& loops, size_t most);

// As loop_table.
std::string clock_reading_lines(const std::vector<timing::ClockReading>& readings, size_t most);

}  // namespace warpspan::app
