// SPDX-License-Identifier: GPL-3.0-or-later
// Problem files: a string problem and how to solve it, in TOML.
//
//   string = "LLCLL"            as of --string
//   warps = 4                   or [1, 2, 8], or "1..48"
//   methods = ["exact", "list"] or "all": as of --method
//   time_limit = 10             seconds for each number of warps
//   horizon = "safe"            or "published"
//   schedule = true             draw the longest schedule found
//   target = 600                as of --target
//   [sigma]                     warps that each class executes in a cycle, each an integer or "1/n"
//   L = 1
//   C = "1/2"
//   [units]                     or instead: how many units of each class there are
//   warp_size = 32              of warps of so many threads: sigma = units / warp_size
//   L = 16
//
// Every key may be left out.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/solve_values.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The settings in the text of a file of this name, or all errors in it with their places: not TOML, an unknown key, a
// wrong type or value, both sigma and units. They are of cause input.
support::Result<ProblemSettings> parse_problem(const std::string& name, std::string_view text);

}  // namespace warpspan::app
