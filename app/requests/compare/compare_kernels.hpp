// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the kernels of several sides beside one another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/compare/compare_report.hpp"
#include "app/requests/numbers/percent.hpp"

namespace warpspan::app {

// What is known of one side.
struct CompareSide {
  std::string name;  // as the user wrote it
  std::vector<KernelFigures> kernels;
  // What was given besides the block, the grid and the machine, deciding_options; nothing if a report does not tell it.
  std::optional<std::vector<std::string>> options = std::vector<std::string>();
  std::vector<Hashed> machines = {};  // as far as they are known
};

// Of the words that a run was given (OptionSet::record) those that decide its bounds beside the block, the grid and the
// machine: arguments, buffers, loop bounds, facts, registers, shared memory and what is assumed; ascending.
std::vector<std::string> deciding_options(const std::vector<std::string>& words);

// The sides are at least two, the first is the base. The report has no errors of the sides. Bounds under different
// launches or options are errors (usage), and options that are not known are a warning. Where regressions are looked
// for, every kernel that is not on both sides is an error, and so are kernels that are matched by similarity, bounds on
// different machines or on several versions of one, and options that are not known: of none of these can be said that
// it has not regressed.
CompareReport compare_kernels(const std::vector<CompareSide>& sides, const std::optional<Percent>& allowed);

}  // namespace warpspan::app
