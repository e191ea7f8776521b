// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of names.
#pragma once

#include <string_view>

namespace warpspan::support {

// Whether a text matches a pattern in which '*' stands for any characters, or none.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace warpspan::support
