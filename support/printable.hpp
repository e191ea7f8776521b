// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::support {

// The text with each byte that a terminal might act on as \xNN: control characters, also those of Unicode (C1, and what
// changes the direction of text), and bytes that are no UTF-8. Line ends are control characters too: what is quoted
// stays on its line.
std::string printable(std::string_view text);

// The text with each byte that is no printable character of ASCII as \xNN: for lines of any file, so that as many
// columns of a terminal are taken as the result has bytes.
std::string ascii(std::string_view text);

}  // namespace warpspan::support
