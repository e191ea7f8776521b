// SPDX-License-Identifier: GPL-3.0-or-later
// The line of a certificate whose conditions are true, and its value.
#pragma once

#include <optional>

#include "solver/strings/certificate/certificate.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

// What the line is made of, times the denominator: for W workers the bound is (W - 1) * other + followed.
struct LineParts {
  support::WideInteger other;     // weights and offset of one worker other than the analysed one
  support::WideInteger followed;  // weights of the analysed one, and the potential lost from start to end
};

// Nothing if an intermediate number exceeds 2^127 - 1 or one of the line's 2^63 - 1.
std::optional<Line> line_of(const LineParts& parts, const Certificate& certificate);

// floor(slope * workers + intercept): a bound on the makespan if the line is for that many workers. Overflowed if a
// intermediate number exceeds 2^127 - 1, or the value 64 bits.
support::Integer makespan_on(const Line& line, int64_t workers);

}  // namespace warpspan::solver
