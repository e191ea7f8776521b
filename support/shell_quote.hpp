// SPDX-License-Identifier: GPL-3.0-or-later
// Words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::support {

// The text as one word of a POSIX shell: as it is where a shell takes every character as itself, else between '...'.
std::string shell_quoted(std::string_view text);

}  // namespace warpspan::support
