// SPDX-License-Identifier: GPL-3.0-or-later
// Text made fit for an XML 1.0 document in UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::app {

// The text as content of an element: markup escaped, line ends kept, tabs as blanks. What XML cannot hold (other
// control characters, bytes that are no UTF-8, U+FFFE and U+FFFF) and what a terminal might act on comes out as \xNN.
std::string xml_content(std::string_view text);

// The same for content of a page: a line end is a reference, so that no line of the page begins with what comes from
// outside, which CI may take for a command.
std::string html_text(std::string_view text);

// The same as the value of an attribute in double quotes: line ends as references, which readers keep.
std::string xml_attribute(std::string_view text);

}  // namespace warpspan::app
