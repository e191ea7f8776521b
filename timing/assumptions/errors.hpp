// SPDX-License-Identifier: GPL-3.0-or-later
// Errors that several passes of the analysis have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::timing {

// At the beginning of a line of the kernel's file.
support::Diagnostic error_in_line(const ir::Kernel& kernel, uint32_t line, std::string message, std::string help);

// what: in the plural, such as "the cycles of one warp".
support::Diagnostic exceeds_64_bits(const ir::Kernel& kernel, std::string_view what);

}  // namespace warpspan::timing
