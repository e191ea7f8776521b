// SPDX-License-Identifier: GPL-3.0-or-later
// Today's values as budgets: what 'warpspan check --update' writes.
#pragma once

#include <string>
#include <string_view>

#include "app/requests/check/check_budgets.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The text of a budgets file with other limits, everything else as it stands: each time becomes the largest bound of
// the kernels that it is for and so many percent more, rounded up to cycles or, in the unit that it has, to
// nanoseconds; an entry without any limit gets one in cycles, or where the check was asked for counts, one for each.
// Counts become the largest that logs tell, without a margin, and so does an expected time become today's. Where
// `assume` is not empty, entries without the key get it. A time of [defaults] is written into the entry. The same text
// where it says so already.
//
// checked: of the budgets in this text, for an update, without an error. Errors, as wrong use: a limit on a count that
// stands in [defaults] and is exceeded; a sum that exceeds 64 bits.
support::Result<std::string> updated_budgets(std::string_view text, const Checked& checked, const Percent& margin,
                                             const std::string& assume = {});

// The text with an entry for each kernel that a pattern names, in the place of the entry of the pattern and otherwise
// like it; the same text where there is no pattern. Errors, as wrong use: an entry without a heading of its own.
support::Result<std::string> with_kernel_entries(std::string_view text, const Checked& checked);

}  // namespace warpspan::app
