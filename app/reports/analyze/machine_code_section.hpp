// Machine code in the text report: beside the PTX that it was made from, and as a listing.
#pragma once

#include <cstddef>
#include <string>

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// The bound of the machine code that the file holds beside its PTX, what differs from that of the PTX in figures and in
// parts of the bound, or why it has none. Empty if there is no such code.
std::string beside_section(const KernelReport& kernel, size_t width);

// The listing of a kernel of machine code: what each instruction costs, its control fields in words, and the lines that
// it comes from. Empty for PTX.
std::string listing_table(const KernelReport& kernel, size_t width);

}  // namespace warpspan::app
