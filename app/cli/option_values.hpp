// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the values of options, strictly: nothing may follow a number, and every error says what is expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/report_format.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// All errors are usage errors whose message begins with the option's name.

// One of the names. An error tells the name that was perhaps meant: support::nearest.
support::Result<std::string> parse_name(const std::vector<std::string>& names, const std::string& option,
                                        const std::string& text, size_t forgiven = 1);

// The name of one of the forms. One whose files have an ending like the text is meant by it, too: "md".
support::Result<std::string> parse_form(const std::vector<FormatName>& forms, const std::string& option,
                                        const std::string& text, size_t forgiven = 1);

inline constexpr double most_seconds = 1e6;

// Seconds from 0 to most_seconds, as a decimal number.
support::Result<double> parse_seconds(const std::string& option, const std::string& text);

// What parse_assumptions knows.
std::vector<std::string_view> names_to_assume();

// Names of assumptions with commas between them, 'usual' and 'all' among them; or 'none' alone.
support::Result<timing::Grant> parse_assumptions(const std::string& option, const std::string& text);

// As parse_assumptions reads it.
std::string text_of(const timing::Grant& grant);

// Bytes with a unit (bytes_in), from 64M to 1024T: "512M", "4GB".
support::Result<int64_t> parse_size(const std::string& option, std::string_view text);

}  // namespace warpspan::app
