// SPDX-License-Identifier: GPL-3.0-or-later
// What each assumption buys, as reports tell it: the rungs of timing::Analysis::ladder, and the ones that are granted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/text_style.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// "1.04x", "1.3x", "12x": how many times less it is, rounded. Both at least 1.
std::string times_less(int64_t before, int64_t makespan);

// The names of what is granted, in the order of the table of assumptions.
std::vector<std::string> names_of(const timing::AssumptionSet& assumed);

// What --assume needs for that rung: its name and those before it, but those that others contain.
std::vector<std::string> names_up_to(const std::vector<timing::Rung>& ladder, size_t rung);

// The rung whose makespan is the headline's; nothing if other assumptions are granted than those of some rung.
std::optional<size_t> headline_rung(const timing::Analysis& analysis);

// A line for each rung: its name, time, how many times less than the one before, and what it says; an arrow stands at
// the headline. Empty where no assumption helps.
std::string ladder_table(const KernelReport& kernel, const TextStyle& style);

}  // namespace warpspan::app
