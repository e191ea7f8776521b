// warpspan machines: the machine models, or all figures of one with their standing and source.
#pragma once

#include <string>

#include "app/reports/text_style.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// All figures of a machine, as text with prose of that width; the tables are wider.
std::string machine_text(const timing::Machine& machine, size_t width = usual_width);

}  // namespace warpspan::app
