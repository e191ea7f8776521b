// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for spreadsheets and other programs: comma-separated, RFC 4180 but for its line ends, which are single.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpspan::app {

// The fields as a line with its end, as support::printable; those with commas or quotes stand in quotes. No field
// begins with what spreadsheets take for a formula: a blank stands before it.
std::string csv_row(const std::vector<std::string>& fields);

// Empty where there is none.
std::string csv_number(const std::optional<int64_t>& value);

}  // namespace warpspan::app
