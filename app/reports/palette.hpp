// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of charts.
#pragma once

#include <array>

namespace warpspan::app {

// Of one brightness, so that they can be told from white and from black.
inline constexpr std::array chart_colours = {"#2f7fd1", "#e07b1a", "#2f9e5a", "#d9484a", "#9467bd",
                                             "#a6764c", "#d667b0", "#7d848f", "#a09a1f", "#1fa5b8"};

}  // namespace warpspan::app
