// Text from outside made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::support {

// The text with each byte that a terminal might act on as \xNN: control characters, also those of Unicode (C1, and what
// changes the direction of text), and bytes that are no UTF-8. Line ends are control characters too: what is quoted
// stays on its line.
std::string printable(std::string_view text);

// How many columns of a terminal a printable text takes, if none of its characters is wide.
size_t columns(std::string_view printable_text);

}  // namespace warpspan::support
