// SPDX-License-Identifier: GPL-3.0-or-later
// The bounds that stand at the top of a report: under what is granted, with what is usual on the machine, and whatever
// the device does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/json.hpp"
#include "app/reports/text_style.hpp"

namespace warpspan::app {

struct Headline {
  int64_t cycles = 0;
  std::string when;      // "whatever it does"
  bool decides = false;  // it is the bound under what is granted
};

// The bound that decides is one of them, and the first where it is neither of the other two. Empty without a bound of
// the pipeline model.
std::vector<Headline> headlines(const KernelReport& kernel);

// A line for each: "at most 33.0 us = 46,530 cycles if the GPU does what usual says".
std::string headline_lines(const KernelReport& kernel, const TextStyle& style);

// Cycles whatever the device does; nothing where they exceed 64 bits.
std::optional<int64_t> bound_with_nothing(const timing::Analysis& analysis);

// {"usual": {"assume", "cycles", "picoseconds"}, "nothing": {...}}.
Json headlines_to_json(const KernelReport& kernel);

}  // namespace warpspan::app
