// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code in the text report: the PTX that it was made from, and its listing.
#pragma once

#include <cstddef>
#include <string>

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// The bound of the PTX of a kernel whose machine code decides, what differs between them in figures and in parts of the
// bound, or why it has none. Empty if there is no such PTX.
std::string beside_section(const KernelReport& kernel, size_t width);

// The listing of a kernel of machine code: what each instruction costs, its control fields in words, and the lines that
// it comes from. Empty for PTX.
std::string listing_table(const KernelReport& kernel, size_t width);

// What an assembler that is at hand would bring to a bound of PTX.
std::string assembler_offer(size_t width);

}  // namespace warpspan::app
