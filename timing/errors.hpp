// Errors that several passes of the analysis have.
#pragma once

#include <string_view>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::timing {

// what: in the plural, such as "the cycles of one warp".
support::Diagnostic exceeds_64_bits(const ir::Kernel& kernel, std::string_view what);

}  // namespace warpspan::timing
