// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside made fit for Markdown as GitHub and GitLab show it.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::app {

// The text as it reads, wherever it stands: nothing in it is markup, HTML, a formula, or the end of a table's cell, nor
// does it make a list or a heading at the beginning of a line; line ends are blanks.
std::string markdown(std::string_view text);

// The same as code.
std::string markdown_code(std::string_view text);

}  // namespace warpspan::app
