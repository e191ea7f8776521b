// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in every page besides its report.
#pragma once

#include <string>

namespace warpspan::app {

// Rules of CSS: type, tables, code, charts, on light and dark ground, on narrow and wide screens, on paper.
const std::string& page_style();

// The script of a page, without '<', '&' and the like: it stands in XML as it is.
const std::string& page_script();

}  // namespace warpspan::app
