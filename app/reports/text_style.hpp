// How a report for people is to look.
#pragma once

#include <cstddef>

namespace warpspan::app {

inline constexpr size_t usual_width = 100;  // where there is no terminal that says

struct TextStyle {
  // NOLINTNEXTLINE: a colour alone is a style
  TextStyle(bool in_colour = false, size_t columns = usual_width) : colour(in_colour), width(columns) {}

  bool colour;   // with the codes of a terminal
  size_t width;  // columns of a line; what cannot be broken may be longer
};

}  // namespace warpspan::app
