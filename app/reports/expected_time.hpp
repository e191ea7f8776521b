// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch probably takes, as reports tell it: an estimate, never safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpspan::app {

struct ExpectedTime {
  enum class Method : uint8_t {
    simulated,  // machine code, docs/simulate.md
    estimated,  // by a formula, from what the bound was made of
  };
  Method method = Method::estimated;
  int64_t cycles = 1;
  // How far off one usually is, in hundredths: two launches of three take at most so many times as long, or as short
  // (docs/simulated.md). Nothing where that was not measured, or where unknown data decide.
  std::optional<int64_t> usual_factor = std::nullopt;
  std::string not_simulated = {};             // why it was not; empty of what was
  bool depends_on_data = false;               // what was executed depended on what memory held
  std::vector<std::string> assumptions = {};  // sentences
  // Of what was simulated: how long warps waited before each instruction of the kernel, and issuing it took, together.
  std::vector<double> waited = {};
};

std::string_view to_string(ExpectedTime::Method method);  // "simulated", "estimated"

// "12.3 us": three digits that count, rounded to nearest. cycles at least 0, clock_khz at least 1.
std::string rough_duration(int64_t cycles, int64_t clock_khz);

// "estimate, not safe: within 1.2 times for two launches of three".
std::string caution(const ExpectedTime& expected);

}  // namespace warpspan::app
