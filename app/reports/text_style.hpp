// SPDX-License-Identifier: GPL-3.0-or-later
// How a report for people is to look.
#pragma once

#include <cstddef>

namespace warpspan::app {

inline constexpr size_t usual_width = 100;  // where there is no terminal that says

struct TextStyle {
  // NOLINTNEXTLINE: a colour alone is a style
  TextStyle(bool in_colour = false, size_t columns = usual_width, bool in_full = false)
      : colour(in_colour), width(columns), explain(in_full) {}

  bool colour;                    // with the codes of a terminal
  size_t width;                   // columns of a line; what cannot be broken may be longer
  bool explain;                   // all that is known, where the text leaves something out otherwise
  bool offers_assembler = false;  // whoever reads it could have PTX assembled, and has not asked for it
};

}  // namespace warpspan::app
